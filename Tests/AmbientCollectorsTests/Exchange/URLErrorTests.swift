// SPDX-License-Identifier: Apache-2.0

import AmbientCollectors
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct `URLError translation` {
  @Test(arguments: [
    (URLError.Code.badURL, TransportError.Outcome.unsent), (.cannotFindHost, .unsent),
    (.cannotConnectToHost, .unsent), (.notConnectedToInternet, .unsent),
    (.appTransportSecurityRequiresSecureConnection, .unsent),
    (.clientCertificateRequired, .unsent), (.clientCertificateRejected, .unsent),
    (.secureConnectionFailed, .unsent), (.networkConnectionLost, .unknown), (.timedOut, .unknown),
    (.cannotDecodeContentData, .unknown), (.badServerResponse, .unknown),
  ])
  func `each common URLError becomes a TransportError with its own reason`(
    code: URLError.Code, outcome: TransportError.Outcome
  ) {
    let error = TransportError(URLError(code), scheme: "https")
    #expect(error.outcome == outcome && error.detail.isEmpty)
    #expect(!error.reason.contains("URLError"), "\(error)")
  }

  @Test func `a URLError's description is cut before a quoted URL that contains a password`() {
    let words = "Unsupported proxy syntax in 'http://pu:PROXY SECRET@localhost:99999'"
    let error = TransportError(
      URLError(.unknown, userInfo: [NSLocalizedDescriptionKey: words]), scheme: "https")
    #expect(error.reason.contains("URLError -1"))
    #expect(error.detail == "Unsupported proxy syntax in …")
  }

  @Test
  func `URLError codes give fewer than 20 reasons; for other codes, the error has the message`() {
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
