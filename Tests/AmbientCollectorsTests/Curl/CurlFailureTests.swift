// SPDX-License-Identifier: Apache-2.0

import AmbientCollectors
import Foundation
import Testing

@Suite struct `Reasons of libcurl failures` {
  @Test(arguments: [
    (CurlFailure(code: 6), TransportError.unknownHost),
    (CurlFailure(code: 5), "the proxy's"),
    (CurlFailure(code: 7, systemError: 111), TransportError.refused),
    (CurlFailure(code: 7, systemError: 113), "server"),
    (
      CurlFailure(code: 7, systemError: 24),
      "ulimit -n"
    ),
    (CurlFailure(code: 7, systemError: 23), "system"),
    (
      CurlFailure(code: 1, url: URL(string: "http://server.example/")),
      TransportError.noHTTP(scheme: "http").reason
    ),
    (CurlFailure(code: 1, hasSent: false), "https"),
    (CurlFailure(code: 27, hasSent: false), TransportError.noMemory),
    (CurlFailure(code: 27), CurlFailure.longHeader),
    (CurlFailure(code: 100), CurlFailure.longHeader),
    (CurlFailure(code: 28), TransportError.timedOut),
    (CurlFailure(code: 42), TransportError.timedOut),
    (CurlFailure(code: 8), TransportError.noHTTP(scheme: "https").reason),
    (CurlFailure(code: 43), TransportError.noHTTP(scheme: "https").reason),
    (CurlFailure(code: 35), TransportError.noTLS),
    (CurlFailure(code: 60), TransportError.untrusted()),
    (CurlFailure(code: 91), TransportError.untrusted()),
    (CurlFailure(code: 58), "client certificate"),
    (
      CurlFailure(code: 35, words: "error reading X.509 key or certificate file"),
      "client certificate"
    ),
    (CurlFailure(code: 77), "certificates"),
    (CurlFailure(code: 52), TransportError.unanswered),
    (CurlFailure(code: 0), TransportError.unanswered),
    (CurlFailure(code: 0, hasBegun: true), TransportError.lost),
    (CurlFailure(code: 18, hasBegun: true), TransportError.lost),
    (
      CurlFailure(code: 56, words: "Recv failure: Connection reset by peer", hasBegun: true),
      TransportError.lost
    ),
    (
      CurlFailure(code: 56, words: "OpenSSL SSL_read: error", hasBegun: true),
      TransportError.lost
    ),
    (
      CurlFailure(code: 56, words: "Malformed encoding found in chunked-encoding", hasBegun: true),
      TransportError.malformed
    ),
    (
      CurlFailure(code: 56, words: "Malformed encoding", systemError: 104, hasBegun: true),
      TransportError.lost
    ),
    (CurlFailure(code: 56, words: "recv failed", hasBegun: true), TransportError.lost),
    (CurlFailure(code: 56, words: "a TLS record", hasBegun: true), TransportError.lost),
    (CurlFailure(code: 56, words: "it was reset", hasBegun: true), TransportError.lost),
    (CurlFailure(code: 56), TransportError.lost),
    (CurlFailure(code: 16), TransportError.lost),
    (CurlFailure(code: 55), TransportError.lost),
    (CurlFailure(code: 92), TransportError.lost),
    (CurlFailure(code: 56, proxyStatus: 407), "407"),
    (CurlFailure(code: 56, proxyStatus: 300), "300"),
    (CurlFailure(code: 56, proxyStatus: 299), TransportError.lost),
    (CurlFailure(code: 97, proxyStatus: 300), "300"),
    (CurlFailure(code: 97, proxyStatus: 299), "proxy"),
    (CurlFailure(code: 3), TransportError.unusableAddress),
    (CurlFailure(code: 51), TransportError.untrusted()),
    (CurlFailure(code: 83), TransportError.untrusted()),
    (CurlFailure(code: 90), TransportError.untrusted()),
    (
      CurlFailure(code: 98),
      TransportError.certificateWanted()
    ),
    (
      CurlFailure(code: 1, hasSent: false, url: nil),
      "libcurl"
    ),
    (CurlFailure(code: 61), TransportError.undecodable), (CurlFailure(code: 9_999), nil),
  ])
  func `CurlFailure gives each known libcurl error code a reason in Ambient's own words`(
    failure: CurlFailure, part: String?
  ) {
    let reason = failure.reason?.text
    #expect(part.map { reason?.contains($0) == true } ?? (reason == nil), "\(reason ?? "none")")
  }

