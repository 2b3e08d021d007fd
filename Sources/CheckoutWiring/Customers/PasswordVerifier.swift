// SPDX-License-Identifier: Apache-2.0

public import Ambient

/// A verifier of passwords, which also makes the hashes of new passwords.
///
/// Texts that are canonically equivalent in Unicode, for example é as one scalar and as two, are
/// the same password.
public protocol PasswordVerifier: Sendable {
  /// A hash that no password matches, and that takes as long to check as a new hash.
  var decoy: PasswordHash { get }

  /// Makes the hash of a new password. Two calls with the same password return different hashes.
  ///
  /// - Parameter password: The password as it was typed.
  /// - Returns: The hash, which contains all that is needed to check a guess.
  /// - Throws: ``PasswordError`` if the password cannot be hashed, or if the system does not
  ///   support the scheme.
  func hash(_ password: String) throws(PasswordError) -> PasswordHash

  /// Whether the hash was made from that password. A check should take the same amount of work for
  /// every hash; otherwise the duration of the check would show whether a customer exists.
  ///
  /// - Parameters:
  ///   - password: The guess as it was typed.
  ///   - hash: The stored hash, or ``decoy`` if there is none.
  func verify(_ password: String, against hash: PasswordHash) -> Bool

  /// Whether a hash made now would be stronger than the stored one.
  ///
  /// - Parameter hash: The stored hash of a password that was just verified.
  func isWeak(_ hash: PasswordHash) -> Bool
}

/// The stored form of a password: its scheme, its salt and its digest, as one text.
///
/// Its descriptions hide the content, so that a hash does not get into a log by mistake.
public struct PasswordHash: RawRepresentable, Hashable, Sendable, Codable {
  /// The text, such as `$6$rounds=100000$salt$digest`.
  public let rawValue: String

  /// Creates a hash from its stored text.
  ///
  /// - Parameter rawValue: The text, as a verifier made it; any other text matches no password.
  public init(rawValue: String) { self.rawValue = rawValue }
}

extension PasswordHash: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// A fixed text, without the content.
  public var description: String { "PasswordHash(hidden)" }

  /// A fixed text, without the content.
  public var debugDescription: String { description }

  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// The error of a password that cannot be used.
public enum PasswordError: DescribedError, Hashable {
  /// The password is empty.
  case empty
  /// The password has more bytes of UTF-8 than the limit.
  case tooLong(limit: Int)
  /// The password contains the character U+0000.
  case nullCharacter
  /// The system does not support the scheme.
  case unsupportedScheme(String)

  /// The fault, and advice.
  public var description: String {
    switch self {
    case .empty: "the password is empty; choose one"
    case .tooLong(let limit): "the password is longer than \(limit) bytes; choose a shorter one"
    case .nullCharacter: "the password contains a null character; choose one without"
    case .unsupportedScheme(let scheme):
      "this system does not support the password scheme \(scheme); use another verifier"
    }
  }
}
