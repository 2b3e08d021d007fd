// SPDX-License-Identifier: Apache-2.0

/// The answers of malicious or broken servers: valid answers that are mutated at random.
package enum HostileAnswers {
  private static let whole: [[UInt8]] = [
    "HTTP/1.1 200 So\r\nContent-Length: 4\r\n\r\nbody",
    "HTTP/1.1 204 So\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\n\r\n",
    """
    HTTP/1.1 200 So\r\nTransfer-Encoding: chunked\r\nTrailer: Server-Timing\r\n\r\n4\r\nbody\r\n\
    0\r\nServer-Timing: db;dur=53\r\n\r\n
    """,
    "HTTP/1.1 401 So\r\nWWW-Authenticate: Basic realm=\"x\"\r\nContent-Length: 2\r\n\r\nno",
    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\nLink: <x>\r\n\r\nHTTP/1.1 204 So\r\n\r\n",
    "HTTP/1.1 307 So\r\nLocation: /elsewhere?a=b\r\nContent-Length: 0\r\n\r\n",
    "HTTP/1.1 503 So\r\nRetry-After: 1\r\nConnection: close\r\n\r\nlater",
    "HTTP/1.1 200 So\r\nContent-Encoding: gzip\r\nContent-Length: 6\r\n\r\n\u{1F}\u{8}\0\0ab",
    "HTTP/1.1 101 So\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\nwhat",
    "HTTP/1.0 200 So\r\nSet-Cookie: a=b\r\nX-Long: \(String(repeating: "x", count: 500))\r\n\r\nbody",
  ].map { Array($0.utf8) }

  private static let pieces: [[UInt8]] = [
    "\r\n", "\n", "\r", "\0", " ", ":", "\r\n\r\n", "HTTP/1.1 101 So\r\n\r\n", "HTTP/1.1 200\r\n",
    "Transfer-Encoding: chunked\r\n", "Transfer-Encoding: gzip, chunked\r\n",
    "Content-Length: -1\r\n", "Content-Length: 99999999999999999999999\r\n",
    "Content-Length: 3\r\n", "Location: http://\u{E4}:\u{1}/\r\n", "Location: //\r\n",
    "WWW-Authenticate: Negotiate\r\n", "Proxy-Authenticate: NTLM\r\n", "FFFFFFFFFFFFFFFF\r\n",
    "-5\r\n", "0\r\n\r\n", "Connection: close\r\n", "Alt-Svc: h3=\":443\"\r\n",
    "Strict-Transport-Security: max-age=1\r\n", "Content-Range: bytes 0-1/2\r\n", "\t folded\r\n",
  ].map { Array($0.utf8) }

  /// The steps by which the server answers the request of that number. The number is the seed, so
  /// they are the same in each run.
  package static func steps(_ number: Int) -> [LoopbackServer.Step] {
    var numbers = SeededNumbers(number)
    var bytes = whole.randomElement(using: &numbers) ?? []
    for _ in 0..<Int.random(in: 1...4, using: &numbers) { change(&bytes, &numbers) }
    let cut = Int.random(in: 0...bytes.count, using: &numbers)
    let parts: [LoopbackServer.Step] =
      Bool.random(using: &numbers)
      ? [.send(bytes)] : [.send(Array(bytes[..<cut])), .send(Array(bytes[cut...]))]
    switch Int.random(in: 0..<100, using: &numbers) {
    case 0..<3: return parts + [.hang]
    case 3..<13: return parts + [.reset]
    // The connection stays open: the client may reuse it, or take left-over bytes for the answer to
    // its next request.
    case 13..<53: return parts
    default: return parts + [.close]
    }
  }

  private static func change(_ bytes: inout [UInt8], _ numbers: inout SeededNumbers) {
    let place = Int.random(in: 0...bytes.count, using: &numbers)
    let end = min(bytes.count, place + Int.random(in: 0...20, using: &numbers))
    switch Int.random(in: 0..<7, using: &numbers) {
    case 0: bytes = Array(bytes[..<place])
    case 1: bytes.removeSubrange(place..<end)
    case 2: bytes.insert(contentsOf: bytes[place..<end], at: place)
    case 3:
      for index in place..<end { bytes[index] = UInt8.random(in: 0...255, using: &numbers) }
    case 4 where place < bytes.count:
      bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &numbers)
    default: bytes.insert(contentsOf: pieces.randomElement(using: &numbers) ?? [], at: place)
    }
  }
}
