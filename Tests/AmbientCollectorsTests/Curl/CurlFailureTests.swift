import AmbientCollectors
import Testing

@Suite struct `A failure of libcurl` {
  @Test(arguments: [
    (CurlFailure(code: 6), "the host's name is not known"),
    (CurlFailure(code: 5), "the proxy's name is not known"),
    (CurlFailure(code: 7, systemError: 111), "the connection was refused"),
    (CurlFailure(code: 7, systemError: 113), "the server cannot be reached"),
    (
      CurlFailure(code: 1, scheme: "http"),
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
    (CurlFailure(code: 60), "the server's certificate is not trusted"),
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
    (CurlFailure(code: 51), "the server's certificate is not trusted"),
    (CurlFailure(code: 83), "the server's certificate is not trusted"),
    (CurlFailure(code: 90), "the server's certificate is not trusted"),
    (
      CurlFailure(code: 98),
      "the server wants a certificate of the client, which cannot be given here"
    ),
    (
      CurlFailure(code: 1, hasSent: false, scheme: nil),
      "this system's libcurl does not speak it"
    ),
    (CurlFailure(code: 61), "the answer cannot be decoded"), (CurlFailure(code: 9_999), nil),
  ])
  func `is said in words of our own`(failure: CurlFailure, reason: String?) {
    #expect(failure.reason?.text == reason)
  }

  /// The codes up to 100 whose reasons have libcurl's words beside them.
  private func detailedCodes(_ failure: (CInt) -> CurlFailure) -> [CInt] {
    (0...100).filter { failure($0).reason?.isDetailed == true }
  }

  @Test func `has libcurl's words, which may quote names, only where they say more than ours`() {
    #expect(detailedCodes { CurlFailure(code: $0) } == [7, 51, 60, 77, 83, 90, 97])
    #expect(
      detailedCodes { CurlFailure(code: $0, hasSent: false) } == [7, 51, 60, 77, 83, 90, 97])
    // A connection that was refused, and a proxy whose status says why.
    #expect(
      detailedCodes { CurlFailure(code: $0, systemError: 111) } == [51, 60, 77, 83, 90, 97])
    #expect(
      detailedCodes { CurlFailure(code: $0, proxyStatus: 407) } == [7, 51, 60, 77, 83, 90])
    // A garbled answer.
    #expect(
      detailedCodes { CurlFailure(code: $0, hasBegun: true) } == [7, 51, 56, 60, 77, 83, 90, 97])
  }
}
