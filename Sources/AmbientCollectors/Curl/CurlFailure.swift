// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// A failed exchange, as libcurl reports it.
package struct CurlFailure {
  /// The result codes of late exchanges: CURLE_OPERATION_TIMEDOUT, and CURLE_ABORTED_BY_CALLBACK,
  /// which libcurl returns when the progress callback ends a late exchange.
  package static let late: Set<CInt> = [28, 42]
  /// The reason if the header of the answer does not end.
  package static var longHeader: String { "the answer's header has more than 64 KiB" }

  /// The result code of libcurl.
  let code: CInt
  /// The error text of libcurl, which may quote URLs and host names.
  let words: String
  /// The status of a proxy's answer to CONNECT; 0 for none.
  let proxyStatus: Int
  /// The `errno` of the system call that failed; 0 for none.
  let systemError: Int
  /// The result of the check of a proxy's certificate; 0 for none, or for a certificate that is
  /// trusted.
  let proxyVerdict: Int
  /// Whether any byte was sent, to a proxy or the server.
  let hasSent: Bool
  /// Whether any byte of the request may have been sent to the server.
  let isSending: Bool
  /// Whether any byte of an answer was received.
  let hasBegun: Bool
  /// The scheme of the request's URL; nil if the URL has none.
  let scheme: String?
  /// The host of the request's URL.
  let host: String

  package init(
    code: CInt, words: String = "", proxyStatus: Int = 0, systemError: Int = 0,
    proxyVerdict: Int = 0, hasSent: Bool = true, isSending: Bool = true, hasBegun: Bool = false,
    url: URL? = URL(string: "https://server.example/")
  ) {
    self.code = code
    self.words = words
    self.proxyStatus = proxyStatus
    self.systemError = systemError
    self.proxyVerdict = proxyVerdict
    self.hasSent = hasSent
    self.isSending = isSending
    self.hasBegun = hasBegun
    scheme = url?.scheme
    host = url?.host()?.lowercased() ?? ""
  }

  /// The peer of the connection whose TLS failed.
  private var peer: String {
    // An answer to CONNECT is missing, or libcurl names another host than the URL's.
    let hasNoTunnel = hasSent && !isSending && proxyStatus == 0
    let mark = "host name '"
    let isOther = words.lowercased().contains(mark) && !words.lowercased().contains(mark + host)
    return proxyVerdict != 0 || scheme == "http" || hasNoTunnel || isOther ? "proxy" : "server"
  }

  /// The number of the TLS alert that ended the connection; nil if libcurl does not name it.
  ///
  /// OpenSSL and its relatives have the error code 1000 + n for the alert n, in the last digits of
  /// a hexadecimal number: `error:0A00045C:SSL routines::tlsv13 alert certificate required`. GnuTLS
  /// names no alert.
  package var alert: Int? {
    guard words.lowercased().contains("alert"), let place = words.range(of: "error:"),
      let code = Int(words[place.upperBound...].prefix { $0.isHexDigit }, radix: 16)
    else { return nil }
    let number = code % 4_096 - 1_000
    return (0..<256).contains(number) ? number : nil
  }

  /// Whether the peer has refused the client's certificate, or its absence, by an alert. In TLS
  /// 1.3, the alert comes after the request was sent, and before the server has read the request.
  ///
  /// Alerts: RFC 8446, 6.
  package var isRefusal: Bool {
    guard let alert else { return false }
    let isOfCertificate = [42, 43, 44, 45, 46, 48, 49, 116].contains(alert)
    switch code {
    case 35: return isOfCertificate
    // After the handshake, also handshake_failure and decrypt_error can mean nothing else.
    case 55, 56: return isOfCertificate || [40, 51].contains(alert)
    default: return false
    }
  }

  /// The reason as one of a few fixed texts, and whether libcurl's text adds detail to it. Nil if
  /// the code is unknown.
  ///
  /// Codes: https://curl.se/libcurl/c/libcurl-errors.html
  package var reason: (text: String, isDetailed: Bool)? {
    switch code {
    case 3: (TransportError.unusableAddress, false)
    case 5: ("the proxy's host name cannot be resolved", false)
    case 6: (TransportError.unknownHost, false)
    case 7 where systemError == ECONNREFUSED: (TransportError.refused, false)
    case 7 where systemError == EMFILE:
      ("the process has too many open files; raise its limit (ulimit -n)", false)
    case 7 where systemError == ENFILE: ("the system has too many open files", false)
    case 7: ("the server cannot be reached", true)
    // libcurl reports an endless header line as 27, out of memory; later versions report it as 100.
    case 27 where hasSent, 100: (Self.longHeader, false)
    case 27: (TransportError.noMemory, false)
    case _ where Self.late.contains(code): (TransportError.timedOut, false)
    case 1 where !hasSent: ("this system's libcurl does not support \(scheme ?? "it")", false)
    // These codes mean that the answer does not begin like an HTTP answer.
    case 1, 8, 43: (TransportError.noHTTP(scheme: scheme).reason, false)
    case 98: (TransportError.certificateWanted(by: peer), false)
    case _ where isRefusal && alert == 116: (TransportError.certificateWanted(by: peer), false)
    case _ where isRefusal: (TransportError.certificateRefused(by: peer), true)
    // GnuTLS reads the certificate of the client within the handshake.
    case 35 where words.hasPrefix("error reading X.509"), 58:
      ("the client certificate or its key cannot be used", true)
    case 35: (TransportError.noTLS, true)
    case 51, 60, 83, 90, 91: (TransportError.untrusted(peer), true)
    case 77: ("the authorities' certificates cannot be read", true)
    case 52: (TransportError.unanswered, false)
    case 56 where proxyStatus >= 300, 97 where proxyStatus >= 300:
      ("the proxy answered with status \(proxyStatus)", false)
    case 97: ("the proxy cannot be used", true)
    case 0 where !hasBegun: (TransportError.unanswered, false)
    // libcurl uses code 56 for lost connections and for malformed chunks. Only its text shows which
    // of the two happened.
    case 56 where hasBegun && systemError == 0 && !isOfConnection: (TransportError.malformed, true)
    case 0, 16, 18, 55, 92, 56: (TransportError.lost, false)
    case 61: (TransportError.undecodable, false)
    default: nil
    }
  }

  private var isOfConnection: Bool {
    ["Recv", "recv", "SSL", "TLS", "reset"].contains { words.contains($0) }
  }
}
