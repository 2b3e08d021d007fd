// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin) || URLSESSION_ON_LINUX
  internal import Foundation

  #if canImport(FoundationNetworking)
    internal import AmbientCollectors
    internal import FoundationNetworking
  #endif

  extension TransportError {
    /// Makes an error with one of a few fixed reasons, because the system's error text has the
    /// whole address, with its secrets.
    init(_ error: any Error, scheme: String?) {
      guard let error = error as? URLError else {
        self.init(.unknown, "the network failed: \(type(of: error))")
        return
      }
      switch error.code {
      case .badURL: self.init(.unsent, Self.unusableAddress)
      case .cannotFindHost, .dnsLookupFailed: self.init(.unsent, Self.unknownHost)
      case .cannotConnectToHost: self.init(.unsent, Self.refused)
      case .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff:
        self.init(.unsent, "there is no network connection")
      case .appTransportSecurityRequiresSecureConnection:
        self.init(.unsent, "the system allows only https")
      case .serverCertificateUntrusted, .serverCertificateHasBadDate,
        .serverCertificateNotYetValid, .serverCertificateHasUnknownRoot:
        self.init(.unsent, Self.untrusted(takesFiles: false))
      case .clientCertificateRequired: self.init(.unsent, Self.certificateWanted())
      case .clientCertificateRejected: self.init(.unsent, Self.certificateRefused())
      case .secureConnectionFailed: self.init(.unsent, Self.noTLS)
      case .networkConnectionLost: self.init(.unknown, Self.lost)
      case .timedOut: self.init(.unknown, Self.timedOut)
      case .cancelled: self.init(.unknown, Self.cancelled)
      // Foundation on Linux has no code for an empty answer, only this text.
      case .badServerResponse where error.localizedDescription.contains("Empty reply"):
        self.init(.unknown, Self.unanswered)
      case .badServerResponse, .cannotParseResponse, .unsupportedURL:
        self = .noHTTP(scheme: scheme)
      case .cannotDecodeRawData, .cannotDecodeContentData: self.init(.unknown, Self.undecodable)
      default:
        self.init(
          .unknown, "the network failed (URLError \(error.code.rawValue))",
          detail: Self.words(error.localizedDescription))
      }
    }
  }
#endif
