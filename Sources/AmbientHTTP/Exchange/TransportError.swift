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
  package static func noHTTP(scheme: String?) -> Self {
    let advice = scheme == "http" ? "; see whether the server speaks https" : ""
    return Self(.unknown, "what was answered is no HTTP\(advice)")
  }

  package static var untrusted: String { "the server's certificate is not trusted" }
  package static var noTLS: String {
    "the TLS handshake failed; see whether the server speaks plain http"
  }
  package static var lost: String { "the connection was lost" }
  package static var longHeader: String { "the header of the answer has more than 64 KiB" }
  package static var undecodable: String { "the answer cannot be decoded" }

  /// What the system says of an error, in one line, up to where it may quote an address: a proxy's
  /// may have a password, which is no secret that is known here.
  package static func words(_ text: String) -> String {
    let all = text.split(whereSeparator: \.isWhitespace)
    let plain = all.prefix { word in !["'", "\"", "://", "@"].contains(where: word.contains) }
    let shown = String(plain.joined(separator: " ").prefix(120))
    return plain.count < all.count ? "\(shown) …" : shown
  }
}
