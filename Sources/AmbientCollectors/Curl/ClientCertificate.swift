// SPDX-License-Identifier: Apache-2.0

/// The certificate by which servers know a ``CollectorClient`` (mutual TLS).
///
/// The initializer of the client throws ``CollectorError`` if a file cannot be read, if the key
/// needs a password, and always on Apple's systems, which support no such files.
public struct ClientCertificate: Hashable, Sendable {
  /// The path of the file of the certificate, and of those of its intermediate authorities (PEM).
  package let path: String
  /// The path of the file of the certificate's key (PEM, without a password).
  package let key: String

  /// Creates a certificate from files, which are read again for each new connection.
  ///
  /// - Parameters:
  ///   - path: The path of the file of the certificate, and of those of its intermediate
  ///     authorities (PEM).
  ///   - key: The path of the file of the key (PEM, without a password); nil if the file at `path`
  ///     has the key, too.
  public init(path: String, key: String? = nil) {
    self.path = path
    self.key = key ?? path
  }
}
