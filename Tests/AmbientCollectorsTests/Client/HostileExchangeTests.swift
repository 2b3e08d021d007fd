// SPDX-License-Identifier: Apache-2.0

import AmbientCollectors
import Foundation
import TestSupport
import Testing

@Suite struct `Hostile HTTP servers` {
  private typealias Step = LoopbackServer.Step

  /// Answers that end Foundation, hang it, or are lost by it.
  private static let unusual: [(String, [Step], String)] = [
    (
      "a trailer",
      [
        bytes(
          "HTTP/1.1 200 So\r\nTransfer-Encoding: chunked\r\nTrailer: X\r\n\r\n4\r\nbody\r\n0\r\nX: 1\r\n\r\n"
        )
      ],
      "200 body"
    ),
    (
      "a trailer that looks like an answer",
      [
        bytes(
          "HTTP/1.1 200 So\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nHTTP/1.1 500 No\r\nX: 1\r\n\r\n"
        )
      ],
      "200 , cut"
    ),
    (
      "a wrong password",
      [
        bytes(
          "HTTP/1.1 401 So\r\nWWW-Authenticate: Basic realm=\"x\"\r\nContent-Length: 2\r\n\r\nno")
      ],
      "401 no"
    ),
    (
      "another protocol",
      [bytes("HTTP/1.1 101 So\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"), .hang], "101 "
    ),
    ("no space after the status", [bytes("HTTP/1.1 204\r\n\r\n")], "204 "),
    ("bare line feeds", [bytes("HTTP/1.1 200 So\nContent-Length: 4\n\nbody")], "200 body"),
    (
      "Latin-1",
      [
        .send(
          Array(
            "HTTP/1.1 503 d\u{e9}sol\u{e9}\r\nX: \u{e9}\r\nContent-Length: 0\r\n\r\n".unicodeScalars
              .map {
                UInt8($0.value)
              }))
      ], "503 "
    ),
    (
      "what is compressed, as it is",
      [bytes("HTTP/1.1 200 So\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nbody")],
      "200 body"
    ),
    (
      "half of a body",
      [bytes("HTTP/1.1 200 So\r\nContent-Length: 9\r\n\r\nbody"), .close], "200 body, cut"
    ),
    (
      "half of a body, and a reset",
      [bytes("HTTP/1.1 204 So\r\nContent-Length: 9\r\n\r\nbody"), .reset], "204 "
    ),
    (
      "half of a body in chunks",
      [
        bytes("HTTP/1.1 299 So\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n4\r\nbo"), .close,
      ], "299 bodybo, cut"
    ),
    (
      "half of a head",
      [bytes("HTTP/1.1 200 So\r\nContent-Length: 9\r\n"), .close],
      "unknown: \(TransportError.lost)"
    ),
    (
      "half of a body that says no",
      [bytes("HTTP/1.1 503 So\r\nContent-Length: 9\r\n\r\nbody"), .close], "503 body, cut"
    ),
    (
      "half of a body that says no with the lowest status",
      [bytes("HTTP/1.1 400 So\r\nContent-Length: 9\r\n\r\nbody"), .close], "400 body, cut"
    ),
    (
      "half of a body with the highest status that says no such thing",
      [bytes("HTTP/1.1 399 So\r\nContent-Length: 9\r\n\r\nbody"), .close],
      "unknown: \(TransportError.lost)"
    ),
    (
      "interim answers and no more",
      [bytes("HTTP/1.1 100 So\r\n\r\nHTTP/1.1 103 So\r\n\r\n"), .close],
      "unknown: \(TransportError.unanswered)"
    ),
    (
      "no HTTP", [bytes("hello\r\n\r\n"), .close],
      "unknown: \(TransportError.noHTTP(scheme: "http"))"
    ),
    (
      "a status that is none", [bytes("HTTP/1.1 abc\r\n\r\n"), .close],
      "unknown: \(TransportError.noHTTP(scheme: "http"))"
    ),
    (
      "chunks that are none",
      [bytes("HTTP/1.1 200 So\r\nTransfer-Encoding: chunked\r\n\r\nwhat?\r\n"), .close],
      "200 , cut"
    ),
    (
      "chunks that are none, after a status that says no such thing",
      [bytes("HTTP/1.1 300 So\r\nTransfer-Encoding: chunked\r\n\r\nwhat?\r\n"), .close],
      "unknown: \(TransportError.malformed)"
    ),
    (
      "a header without end",
      [
        bytes("HTTP/1.1 200 So\r\n"),
        .sendForEver(Array("X-Long: \(String(repeating: "x", count: 1_000))\r\n".utf8)),
      ],
      "unknown: \(CurlFailure.longHeader)"
    ),
    (
      "a line without end",
      [bytes("HTTP/1.1 200 So\r\nX: "), .sendForEver(Array(repeating: 120, count: 65_536))],
      "unknown: \(CurlFailure.longHeader)"
    ),
    (
      "a status without end",
      [bytes("HTTP/1.1 200 "), .sendForEver(Array(repeating: 120, count: 65_536))],
      "unknown: \(CurlFailure.longHeader)"
    ),
    (
      "interim answers without end",
      [.sendForEver(Array("HTTP/1.1 103 So\r\nLink: <x>\r\n\r\n".utf8))],
      "unknown: \(CurlFailure.longHeader)"
    ),
    (
      "trailers without end",
      [
        bytes("HTTP/1.1 200 So\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n"),
        .sendForEver(Array("X-Long: \(String(repeating: "x", count: 1_000))\r\n".utf8)),
      ],
      "200 body, cut"
    ),
  ]

