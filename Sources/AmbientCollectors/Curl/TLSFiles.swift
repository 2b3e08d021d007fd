// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
  /// The paths of the files that TLS uses in place of the system's, in PEM.
  package struct TLSFiles: Sendable {
    /// The file of the trusted certificates; nil for those of the system.
    package var trustRoots: String?
    /// The certificate of the client; nil for none.
    package var certificate: ClientCertificate?

    package init(trustRoots: String? = nil, certificate: ClientCertificate? = nil) {
      self.trustRoots = trustRoots
      self.certificate = certificate
    }
  }
#endif
