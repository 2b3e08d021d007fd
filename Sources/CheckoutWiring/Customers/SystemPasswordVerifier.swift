internal import Foundation

/// Hashes and checks passwords with what the system has for it.
///
/// On Linux that is SHA-512 crypt of the C library (any scheme it knows is checked), on Apple's
/// systems PBKDF2 with SHA-512. A check takes time in proportion to the rounds: about 35 ms for the
/// default. It takes as many for a hash that was made with fewer, or that is none, as for one made
/// now; one that was made with more, or by a scheme of which this is no round, takes longer. Safe
/// to use from any thread.
public struct SystemPasswordVerifier: PasswordVerifier {
  /// The rounds that may be asked for.
  public static let validRounds = 1_000...9_999_999
  /// The most bytes that a password has.
  public static let limit = 511

  private static let letters = Array(
    "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")

  private let rounds: Int
  /// Calls the system's crypt function, or a test's double.
  private let digest: @Sendable (_ password: String, _ setting: String) -> String?

  /// A verifier whose new hashes take that many rounds, brought into ``validRounds``.
  ///
  /// - Parameter rounds: The rounds, to which the time of a check is in proportion.
  public init(rounds: Int = 100_000) {
    self.init(rounds: rounds) { SystemCrypt.digest($0, setting: $1) }
  }

  /// A verifier with a given digest function, so that a test can count its work.
  package init(
    rounds: Int, digest: @escaping @Sendable (_ password: String, _ setting: String) -> String?
  ) {
    self.rounds = min(max(rounds, Self.validRounds.lowerBound), Self.validRounds.upperBound)
    self.digest = digest
  }

  /// A setting without a digest: each digest is longer, so none equals it.
  public var decoy: PasswordHash {
    PasswordHash(rawValue: setting(salt: Self.plainSalt, rounds))
  }

  /// Makes the hash to keep of a new password, with a salt of 96 random bits.
  ///
  /// - Parameter password: The password, in any of Unicode's equal forms, of 1 to ``limit`` bytes.
  /// - Returns: The hash in the form of crypt: scheme, rounds, salt and digest.
  /// - Throws: ``PasswordError``: empty, too long, with a null character, or no scheme in the
  ///   system.
  public func hash(_ password: String) throws(PasswordError) -> PasswordHash {
    let password = password.precomposedStringWithCanonicalMapping
    guard !password.isEmpty else { throw .empty }
    guard !password.utf8.contains(0) else { throw .nullCharacter }
    guard password.utf8.count <= Self.limit else { throw .tooLong(limit: Self.limit) }
    // The system's generator, which is fit for secrets.
    let salt = String((0..<16).map { _ in Self.letters[Int.random(in: 0..<64)] })
    guard let hash = digest(password, setting(salt: salt, rounds)) else {
      throw .unsupportedScheme(SystemCrypt.scheme)
    }
    return PasswordHash(rawValue: hash)
  }

  /// Whether it is the hash of that password; the answer takes as long wherever they differ.
  ///
  /// - Parameters:
  ///   - password: The guess, in any of Unicode's equal forms.
  ///   - hash: The hash, of any scheme that the system knows.
  public func verify(_ password: String, against hash: PasswordHash) -> Bool {
    let password = password.precomposedStringWithCanonicalMapping
    guard !password.utf8.contains(0), password.utf8.count <= Self.limit else { return false }
    let found = digest(password, hash.rawValue)
    // A second run always follows, so that all checks cost the same number of rounds: since the
    // system has a minimum, not every number could be filled up to that of a new hash.
    let missing = rounds + Self.validRounds.lowerBound - (found == nil ? 0 : Self.rounds(of: hash))
    _ = digest(password, setting(salt: Self.plainSalt, max(missing, Self.validRounds.lowerBound)))
    return found.map { Self.isEqual($0.utf8, hash.rawValue.utf8) } ?? false
  }

  /// Whether it is of another scheme, or has fewer rounds than new hashes.
  ///
  /// - Parameter hash: The hash that is kept.
  public func isWeak(_ hash: PasswordHash) -> Bool {
    !hash.rawValue.hasPrefix("$\(SystemCrypt.scheme)$") || Self.rounds(of: hash) < rounds
  }

  /// How many rounds a hash of SHA-2 takes; none for another scheme.
  package static func rounds(of hash: PasswordHash) -> Int {
    let parts = hash.rawValue.split(separator: "$", omittingEmptySubsequences: false)
    guard parts.count > 2, ["5", "6", SystemCrypt.scheme].contains(String(parts[1])) else {
      return 0
    }
    guard parts[2].hasPrefix("rounds=") else { return 5_000 }  // as the scheme has it
    return Int(parts[2].dropFirst(7)) ?? 0
  }

  private static let plainSalt = String(repeating: ".", count: 16)

  private func setting(salt: String, _ rounds: Int) -> String {
    "$\(SystemCrypt.scheme)$rounds=\(rounds)$\(salt)$"
  }

  private static func isEqual(_ left: String.UTF8View, _ right: String.UTF8View) -> Bool {
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
