import AmbientHTTP
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
    (CurlFailure(code: 56, proxyStatus: 407), "the proxy answers with status 407"),
    (CurlFailure(code: 61), "the answer cannot be decoded"), (CurlFailure(code: 9_999), nil),
  ])
  func `is said in words of our own`(failure: CurlFailure, reason: String?) {
    #expect(failure.reason?.text == reason)
  }
}
