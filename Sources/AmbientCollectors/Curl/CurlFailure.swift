internal import Foundation

/// A failed exchange, as libcurl reports it.
package struct CurlFailure {
  /// The result codes of late exchanges: CURLE_OPERATION_TIMEDOUT, and CURLE_ABORTED_BY_CALLBACK,
  /// which libcurl returns when the progress callback ends a late exchange.
  package static let late: Set<CInt> = [28, 42]

  /// The result code of libcurl.
  let code: CInt
  /// The error text of libcurl, which may quote URLs and host names.
  let words: String
  /// The status of a proxy's answer to CONNECT; 0 for none.
  let proxyStatus: Int
  /// The `errno` of the system call that failed; 0 for none.
  let systemError: Int
  /// Whether any byte was sent, to a proxy or the server.
  let hasSent: Bool
  /// Whether any byte of an answer was received.
  let hasBegun: Bool
  /// The scheme of the request's URL; nil if the URL has none.
  let scheme: String?

  package init(
    code: CInt, words: String = "", proxyStatus: Int = 0, systemError: Int = 0,
    hasSent: Bool = true, hasBegun: Bool = false, scheme: String? = "https"
  ) {
    self.code = code
    self.words = words
    self.proxyStatus = proxyStatus
    self.systemError = systemError
    self.hasSent = hasSent
    self.hasBegun = hasBegun
    self.scheme = scheme
  }

  /// The reason as one of a few fixed texts, and whether libcurl's text adds detail to it. Nil if
  /// the code is unknown.
  ///
  /// Codes: https://curl.se/libcurl/c/libcurl-errors.html
  package var reason: (text: String, isDetailed: Bool)? {
    switch code {
    case 3: ("the system cannot use such an address", false)
    case 5: ("the proxy's name is not known", false)
    case 6: ("the host's name is not known", false)
    case 7 where systemError == ECONNREFUSED: ("the connection was refused", false)
    case 7: ("the server cannot be reached", true)
    // libcurl reports an endless header line as 27, out of memory; later versions report it as 100.
    case 27 where hasSent, 100: (TransportError.longHeader, false)
    case 27: ("there is no memory for it", false)
    case _ where Self.late.contains(code): ("the network took too long", false)
    case 1 where !hasSent: ("this system's libcurl does not speak \(scheme ?? "it")", false)
    // These codes mean that the answer does not begin like an HTTP answer.
    case 1, 8, 43: (TransportError.noHTTP(scheme: scheme).reason, false)
    case 35: (TransportError.noTLS, false)
    case 51, 60, 83, 90: (TransportError.untrusted, true)
    case 77: ("the certificates of the authorities cannot be read", true)
    case 98: ("the server wants a certificate of the client, which cannot be given here", false)
    case 52: ("the connection ended without an answer", false)
    case 56 where proxyStatus >= 300, 97 where proxyStatus >= 300:
      ("the proxy answers with status \(proxyStatus)", false)
    case 97: ("the proxy cannot be used", true)
    case 0 where !hasBegun: ("the connection ended without an answer", false)
    // libcurl uses code 56 for lost connections and for malformed chunks. Only its text shows which
    // of the two happened.
    case 56 where hasBegun && systemError == 0 && !isOfConnection: ("the answer is garbled", true)
    case 0, 16, 18, 55, 92, 56: (TransportError.lost, false)
    case 61: (TransportError.undecodable, false)
    default: nil
    }
  }

  private var isOfConnection: Bool {
    ["Recv", "recv", "SSL", "TLS", "reset"].contains { words.contains($0) }
  }
}
