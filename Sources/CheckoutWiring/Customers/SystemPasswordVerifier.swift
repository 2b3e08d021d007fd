/// Hashes and checks passwords with what the system has for it.
///
/// On Linux that is SHA-512 crypt of the C library (any scheme it knows is checked), on Apple's
/// systems PBKDF2 with SHA-512. A check takes time in proportion to the rounds: about 35 ms for the
/// default. Safe to use from any thread.
public struct SystemPasswordVerifier: PasswordVerifier {
  /// The rounds that may be asked for.
  public static let validRounds = 1_000...9_999_999
  /// The most bytes that a password has.
  public static let limit = 511

  private static let letters = Array(
    "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")

  private let rounds: Int

  /// A verifier whose new hashes take that many rounds, brought into ``validRounds``.
  public init(rounds: Int = 100_000) {
    self.rounds = min(max(rounds, Self.validRounds.lowerBound), Self.validRounds.upperBound)
  }

  /// A setting without a digest: each digest is longer, so none equals it.
  public var decoy: PasswordHash {
    PasswordHash(rawValue: setting(salt: String(repeating: ".", count: 16)))
  }

  /// Makes the hash to keep of a new password, with a salt of 96 random bits.
  public func hash(_ password: String) throws(PasswordError) -> PasswordHash {
    guard !password.isEmpty else { throw .empty }
    guard !password.utf8.contains(0) else { throw .nullCharacter }
    guard password.utf8.count <= Self.limit else { throw .tooLong(limit: Self.limit) }
    // The system's generator, which is fit for secrets.
    let salt = String((0..<16).map { _ in Self.letters[Int.random(in: 0..<64)] })
    guard let hash = SystemCrypt.digest(password, setting: setting(salt: salt)) else {
      throw .unsupportedScheme(SystemCrypt.scheme)
    }
    return PasswordHash(rawValue: hash)
  }

  /// Whether it is the hash of that password; the answer takes as long wherever they differ.
  public func verify(_ password: String, against hash: PasswordHash) -> Bool {
    guard !password.utf8.contains(0), password.utf8.count <= Self.limit else { return false }
    guard let found = SystemCrypt.digest(password, setting: hash.rawValue) else { return false }
    return Self.isEqual(found.utf8, hash.rawValue.utf8)
  }

  private func setting(salt: String) -> String {
    "$\(SystemCrypt.scheme)$rounds=\(rounds)$\(salt)$"
  }

  private static func isEqual(_ left: String.UTF8View, _ right: String.UTF8View) -> Bool {
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
