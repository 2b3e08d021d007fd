// SPDX-License-Identifier: Apache-2.0

/// The errors of an HTTP client that cannot be created.
extension CollectorError {
  /// The error of a system that has no libcurl under any of these names.
  package static func noLibrary(names: [String]) -> Self {
    Self(
      .noHTTP,
      """
      there is no libcurl on this system, by which HTTP is spoken (\(names.joined(separator: ", "))): \
      install it (libcurl4 in Debian and Ubuntu, libcurl in Fedora and Alpine); a fully static \
      program can load none
      """)
  }

  /// The error of a libcurl that is too old.
  package static func unusable(version: String) -> Self {
    Self(.noHTTP, "libcurl \(version) cannot be used: install version 7.54 or a later one")
  }

  /// The error of a libcurl that does not start.
  package static func notStarted(version: String) -> Self {
    Self(
      .noHTTP,
      """
      libcurl \(version) does not start: see whether the curl command works on this system, and \
      whether memory is left
      """)
  }

  /// The error of a program that runs with more rights than its caller.
  package static var privileged: Self {
    Self(
      .noHTTP,
      """
      a program that runs with rights of its file's (setuid, setgid) speaks no HTTP: libcurl would \
      obey its caller's environment, proxies and the file of TLS keys included; send from another \
      program
      """)
  }

  /// The error of a file of certificates, or of a key, that cannot be read.
  package static func unreadable(path: String) -> Self {
    Self(.certificate, "cannot read “\(path)”: give a file in PEM that this user may read")
  }

  /// The error of a client's certificate whose key is encrypted.
  package static func encryptedKey(path: String) -> Self {
    Self(
      .certificate,
      """
      the key in “\(path)” needs a password: give a key without one, as `openssl pkey` writes it, in \
      a file that only this user may read
      """)
  }

  /// The error of Apple's systems, which support no files of certificates.
  package static var filesUnsupported: Self {
    Self(
      .certificate,
      "files of certificates are not supported on this system: add them to its keychain")
  }
}
