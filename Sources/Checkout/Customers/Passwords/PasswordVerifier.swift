/// Hashes passwords and checks them.
public protocol PasswordVerifier: Sendable {
  /// A hash that no password fits, and that takes as long to check as one made now.
  var decoy: PasswordHash { get }

  /// Makes the hash to keep of a new password; two of one password differ.
  func hash(_ password: String) throws(PasswordError) -> PasswordHash

  /// Whether it is the hash of that password.
  func verify(_ password: String, against hash: PasswordHash) -> Bool
}
