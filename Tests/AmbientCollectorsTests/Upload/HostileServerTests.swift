// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientCollectors
import Foundation
import TestSupport
import Testing

@Suite(.quiet) struct `Hostile event servers` {
  private let folder = TemporaryFolder()

  private static var hasty: UploadOptions {
    var options = UploadOptions.prompt
    options.events = 5
    options.exchange = ExchangeLimits(duration: .milliseconds(300))
    return options
  }

  /// A server whose answers are hostile, so many of them, and then as they should be.
  private static func hostileServer() throws -> (LoopbackServer, count: Int) {
    let count = TestRun.rounds(20, all: 100)
    let server = try LoopbackServer { number, _ in
      number < count ? .steps(HostileAnswers.steps(number)) : .answer(204)
    }
    return (server, count)
  }

  @Test func `every event is delivered or counted as lost despite hostile responses`() async throws
  {
    let (server, count) = try Self.hostileServer()
    let analytics = try HTTPAnalytics(server, folder, upload: Self.hasty)
    let tracked = count * 5
    analytics.track(0..<tracked)
    #expect(await analytics.isEmptiedAfterFlush())
    let status = analytics.status
    #expect(status.delivered + analytics.lostEvents == tracked)
    #expect(server.requests.count >= count)
  }

  @Test func `if unknownOutcome is .dropped, no event is sent twice after a lost connection`()
    async throws
  {
    let count = TestRun.rounds(20, all: 100)
    let half = Array("HTTP/1.1 200 So\r\nContent-Length: 9\r\n\r\nx".utf8)
    let server = try LoopbackServer { number, _ in
      number >= count
        ? .answer(204) : number % 2 == 0 ? .close : .steps([.send(half), .close])
    }
    let analytics = try GoogleAnalytics(
      measurementID: "G-12345ABCDE", apiSecret: "secret",
      queue: EventQueue(folder: folder.path("queue"), .small),
      options: GoogleOptions().with {
        $0.endpoint = .url(server.url)
        $0.unknownOutcome = .dropped
      },
      upload: Self.hasty)
    let tracked = count * 5
    analytics.track(0..<tracked)
    #expect(await analytics.isEmptiedAfterFlush())
    let status = analytics.status
    #expect(status.delivered + analytics.lostEvents == tracked)
    #expect(status.lost["not known to have arrived"] ?? 0 > 0)
    let numbers = server.requests.flatMap { request in
      request.body.matches(of: /"number":([0-9]+)/).compactMap { Int($0.output.1) }
    }
    #expect(numbers.count == tracked && Set(numbers).count == tracked)
  }

  @Test(
    arguments: [
      [.hang], [.close], [.reset],
      [.send(Array("HTTP/1.1 101 So\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n".utf8)), .hang],
      [
        .send(Array("HTTP/1.1 503 So\r\n\r\n".utf8)),
        .sendForEver(Array(repeating: 120, count: 65_536)),
      ],
      [
        .send(Array("HTTP/1.1 200 So\r\n".utf8)),
        .sendForEver(Array("X-Long: xxxxxxxxxxxxxxxxxxxxxxxxx\r\n".utf8)),
      ],
      [
        .send(Array("HTTP/1.1 200 So\r\nContent-Length: 9999\r\n\r\n".utf8)),
        .sendForEver([120], microseconds: 20_000),
      ],
    ] as [[LoopbackServer.Step]])
  func `a hostile server delays neither a shutdown nor the events for a healthy server`(
    steps: [LoopbackServer.Step]
  ) async throws {
    let hostile = try LoopbackServer(always: .steps(steps))
    let healthy = try LoopbackServer(always: .answer(204))
    let first = try HTTPAnalytics(
      url: hostile.url, queue: EventQueue(folder: folder.path("hostile"), .small), upload: .atFlush)
    let second = try HTTPAnalytics(
      url: healthy.url, queue: EventQueue(folder: folder.path("healthy"), .small), upload: .atFlush)
    let both = MultiAnalytics(first, second)
    for number in 0..<10 { both.track(Event("numbered", ["number": number])) }
    both.flush()
    #expect(await second.isEmptied())
    // An exchange has all of `Patience`: what ends it is the deadline.
    await both.shutdown(deadline: .now + .seconds(2))
    #expect(second.status.delivered == 10)
    #expect(first.status.waiting == 10)
    #expect(first.status.delivered == 0 && first.lostEvents == 0)
  }
}