  @Test(arguments: Network.curls, SurvivedAnswers.all + unusual)
  func `an HTTP exchange gets the listed outcome for each usual or malformed response`(
    network: Network, answer: (what: String, steps: [LoopbackServer.Step], outcome: String)
  ) async throws {
    let server = try LoopbackServer(always: .steps(answer.steps))
    let outcome = try await network.client().outcome(server.url)
    #expect(outcome == answer.outcome, "\(answer.what)")
  }

  @Test(arguments: Network.curls)
  func `an endless response body is cut at the size limit`(network: Network) async throws {
    let server = try LoopbackServer(
      always: .steps([
        bytes("HTTP/1.1 503 So\r\n\r\n"), .sendForEver(Array(repeating: 120, count: 65_536)),
      ]))
    let text = String(repeating: "x", count: 100)
    #expect(
      try await network.client().outcome(server.url) == "503 \(text), cut")
  }

  @Test(arguments: Network.curls)
  func `every HTTP status from 100 to 599 is parsed`(network: Network) async throws {
    let server = try LoopbackServer { number, _ in
      let status = 100 + number
      let interim = status < 200 && status != 101 ? "HTTP/1.1 204 So\r\n\r\n" : ""
      let length = status == 204 || status == 304 || status < 200 ? "" : "Content-Length: 0\r\n"
      return .steps([bytes("HTTP/1.1 \(status) So\r\n\(length)\r\n\(interim)")])
    }
    let client = try network.client()
    for status in 100..<600 {
      let expected = status < 200 && status != 101 ? 204 : status
      #expect(await client.outcome(server.url) == "\(expected) ")
    }
  }

  @Test(arguments: Network.curls)
  func `a truncated response header is an error, and a truncated body is marked as cut`(
    network: Network
  ) async throws {
    let whole = "HTTP/1.1 200 So\r\nContent-Type: text/plain\r\nContent-Length: 4\r\n\r\nbody"
    let server = try LoopbackServer { number, _ in
      .steps([bytes(String(whole.prefix(number))), .close])
    }
    // Swift takes CR and LF for one character.
    let client = try network.client()
    for length in 0...whole.count {
      let outcome = await client.outcome(server.url)
      let read = length - (whole.count - "body".count)
      let expected = read < 4 ? "200 \("body".prefix(max(0, read))), cut" : "200 body"
      #expect(
        read < 0 ? outcome.hasPrefix("unknown: ") : outcome == expected, "\(length): \(outcome)")
    }
  }

  @Test(arguments: Network.curls)
  func `an HTTP exchange with a silent or slow server fails at the time limit`(
    network: Network
  ) async throws {
    let slow: [[LoopbackServer.Step]] = [
      [.hang],
      [
        bytes("HTTP/1.1 200 So\r\nContent-Length: 9999\r\n\r\n"),
        .sendForEver([120], microseconds: 20_000),
      ],
      // Within the header.
      [bytes("HTTP/1.1 200 So\r\nX: "), .sendForEver([120], microseconds: 20_000)],
    ]
    for steps in slow {
      let server = try LoopbackServer(always: .steps(steps))
      let outcome = try await network.client().outcome(server.url, limit: .milliseconds(300))
      // On a busy machine the request may not have left by then.
      #expect(outcome.hasSuffix(" 0.3 seconds"), "\(outcome) after \(steps)")
    }
  }

  @Test(arguments: Network.curls)
  func `if the body of a 503 response stalls, the exchange returns the 503, marked as cut`(
    network: Network
  ) async throws {
    let server = try LoopbackServer(
      always: .steps([bytes("HTTP/1.1 503 So\r\nContent-Length: 9\r\n\r\nbody"), .hang]))
    // More than once, since a busy machine may let the thread that knows the answer sleep on.
    let client = try network.client()
    var outcomes: [String] = []
    while outcomes.count < 8, outcomes.last != "503 body, cut" {
      outcomes.append(await client.outcome(server.url, limit: .seconds(3)))
    }
    #expect(outcomes.last == "503 body, cut", "\(outcomes)")
  }

  @Test(arguments: Network.curls)
  func `if a server closes a reused connection, libcurl sends the HTTP request again`(
    network: Network
  ) async throws {
    // More than once, since libcurl keeps no connection for longer than 118 s, which a busy machine
    // may take.
    var isRepeated = false
    for _ in 0..<5 where !isRepeated {
      let server = try LoopbackServer { number, _ in number == 1 ? .close : .answer(200) }
      let client = try network.client()
      #expect(await client.outcome(server.url) == "200 ")
      let outcome = await client.outcome(server.url)
      // libcurl has sent the second request again by itself.
      isRepeated = outcome == "200 " && server.requests.count == 3
    }
    #expect(isRepeated)
  }

  @Test(arguments: Network.curls)
  func `if a reused connection closes, a request that isn't repeatable isn't sent again`(
    network: Network
  ) async throws {
    let server = try LoopbackServer { number, _ in number == 1 ? .close : .answer(200) }
    let client = try network.client()
    #expect(await client.outcome(server.url) == "200 ")
    #expect(
      await client.outcome(server.url, isRepeatable: false)
        == "unknown: \(TransportError.unanswered)")
    #expect(server.requests.count == 2)
    #expect(await client.outcome(server.url, isRepeatable: false) == "200 ")
  }

  @Test func `hostile HTTP responses don't crash the process or use over 50 MiB of memory`()
    async throws
  {
    let server = try LoopbackServer { number, _ in .steps(HostileAnswers.steps(number)) }
    let count = TestRun.rounds(200, all: 1_500, full: 5_000)
    let (status, lines) = try await fetch(
      "POST", server.url, milliseconds: 500, count: count, parallel: 8)
    #expect(status == 0, "\(lines)")
    try #require(lines.count > 2)
    let outcomes = lines.dropLast(2).map { $0.split(separator: " ", maxSplits: 1) }
    #expect(outcomes.reduce(0) { $0 + (Int($1[0]) ?? 0) } == count)
    #expect(outcomes.contains { $0[1].hasPrefix("status 204") })
    let late = RunningExchange.lateness(after: .milliseconds(500))
    for outcome in outcomes {
      // Unsent is one that a busy machine did not connect within its limit.
      let isTold = ["status ", "unknown: ", "unsent: \(late)"].contains { outcome[1].hasPrefix($0) }
      #expect(isTold, "\(outcome)")
      #expect(!outcome[1].contains("libcurl failed"), "\(outcome)")
    }
    let memory = try #require(lines.last.flatMap(Int.init))
    #expect(TestRun.asked == .sanitizer || memory < 50 * 1_024)
  }

  @Test(arguments: [
    "HTTP/1.1 503 So\r\n\r\n", "HTTP/1.1 200 So\r\nContent-Encoding: gzip\r\n\r\n",
    "HTTP/1.1 200 So\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
    "HTTP/1.1 200 So\r\nTransfer-Encoding: chunked\r\n\r\n1;",
  ])
  func `endless or highly compressed HTTP responses don't use over 50 MiB of memory`(head: String)
    async throws
  {
    // A bomb: what deflates to a thousand times as much.
    let server = try LoopbackServer(
      always: .steps([
        bytes(head), .send(Self.bomb), .sendForEver(Array(repeating: 48, count: 65_536)),
      ]))
    let (status, lines) = try await fetch(
      "POST", server.url, milliseconds: 1_000, count: 4, parallel: 2)
    #expect(status == 0, "\(lines)")
    let memory = try #require(lines.last.flatMap(Int.init))
    #expect(TestRun.asked == .sanitizer || memory < 50 * 1_024)
  }

  /// Zeros, as gzip has them: 64 KiB that stand for 64 MiB.
  private static let bomb: [UInt8] = {
    let head: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0xEC, 0xC1, 1, 1, 0, 0, 0, 0x80]
    return head + Array(repeating: 0, count: 65_536)
  }()
}
