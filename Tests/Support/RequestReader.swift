// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// Reads HTTP/1.1 requests from a socket.
enum RequestReader {
  /// Reads the next request; returns nil if the connection has ended, or if the bytes are no HTTP
  /// request. `rest` holds bytes that were received but not read yet.
  static func read(_ connection: Int32, _ rest: inout [UInt8]) -> LoopbackServer.Request? {
    let end = Array("\r\n\r\n".utf8)
    var head: Range<Int>?
    while true {
      head = rest.firstRange(of: end)
      if head != nil { break }
      // The first byte of a TLS handshake, in which the end of a head would never come.
      if rest.first == 0x16 { return nil }
      guard more(connection, &rest) else { return nil }
    }
    guard let head else { return nil }
    let lines = String(decoding: rest[..<head.lowerBound], as: UTF8.self)
      .components(separatedBy: "\r\n")
    let words = lines[0].split(separator: " ").map(String.init)
    guard words.count == 3 else { return nil }
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      headers[parts[0].lowercased()] = parts.last.map {
        $0.trimmingCharacters(in: .whitespaces)
      }
    }
    if headers["expect"] != nil {
      let answer = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)
      _ = send(connection, answer, answer.count, Int32(MSG_NOSIGNAL))
    }
    let length = headers["content-length"].flatMap(Int.init) ?? 0
    while rest.count < head.upperBound + length {
      guard more(connection, &rest) else { return nil }
    }
    let bytes = Array(rest[head.upperBound..<(head.upperBound + length)])
    let body = headers["content-encoding"] == "gzip" ? decompressed(bytes) : bytes
    rest.removeFirst(head.upperBound + length)
    return LoopbackServer.Request(
      method: words[0], target: words[1], headers: headers, bytes: bytes,
      body: String(decoding: body, as: UTF8.self))
  }

  /// Decompresses the bytes by the system's gzip; returns no bytes if they are not valid gzip.
  private static func decompressed(_ bytes: [UInt8]) -> [UInt8] {
    let folder = TemporaryFolder()
    guard (try? Data(bytes).write(to: URL(filePath: folder.path("body.gz")))) != nil,
      let output = try? folder.makeFile("body"),
      let gzip = ["/usr/bin/gzip", "/bin/gzip"].first(where: {
        FileManager.default.isExecutableFile(atPath: $0)
      }),
      let program = try? ChildProgram(gzip, ["-dc", folder.path("body.gz")], output: output),
      program.waited() == 0
    else { return [] }
    return (FileManager.default.contents(atPath: folder.path("body"))).map(Array.init) ?? []
  }

  private static func more(_ connection: Int32, _ rest: inout [UInt8]) -> Bool {
    var piece = [UInt8](repeating: 0, count: 65_536)
    let count = recv(connection, &piece, piece.count, 0)
    guard count > 0 else { return false }
    rest += piece[..<count]
    return true
  }
}
