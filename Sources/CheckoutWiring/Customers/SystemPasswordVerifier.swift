// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// Hashes and checks passwords with the system's functions.
///
/// On Linux, new hashes use SHA-512 crypt of the C library, and hashes of any scheme that the
/// library knows can be checked. On Apple's systems, hashes use PBKDF2 with SHA-512. The time of a
/// check is proportional to the rounds: about 35 ms by default. Checking an invalid hash, or one
/// with fewer rounds than new hashes have, costs as many rounds as checking a new hash. A hash with
/// more rounds takes longer, and so does a hash of a scheme whose rounds the verifier cannot read.
/// Safe to use from any thread.
public struct SystemPasswordVerifier: PasswordVerifier {
  /// The valid numbers of rounds.
  public static let validRounds = 1_000...9_999_999
  /// The maximum length of a password, in bytes of UTF-8.
  public static let limit = 511

  private static let letters = Array(
    "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")

  private let rounds: Int
  /// The system's function for hashes of passwords, or a test double.
  private let digest: @Sendable (_ password: String, _ setting: String) -> String?

  /// Creates a verifier whose new hashes take `rounds` rounds, clamped to ``validRounds``.
  ///
  /// - Parameter rounds: The rounds; the time of a check is proportional to them.
  public init(rounds: Int = 100_000) {
    self.init(rounds: rounds) { SystemCrypt.digest($0, setting: $1) }
  }

  /// Creates a verifier with a replaced digest function, so that a test can count the rounds.
  package init(
    rounds: Int, digest: @escaping @Sendable (_ password: String, _ setting: String) -> String?
  ) {
    self.rounds = min(max(rounds, Self.validRounds.lowerBound), Self.validRounds.upperBound)
    self.digest = digest
  }

  /// A hash with a scheme, rounds and a salt, but without a digest. No password matches it, because
  /// the hash that a check computes from a password always ends in a digest.
  public var decoy: PasswordHash {
    PasswordHash(rawValue: setting(salt: Self.plainSalt, rounds))
  }

  /// Makes the hash of a new password, with a salt of 96 random bits.
  ///
  /// - Parameter password: The password, of 1 to ``limit`` bytes; canonically equivalent texts are
  ///   equal.
  /// - Returns: The hash in the form of crypt: scheme, rounds, salt and digest.
  /// - Throws: ``PasswordError`` if the password is empty, is too long or contains a null
  ///   character, or if the system does not support the scheme.
  public func hash(_ password: String) throws(PasswordError) -> PasswordHash {
    let password = password.precomposedStringWithCanonicalMapping
    guard !password.isEmpty else { throw .empty }
    guard !password.utf8.contains(0) else { throw .nullCharacter }
    guard password.utf8.count <= Self.limit else { throw .tooLong(limit: Self.limit) }
    // `Int.random` uses the system's generator, which is cryptographically secure.
    let salt = String((0..<16).map { _ in Self.letters[Int.random(in: 0..<64)] })
    guard let hash = digest(password, setting(salt: salt, rounds)) else {
      throw .unsupportedScheme(SystemCrypt.scheme)
    }
    return PasswordHash(rawValue: hash)
  }

  /// Whether the hash was made from that password. The comparison of two digests of equal length
  /// takes the same time, whichever of their bytes differ.
  ///
  /// - Parameters:
  ///   - password: The guess; canonically equivalent texts are equal.
  ///   - hash: The hash, of any scheme that the system knows.
  public func verify(_ password: String, against hash: PasswordHash) -> Bool {
    let password = password.precomposedStringWithCanonicalMapping
    guard !password.utf8.contains(0), password.utf8.count <= Self.limit else { return false }
    let found = digest(password, hash.rawValue)
    // A second run makes up for the rounds that the first one lacked, so that each check costs at
    // least the rounds of a new hash plus `validRounds.lowerBound`. The bound is added because the
    // system allows no run of fewer rounds: a smaller lack could not be made up for.
    let missing = rounds + Self.validRounds.lowerBound - (found == nil ? 0 : Self.rounds(of: hash))
    _ = digest(password, setting(salt: Self.plainSalt, max(missing, Self.validRounds.lowerBound)))
    return found.map { Self.isEqual($0.utf8, hash.rawValue.utf8) } ?? false
  }

  /// Whether the hash has another scheme than new hashes, or fewer rounds.
  ///
  /// - Parameter hash: The stored hash.
  public func isWeak(_ hash: PasswordHash) -> Bool {
    !hash.rawValue.hasPrefix("$\(SystemCrypt.scheme)$") || Self.rounds(of: hash) < rounds
  }

  /// The number of rounds of a hash of SHA-2 crypt or of the system's scheme; zero if the scheme is
  /// another one or the number cannot be read.
  package static func rounds(of hash: PasswordHash) -> Int {
    let parts = hash.rawValue.split(separator: "$", omittingEmptySubsequences: false)
    guard parts.count > 2, ["5", "6", SystemCrypt.scheme].contains(String(parts[1])) else {
      return 0
    }
    guard parts[2].hasPrefix("rounds=") else { return 5_000 }  // the scheme's default
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
