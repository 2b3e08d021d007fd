public import Ambient

/// The reason why no HTTP client could be created.
public enum HTTPClientError: DescribedError, Hashable {
  /// The system has no libcurl under any of these names.
  case noLibrary(names: [String])
  /// The system's libcurl is too old.
  case unusable(version: String)
  /// The system's libcurl does not start.
  case notStarted(version: String)
  /// The program runs with more rights than its caller.
  case privileged
  /// The file of certificates, or of a key, cannot be read.
  case unreadable(path: String)
  /// The key of the client's certificate is encrypted.
  case encryptedKey(path: String)
  /// Files of certificates are not supported on Apple's systems.
  case filesUnsupported

  /// The fault, and advice.
  public var description: String {
    switch self {
    case .noLibrary(let names):
      """
      there is no libcurl on this system, by which HTTP is spoken (\(names.joined(separator: ", "))): \
      install it (libcurl4 in Debian and Ubuntu, libcurl in Fedora and Alpine); a fully static \
      program can load none
      """
    case .unusable(let version):
      "libcurl \(version) cannot be used: install version 7.54 or a later one"
    case .notStarted(let version):
      """
      libcurl \(version) does not start: see whether the curl command works on this system, and \
      whether memory is left
      """
    case .privileged:
      """
      a program that runs with rights of its file's (setuid, setgid) speaks no HTTP: libcurl would \
      obey its caller's environment, proxies and the file of TLS keys included; send from another \
      program
      """
    case .unreadable(let path):
      "cannot read “\(path)”: give a file in PEM that this user may read"
    case .encryptedKey(let path):
      """
      the key in “\(path)” needs a password: give a key without one, as `openssl pkey` writes it, in \
      a file that only this user may read
      """
    case .filesUnsupported:
      "files of certificates are not supported on this system: add them to its keychain"
    }
  }
}
