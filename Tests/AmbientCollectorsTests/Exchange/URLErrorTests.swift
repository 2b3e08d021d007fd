// SPDX-License-Identifier: Apache-2.0

import AmbientCollectors
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct `URLError translation` {
  @Test(arguments: [
    (URLError.Code.badURL, TransportError.Outcome.unsent, "the system cannot use such an address"),
    (.cannotFindHost, .unsent, "the host's name is not known"),
    (.cannotConnectToHost, .unsent, "the connection was refused"),
    (.notConnectedToInternet, .unsent, "there is no network"),
    (.appTransportSecurityRequiresSecureConnection, .unsent, "the system allows nothing but https"),
    (.clientCertificateRequired, .unsent, "the server wants a certificate of the client"),
    (
      .clientCertificateRejected, .unsent,
      "the server does not accept the certificate of the client, or wants one"
    ),
    (
      .secureConnectionFailed, .unsent,
      "the TLS handshake failed; see whether the server speaks plain http"
    ),
    (.networkConnectionLost, .unknown, "the connection was lost"),
    (.timedOut, .unknown, "the network took too long"),
    (.cannotDecodeContentData, .unknown, "the answer cannot be decoded"),
    (.badServerResponse, .unknown, "the answer is not HTTP"),
  ])
  func `a common URLError has an outcome and a reason`(
    code: URLError.Code, outcome: TransportError.Outcome, reason: String
  ) {
    let error = TransportError(URLError(code), scheme: "https")
    #expect(error == TransportError(outcome, reason))
  }

  @Test func `a URLError's description is cut before a quoted address`() {
    let words = "Unsupported proxy syntax in 'http://pu:PROXY SECRET@localhost:99999'"
    let error = TransportError(
      URLError(.unknown, userInfo: [NSLocalizedDescriptionKey: words]), scheme: "https")
    #expect(
      error.description
        == "the network failed (URLError -1) (Unsupported proxy syntax in …)")
  }

  @Test func `every URLError has a description and one of a few reasons`() {
    var reasons: Set<String> = []
    for code in (-3_010...0).compactMap({ URLError.Code(rawValue: $0) }) {
      for words in ["one stream", "another stream"] {
        let error = TransportError(
          URLError(code, userInfo: [NSLocalizedDescriptionKey: words]), scheme: "https")
        #expect(!error.reason.contains("URLError") || error.detail == words, "\(error)")
        #expect(!error.reason.contains("stream"))
        if !error.reason.contains("URLError") { reasons.insert(error.reason) }
      }
    }
    #expect(reasons.count < 20)
  }
}
