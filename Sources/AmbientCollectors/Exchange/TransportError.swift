// SPDX-License-Identifier: Apache-2.0

/// The reason for a missing answer, and whether the server may have received the request.
public struct TransportError: Error, Hashable, CustomStringConvertible {
  /// Whether the request may have reached the server.
  public enum Outcome: Hashable, Sendable {
    /// The server did not receive the whole request, and has not acted on it.
    case unsent
    /// The request may have reached the server, which may have acted on it.
    case unknown
  }

  /// Whether the request may have reached the server.
  public let outcome: Outcome
  /// The reason, such as “the connection was refused”.
  ///
  /// Failures are distinguished by this text, so it is one of a small set, apart from details such
  /// as a time limit, a status or an error code.
  public let reason: String
  /// More detail, such as the system's own words; may be empty.
  public let detail: String
  /// Whether the time limit was reached while the body of the request was still being sent.
  ///
  /// A shorter body may be sent in time. True only if ``outcome`` is `unsent`. URLSession does not
  /// report how much of a body was sent, so this is always false on Apple's systems.
  package var isLateWhileSending = false
  /// Whether the connection ended while the body of the request was still being sent.
  ///
  /// A server or a proxy may end the connection because the body is too long, or arrives too
  /// slowly. True only if ``outcome`` is `unsent`, and always false on Apple's systems.
  package var isCutWhileSending = false

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - outcome: Whether the request may have reached the server.
  ///   - reason: The reason: one of a small set of texts, by which failures are distinguished and
  ///     counted.
  ///   - detail: More detail, such as the system's own words; empty for none.
  public init(_ outcome: Outcome, _ reason: String, detail: String = "") {
    self.outcome = outcome
    self.reason = reason
    self.detail = detail
  }

  /// The reason, followed by the detail, if any, in parentheses.
  public var description: String { detail.isEmpty ? reason : "\(reason) (\(detail))" }
}

extension TransportError {
  /// Returns the error for an answer that is not HTTP, such as a TLS server's answer to a request
  /// without TLS.
  package static func noHTTP(scheme: String?) -> Self {
    let advice = scheme == "http" ? "; check whether the server requires https" : ""
    return Self(.unknown, "the answer is not HTTP\(advice)")
  }

  /// - Parameter takesFiles: Whether `CollectorClient` can be given trusted certificates on this
  ///   system.
  package static func untrusted(_ peer: String = "server", takesFiles: Bool = true) -> String {
    let advice =
      takesFiles
      ? "pass CollectorClient(trustRoots:) as the transport"
      : "add its certificate to the keychain"
    return """
      the \(peer)'s certificate is not trusted; if you use your own certificate authority, \(advice)
      """
  }
  package static func certificateWanted(by peer: String = "server") -> String {
    "the \(peer) requires a client certificate"
  }
  package static func certificateRefused(by peer: String = "server") -> String {
    "the \(peer) rejected the client certificate, or requires one"
  }
  package static var noTLS: String {
    "the TLS handshake failed; check whether the server uses plain http"
  }
  package static var lost: String { "the connection was lost" }
  package static var refused: String { "the connection was refused" }
  package static var unanswered: String { "the connection ended without an answer" }
  package static var timedOut: String { "the connection timed out" }
  package static var cancelled: String { "the exchange was cancelled" }
  package static var unknownHost: String { "the host name cannot be resolved" }
  package static var unusableAddress: String { "the system cannot use this address" }
  package static var malformed: String { "the answer is malformed" }
  package static var noMemory: String { "out of memory" }
  package static var undecodable: String { "the answer cannot be decoded" }

  /// Returns the system's error text, in one line of at most 256 characters, with “…” in place of
  /// what it quotes and of ports.
  ///
  /// The text ends with the first of these if it has an address: a proxy's address may contain a
  /// password, which cannot be hidden because it is not among the known secrets.
  package static func words(_ text: String) -> String {
    let marks = ["://", "@"]
    let hasAddress = marks.contains(where: text.contains)
    var shown: [Substring] = []
    var quote: Character?
    for word in text.split(whereSeparator: \.isWhitespace) {
      if let open = quote {
        if word.dropLast().hasSuffix("\(open)") || word.hasSuffix("\(open)") { quote = nil }
        continue
      }
      let start = word.firstIndex { $0 == "\"" || $0 == "'" }
      let isApostrophe = word.hasSuffix("n't")
      let port = word.split(separator: ":", omittingEmptySubsequences: false).last ?? ""
      let isPlace = word.contains(":") && !port.isEmpty && port.allSatisfy(\.isNumber)
      guard start != nil && !isApostrophe || isPlace || marks.contains(where: word.contains) else {
        shown.append(word)
        continue
      }
      shown.append("…")
      if hasAddress { break }
      if let start, !isApostrophe {
        let rest = word[word.index(after: start)...]
        if !rest.contains(word[start]) { quote = word[start] }
      }
    }
    return String(shown.joined(separator: " ").prefix(256))
  }
}
