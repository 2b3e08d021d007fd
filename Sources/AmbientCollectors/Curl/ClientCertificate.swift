// SPDX-License-Identifier: Apache-2.0

/// The certificate by which servers know a ``CollectorClient`` (mutual TLS).
///
/// A client on Apple's systems supports none: its initializer throws ``CollectorError``.
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
