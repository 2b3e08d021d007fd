/// The certificate by which servers know an ``HTTPClient`` (mutual TLS); not on Apple's systems.
public struct ClientCertificate: Hashable, Sendable {
  /// The path of the file of the certificate, and of those of its intermediate authorities (PEM).
  public var path: String
  /// The path of the file of the certificate's key (PEM, without a password).
  public var key: String

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
