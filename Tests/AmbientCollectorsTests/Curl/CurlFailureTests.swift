// SPDX-License-Identifier: Apache-2.0

import AmbientCollectors
import Foundation
import Testing

@Suite struct `Reasons of libcurl failures` {
  @Test(arguments: [
    (CurlFailure(code: 6), "the host's name is not known"),
    (CurlFailure(code: 5), "the proxy's name is not known"),
    (CurlFailure(code: 7, systemError: 111), "the connection was refused"),
    (CurlFailure(code: 7, systemError: 113), "the server cannot be reached"),
    (
      CurlFailure(code: 7, systemError: 24),
      "the process has too many open files; raise its limit (ulimit -n)"
    ),
    (CurlFailure(code: 7, systemError: 23), "the system has too many open files"),
    (
      CurlFailure(code: 1, url: URL(string: "http://server.example/")),
      "the answer is not HTTP; see whether the server speaks https"
    ),
    (CurlFailure(code: 1, hasSent: false), "this system's libcurl does not speak https"),
    (CurlFailure(code: 27, hasSent: false), "there is no memory for it"),
    (CurlFailure(code: 27), "the header of the answer has more than 64 KiB"),
    (CurlFailure(code: 100), "the header of the answer has more than 64 KiB"),
    (CurlFailure(code: 28), "the network took too long"),
    (CurlFailure(code: 42), "the network took too long"),
    (CurlFailure(code: 8), "the answer is not HTTP"),
    (CurlFailure(code: 43), "the answer is not HTTP"),
    (CurlFailure(code: 35), "the TLS handshake failed; see whether the server speaks plain http"),
    (CurlFailure(code: 60), TransportError.untrusted()),
    (CurlFailure(code: 91), TransportError.untrusted()),
    (CurlFailure(code: 58), "the certificate of the client, or its key, cannot be used"),
    (
      CurlFailure(code: 35, words: "error reading X.509 key or certificate file"),
      "the certificate of the client, or its key, cannot be used"
    ),
    (CurlFailure(code: 77), "the certificates of the authorities cannot be read"),
    (CurlFailure(code: 52), "the connection ended without an answer"),
    (CurlFailure(code: 0), "the connection ended without an answer"),
    (CurlFailure(code: 0, hasBegun: true), "the connection was lost"),
    (CurlFailure(code: 18, hasBegun: true), "the connection was lost"),
    (
      CurlFailure(code: 56, words: "Recv failure: Connection reset by peer", hasBegun: true),
      "the connection was lost"
    ),
    (
      CurlFailure(code: 56, words: "OpenSSL SSL_read: error", hasBegun: true),
      "the connection was lost"
    ),
    (
      CurlFailure(code: 56, words: "Malformed encoding found in chunked-encoding", hasBegun: true),
      "the answer is garbled"
    ),
    (
      CurlFailure(code: 56, words: "Malformed encoding", systemError: 104, hasBegun: true),
      "the connection was lost"
    ),
    (CurlFailure(code: 56, words: "recv failed", hasBegun: true), "the connection was lost"),
    (CurlFailure(code: 56, words: "a TLS record", hasBegun: true), "the connection was lost"),
    (CurlFailure(code: 56, words: "it was reset", hasBegun: true), "the connection was lost"),
    (CurlFailure(code: 56), "the connection was lost"),
    (CurlFailure(code: 16), "the connection was lost"),
    (CurlFailure(code: 55), "the connection was lost"),
    (CurlFailure(code: 92), "the connection was lost"),
    (CurlFailure(code: 56, proxyStatus: 407), "the proxy answers with status 407"),
    (CurlFailure(code: 56, proxyStatus: 300), "the proxy answers with status 300"),
    (CurlFailure(code: 56, proxyStatus: 299), "the connection was lost"),
    (CurlFailure(code: 97, proxyStatus: 300), "the proxy answers with status 300"),
    (CurlFailure(code: 97, proxyStatus: 299), "the proxy cannot be used"),
    (CurlFailure(code: 3), "the system cannot use such an address"),
    (CurlFailure(code: 51), TransportError.untrusted()),
    (CurlFailure(code: 83), TransportError.untrusted()),
    (CurlFailure(code: 90), TransportError.untrusted()),
    (
      CurlFailure(code: 98),
      "the server wants a certificate of the client"
    ),
    (
      CurlFailure(code: 1, hasSent: false, url: nil),
      "this system's libcurl does not speak it"
    ),
    (CurlFailure(code: 61), "the answer cannot be decoded"), (CurlFailure(code: 9_999), nil),
  ])
  func `a libcurl failure is described in Ambient's own words`(
    failure: CurlFailure, reason: String?
  ) {
    #expect(failure.reason?.text == reason)
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
  func `a certificate failure names the server or the proxy`(failure: CurlFailure, peer: String) {
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
  func `a TLS alert's number is parsed from libcurl's message`(words: String, alert: Int?) {
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

  @Test func `libcurl's message is added to a failure only if it says more than the reason`() {
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
