internal import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// Why there is no answer, and what is known of the request.
public struct TransportError: Error, Hashable, CustomStringConvertible {
  /// What may have become of the request.
  public enum Outcome: Hashable, Sendable {
    /// It never reached the server.
    case unsent
    /// Nobody knows: the server may have done what was asked.
    case unknown
  }

  /// What may have become of the request.
  public let outcome: Outcome
  /// Why, as “the connection was refused”: of few kinds, since troubles are told apart by it.
  public let reason: String
  /// What else is known, as the system's own words; empty for nothing.
  public let detail: String

  /// An error.
  public init(_ outcome: Outcome, _ reason: String, detail: String = "") {
    self.outcome = outcome
    self.reason = reason
    self.detail = detail
  }

  /// Why, and what else is known.
  public var description: String { detail.isEmpty ? reason : "\(reason) (\(detail))" }
}

extension TransportError {
  /// What came is no HTTP: as what a server that speaks TLS says to a request without it.
  static func noHTTP(scheme: String?) -> Self {
    let advice = scheme == "http" ? "; see whether the server speaks https" : ""
    return Self(.unknown, "what was answered is no HTTP\(advice)")
  }

  /// Says why in our own words, which are of few kinds; the description of an error of the system
  /// has the whole address, with its secrets.
  package init(_ error: any Error, scheme: String?) {
    guard let error = error as? URLError else {
      self.init(.unknown, "the network failed: \(type(of: error))")
      return
    }
    switch error.code {
    case .badURL: self.init(.unsent, "the system cannot use such an address")
    case .cannotFindHost, .dnsLookupFailed: self.init(.unsent, "the host's name is not known")
    case .cannotConnectToHost: self.init(.unsent, "the connection was refused")
    case .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff:
      self.init(.unsent, "there is no network")
    case .appTransportSecurityRequiresSecureConnection:
      self.init(.unsent, "the system allows nothing but https")
    case .serverCertificateUntrusted, .serverCertificateHasBadDate, .serverCertificateNotYetValid,
      .serverCertificateHasUnknownRoot:
      self.init(.unsent, Self.untrusted)
    case .clientCertificateRejected, .clientCertificateRequired:
      self.init(.unsent, "the server wants a certificate of the client, which cannot be given here")
    case .secureConnectionFailed: self = .noTLS
    case .networkConnectionLost: self = .lost
    case .timedOut: self.init(.unknown, "the network took too long")
    case .cancelled: self.init(.unknown, "the exchange was given up")
    // What curl says of it.
    case .badServerResponse where error.localizedDescription.contains("Empty reply"):
      self.init(.unknown, "the connection ended without an answer")
    // On Linux an answer that does not begin as one of HTTP is told as an address of another kind;
    // addresses of collectors are looked at before.
    case .badServerResponse, .cannotParseResponse, .unsupportedURL: self = .noHTTP(scheme: scheme)
    case .cannotDecodeRawData, .cannotDecodeContentData: self = .undecodable
    default: self = Self(words: error) ?? .other(error)
    }
  }

  private static var untrusted: String { "the server's certificate is not trusted" }
  private static var noTLS: Self {
    Self(.unsent, "the TLS handshake failed; see whether the server speaks plain http")
  }
  private static var lost: Self { Self(.unknown, "the connection was lost") }
  private static var undecodable: Self { Self(.unknown, "the answer cannot be decoded") }

  /// What curl's words mean, by which Foundation on Linux tells what it has no code for; nil for
  /// others.
  private init?(words error: URLError) {
    let kinds: [(words: [String], error: Self)] = [
      // Before what is of a handshake: these come after one.
      (["SSL_read", "SSL_write", "transfer closed", "Recv failure", "Send failure"], .lost),
      (["certificate"], Self(.unsent, Self.untrusted, detail: error.words)),
      (["SSL_connect", "TLS connect error", "handshake", "wrong version number"], .noTLS),
      // Not known to be of a handshake, so the request may have arrived.
      (["SSL", "TLS"], Self(.unknown, Self.lost.reason, detail: error.words)),
      (["encoding"], .undecodable),
    ]
    let text = error.localizedDescription
    guard let kind = kinds.first(where: { $0.words.contains(where: text.contains) }) else {
      return nil
    }
    self = kind.error
  }

  /// By its number, and the system's own words.
  private static func other(_ error: URLError) -> Self {
    Self(.unknown, "the network failed (URLError \(error.code.rawValue))", detail: error.words)
  }
}

extension URLError {
  /// What the system says of it, in one line, up to where it may quote an address: a proxy's may
  /// have a password, which is no secret that is known here.
  fileprivate var words: String {
    let all = localizedDescription.split(whereSeparator: \.isWhitespace)
    let plain = all.prefix { word in !["'", "\"", "://", "@"].contains(where: word.contains) }
    let text = String(plain.joined(separator: " ").prefix(120))
    return plain.count < all.count ? "\(text) …" : text
  }
}
