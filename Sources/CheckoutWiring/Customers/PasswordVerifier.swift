public import Ambient

/// Hashes passwords and checks them.
///
/// Texts that are canonically equivalent in Unicode, as an é of one character and of two, are one
/// password.
public protocol PasswordVerifier: Sendable {
  /// A hash that no password fits, and that takes as long to check as one made now.
  var decoy: PasswordHash { get }

  /// Makes the hash to keep of a new password; two of one password differ.
  ///
  /// - Parameter password: The password as it was typed.
  /// - Returns: The hash, with all that is needed to check a guess against it.
  /// - Throws: ``PasswordError`` for a password that cannot be hashed, or without the system's
  ///   scheme.
  func hash(_ password: String) throws(PasswordError) -> PasswordHash

  /// Whether it is the hash of that password, found out by work that does not depend on the hash.
  ///
  /// - Parameters:
  ///   - password: The guess as it was typed.
  ///   - hash: The hash that is kept, or ``decoy`` where there is none.
  func verify(_ password: String, against hash: PasswordHash) -> Bool

  /// Whether a hash made now would be stronger.
  ///
  /// - Parameter hash: The hash that is kept, of a password that was just found right.
  func isWeak(_ hash: PasswordHash) -> Bool
}

/// The stored form of a password: its scheme, its salt and its digest, as one text.
///
/// It describes itself without its content, so that it does not end up in a log by mistake.
public struct PasswordHash: RawRepresentable, Hashable, Sendable, Codable {
  /// The text, as `$6$rounds=100000$salt$digest`.
  public let rawValue: String

  /// The hash that is kept as that text.
  ///
  /// - Parameter rawValue: The text, as a verifier made it; another one fits no password.
  public init(rawValue: String) { self.rawValue = rawValue }
}

extension PasswordHash: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The same for each hash.
  public var description: String { "PasswordHash(hidden)" }

  /// The same for each hash.
  public var debugDescription: String { description }

  /// Shows nothing.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// Why a password cannot be used.
public enum PasswordError: DescribedError, Hashable {
  /// It is empty.
  case empty
  /// It has more bytes of UTF-8 than the limit.
  case tooLong(limit: Int)
  /// It holds the character of value zero.
  case nullCharacter
  /// The system does not know the scheme.
  case unsupportedScheme(String)

  /// The fault, and advice.
  public var description: String {
    switch self {
    case .empty: "the password is empty; choose one"
    case .tooLong(let limit): "the password is longer than \(limit) bytes; choose a shorter one"
    case .nullCharacter: "the password holds a null character; choose one without"
    case .unsupportedScheme(let scheme):
      "this system cannot hash passwords by the scheme \(scheme); give another verifier"
    }
  }
}