  @Test(arguments: [
    (CurlFailure(code: 60, proxyVerdict: 1), "proxy"),
    (CurlFailure(code: 60, url: URL(string: "http://server.example/")), "proxy"),
    (CurlFailure(code: 98, isSending: false), "proxy"),
    (CurlFailure(code: 98, proxyStatus: 200, isSending: false), "server"),
    (CurlFailure(code: 60, hasSent: false, isSending: false), "server"),
    (
      CurlFailure(code: 60, words: "no match for target host name 'proxy.example'", hasSent: false),
      "proxy"
    ),
    (CurlFailure(code: 60, words: "no match for target host name 'Server.example'"), "server"),
    (
      CurlFailure(
        code: 60, words: "no match for target host name '::1'", hasSent: false,
        url: URL(string: "https://[::1]/")),
      "server"
    ),
  ])
  func `the reason of a certificate failure names the peer at fault, the server or the proxy`(
    failure: CurlFailure, peer: String
  ) {
    #expect(failure.reason?.text.hasPrefix("the \(peer)") == true, "\(failure)")
  }

  /// Error texts of OpenSSL 1.1, 3.0 and 3.2, LibreSSL and BoringSSL.
  @Test(
    arguments: [
      (
        "OpenSSL SSL_read: error:14094412:SSL routines:ssl3_read_bytes:sslv3 alert bad certificate",
        42
      ),
      (
        "OpenSSL SSL_read: OpenSSL/3.0.19: error:0A00045C:SSL routines::tlsv13 alert certificate required, errno 0",
        116
      ),
      (
        "OpenSSL SSL_read: error:0A000415:SSL routines::ssl/tls alert certificate expired, errno 0",
        45
      ),
      ("LibreSSL SSL_read: error:14094418:SSL routines:ST_OK:tlsv1 alert unknown ca, errno 0", 48),
      (
        "BoringSSL SSL_read: error:10000419:SSL routines:OPENSSL_internal:TLSV1_ALERT_ACCESS_DENIED",
        49
      ),
      ("OpenSSL SSL_read: error:0A000126:SSL routines::unexpected eof while reading, errno 0", nil),
      ("GnuTLS recv error (-12): A TLS fatal alert has been received.", nil),
      ("an alert of error:", nil), ("error:0A000418:SSL routines", nil),
      ("an alert, error:FFFFFFFFFFFFFFFFFFFF", nil), ("alert, error:0A000FFF:", nil),
    ] as [(String, Int?)])
  func `CurlFailure parses the number of a TLS alert from libcurl's message`(
    words: String, alert: Int?
  ) {
    #expect(CurlFailure(code: 56, words: words).alert == alert)
  }

  @Test func `only some TLS alerts count as a refusal of the client certificate`() {
    func refusals(_ code: CInt) -> [Int] {
      (0..<256).filter { alert in
        let number = String(0x0A00_0000 + 1_000 + alert, radix: 16, uppercase: true)
        return CurlFailure(code: code, words: "SSL: error:0\(number):SSL routines::tlsv1 alert")
          .isRefusal
      }
    }
    #expect(
      refusals(56) == [40, 42, 43, 44, 45, 46, 48, 49, 51, 116] && refusals(55) == refusals(56))
    #expect(refusals(35) == [42, 43, 44, 45, 46, 48, 49, 116])
    for code in 0...100 as ClosedRange<CInt> where ![35, 55, 56].contains(code) {
      #expect(refusals(code).isEmpty)
    }
  }

  /// The codes up to 100 whose reasons have libcurl's words beside them.
  private func detailedCodes(_ failure: (CInt) -> CurlFailure) -> [CInt] {
    (0...100).filter { failure($0).reason?.isDetailed == true }
  }

  @Test func `libcurl's message is added to a failure's reason only if the message says more`() {
    #expect(detailedCodes { CurlFailure(code: $0) } == [7, 35, 51, 58, 60, 77, 83, 90, 91, 97])
    #expect(
      detailedCodes { CurlFailure(code: $0, hasSent: false) } == [
        7, 35, 51, 58, 60, 77, 83, 90, 91, 97,
      ])
    // A connection that was refused, and a proxy whose status says why.
    #expect(
      detailedCodes { CurlFailure(code: $0, systemError: 111) } == [
        35, 51, 58, 60, 77, 83, 90, 91, 97,
      ])
    #expect(
      detailedCodes { CurlFailure(code: $0, proxyStatus: 407) } == [
        7, 35, 51, 58, 60, 77, 83, 90, 91,
      ])
    // A garbled answer.
    #expect(
      detailedCodes { CurlFailure(code: $0, hasBegun: true) } == [
        7, 35, 51, 56, 58, 60, 77, 83, 90, 91, 97,
      ])
  }
}
