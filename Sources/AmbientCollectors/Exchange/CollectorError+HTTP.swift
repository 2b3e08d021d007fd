// SPDX-License-Identifier: Apache-2.0

/// The errors of an HTTP client that cannot be created.
extension CollectorError {
  /// The error of a system that has no libcurl under any of these names.
  package static func noLibrary(names: [String]) -> Self {
    Self(
      .noHTTP,
      """
      cannot use HTTP, because this system has no libcurl (\(names.joined(separator: ", "))): \
      install libcurl4 on Debian and Ubuntu, or libcurl on Fedora and Alpine. A fully static \
      program cannot load it.
      """)
  }

  /// The error of a libcurl that is too old.
  package static func unusable(version: String) -> Self {
    Self(.noHTTP, "cannot use libcurl \(version): install version 7.54 or later")
  }

  /// The error of a libcurl that does not start.
  package static func notStarted(version: String) -> Self {
    Self(
      .noHTTP,
      """
      libcurl \(version) failed to start: check that the curl command works on this system, and \
      that memory is left
      """)
  }

  /// The error of a program that runs with more rights than its caller.
  package static var privileged: Self {
    Self(
      .noHTTP,
      """
      a setuid or setgid program cannot use HTTP, because the user who runs it could control libcurl \
      by environment variables, such as those of proxies; send from another program
      """)
  }

  /// The error of a file of certificates, or of a key, that cannot be read.
  package static func unreadable(path: String) -> Self {
    Self(.certificate, "cannot read “\(path)”: pass a PEM file that this user may read")
  }

  /// The error of a client's certificate whose key is encrypted.
  package static func encryptedKey(path: String) -> Self {
    Self(
      .certificate,
      """
      the key in “\(path)” needs a password: pass a key without one, such as the output of \
      `openssl pkey`, in a file that only this user may read
      """)
  }

  /// The error of Apple's systems, which support no files of certificates.
  package static var filesUnsupported: Self {
    Self(
      .certificate,
      "this system does not support certificate files: add the certificates to its keychain")
  }
}
