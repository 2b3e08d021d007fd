public import Ambient

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

  /// Says what is wrong and what to do.
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
