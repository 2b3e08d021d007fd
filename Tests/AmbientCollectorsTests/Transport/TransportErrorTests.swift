import AmbientCollectors
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct `Trouble of the network` {
  @Test(arguments: [
    (URLError.Code.badURL, TransportError.Outcome.unsent, "the system cannot use such an address"),
    (.cannotFindHost, .unsent, "the host's name is not known"),
    (.cannotConnectToHost, .unsent, "the connection was refused"),
    (.notConnectedToInternet, .unsent, "there is no network"),
    (.appTransportSecurityRequiresSecureConnection, .unsent, "the system allows nothing but https"),
    (.clientCertificateRequired, .unsent, "the server wants another certificate of ours"),
    (
      .secureConnectionFailed, .unsent,
      "the TLS handshake failed; see whether the server speaks plain http"
    ),
    (.networkConnectionLost, .unknown, "the connection was lost"),
    (.timedOut, .unknown, "the network took too long"),
    (.cannotDecodeContentData, .unknown, "the answer cannot be decoded"),
    (.badServerResponse, .unknown, "what was answered is no HTTP"),
  ])
  func `has words for what is common`(
    code: URLError.Code, outcome: TransportError.Outcome, reason: String
  ) {
    let error = TransportError(URLError(code), scheme: "https")
    #expect(error == TransportError(outcome, reason))
  }

  // What curl says; Foundation on Linux has no code for it.
  @Test(arguments: [
    (
      "OpenSSL/3.0.19: error:0A00010B:SSL routines::wrong version number",
      TransportError.Outcome.unsent,
      "the TLS handshake failed; see whether the server speaks plain http"
    ),
    (
      "SSL certificate problem: self-signed certificate", .unsent,
      "the server's certificate is not trusted (SSL certificate problem: self-signed certificate)"
    ),
    ("OpenSSL SSL_read: OpenSSL/3.0.19: error, errno 104", .unknown, "the connection was lost"),
    ("transfer closed with 96 bytes remaining to read", .unknown, "the connection was lost"),
    (
      "Error while processing content unencoding: incorrect header check", .unknown,
      "the answer cannot be decoded"
    ),
    ("something \n else", .unknown, "the network failed (URLError -1): something else"),
  ])
  func `is known by its words where it has no code`(
    words: String, outcome: TransportError.Outcome, reason: String
  ) {
    let error = URLError(.unknown, userInfo: [NSLocalizedDescriptionKey: words])
    #expect(TransportError(error, scheme: "https") == TransportError(outcome, reason))
  }

  @Test func `always has words, and no address`() throws {
    let secret = try #require(URL(string: "https://a.example/?key=s3cret"))
    for code in (-3_010...0).compactMap({ URLError.Code(rawValue: $0) }) {
      let error = URLError(code, userInfo: [NSURLErrorFailingURLErrorKey: secret])
      let reason = TransportError(error, scheme: "https").reason
      #expect(!reason.contains("s3cret"))
      #expect(
        reason.contains(/URLError -?[0-9]+\): .+/) || !reason.contains("URLError"), "\(reason)")
    }
  }
}
