#if !canImport(Darwin)
  /// The paths of the files that TLS uses in place of the system's, in PEM.
  package struct TLSFiles: Sendable {
    /// The file of the trusted authorities; nil for those of the system.
    package var authorities: String?
    /// The certificate of the client; nil for none.
    package var certificate: ClientCertificate?

    package init(authorities: String? = nil, certificate: ClientCertificate? = nil) {
      self.authorities = authorities
      self.certificate = certificate
    }
  }
#endif
