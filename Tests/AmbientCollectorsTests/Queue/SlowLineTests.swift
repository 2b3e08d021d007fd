// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientCollectors
import AmbientTesting
import Foundation
import TestSupport
import Testing

/// A line that takes so many bytes a second. A request whose body it does not take within the limit
/// fails, as `CollectorClient` says. A proxy may end a connection before that.
private final class SlowLine: HTTPTransport {
  private let rate: Double
  /// The time after which a proxy ends the connection of a request that it does not have as a whole.
  private let end: Duration?
  /// The bodies that arrived, and the bytes of those that did not.
  let arrived = Guarded<[String]>([])
  let wasted = Guarded(0.0)

  init(bytesPerSecond: Double, proxyEndsAfter end: Duration? = nil) {
    (rate, self.end) = (bytesPerSecond, end)
  }

  func exchange(
    _ request: OutgoingRequest, _ limits: ExchangeLimits
  ) async throws(TransportError) -> HTTPAnswer {
    let needed = Duration.seconds(Double(request.body.count) / rate)
    let limit = min(limits.duration, end ?? limits.duration)
    let wait = min(needed, limit)
    guard (try? await Time.sleep(for: wait)) != nil else {
      throw TransportError(.unsent, "given up")
    }
    if needed > limit {
      wasted.withLock { $0 += wait / .seconds(1) }
      var error = TransportError(.unsent, end == nil ? "it took too long" : "it was lost")
      (error.isLateWhileSending, error.isCutWhileSending) = (end == nil, end != nil)
      throw error
    }
    arrived.withLock { $0.append(String(decoding: request.body, as: UTF8.self)) }
    return HTTPAnswer(200)
  }
}

@Suite(.virtualTime(from: "2026-11-27T00:00:00Z", advances: .byHand), .quiet)
struct `Slow connections` {
  private let folder = TemporaryFolder()

  private func collector(_ line: SlowLine, _ limit: Duration) throws -> HTTPAnalytics {
    var options = EventQueue.Options()
    options.capacity = 8 << 20
    return try HTTPAnalytics(
      url: "http://events.example/", queue: EventQueue(folder: folder.path("queue"), options),
      upload: UploadOptions().with { $0.exchange = ExchangeLimits(duration: limit) },
      transport: line)
  }

  @Test func `5,000 events over a slow connection arrive within 150 percent of the transfer time`()
    async throws
  {
    let time = try VirtualTime.current
    let line = SlowLine(bytesPerSecond: 60_000)
    let analytics = try collector(line, .seconds(5))
    let filler = String(repeating: "x", count: 400)
    for number in 0..<5_000 {
      analytics.track(
        Event("numbered", ["number": .integer(Int64(number)), "filler": .string(filler)]))
    }
    let start = Time.now
    analytics.flush()
    var seconds = 0.0
    while analytics.status.delivered < 5_000, seconds < 1_000 {
      try await time.advance(by: .seconds(1))
      seconds = Time.now.timeIntervalSince(start)
    }
    let bodies = line.arrived.withLock { $0 }
    let lines = bodies.flatMap { $0.split(separator: "\n").map(String.init) }
    #expect(lines.count == 5_000 && Set(numbers(lines)).count == 5_000)
    let needed = Double(bodies.reduce(0) { $0 + $1.utf8.count }) / 60_000
    #expect(seconds <= needed * 1.5, "\(seconds) s, of \(needed) s needed")
  }

  /// Tracks events, and returns the lines that have arrived within an hour, or when all are
  /// delivered.
  private func arrivedLines(
    of count: Int, _ analytics: HTTPAnalytics, _ line: SlowLine
  ) async throws -> [String] {
    let time = try VirtualTime.current
    analytics.track(0..<count)
    analytics.flush()
    for _ in 0..<60 where analytics.status.delivered < count {
      try await time.advance(by: .seconds(60))
    }
    return line.arrived.withLock { $0 }.flatMap { $0.split(separator: "\n").map(String.init) }
  }

  @Test(arguments: [1_000.0, 10_000, 100_000, 1_000_000, 10_000_000])
  func `at any transfer rate, each event is delivered once`(rate: Double) async throws {
    let line = SlowLine(bytesPerSecond: rate)
    let analytics = try collector(line, .seconds(5))
    let lines = try await arrivedLines(of: 1_000, analytics, line)
    #expect(analytics.status.delivered == 1_000 && analytics.lostEvents == 0)
    #expect(lines.count == 1_000)
  }

  @Test(arguments: [1_000.0, 10_000, 60_000])
  func `each event is delivered even if a proxy cuts off long requests`(rate: Double) async throws {
    let line = SlowLine(bytesPerSecond: rate, proxyEndsAfter: .seconds(2))
    let analytics = try collector(line, .seconds(30))
    let lines = try await arrivedLines(of: 1_000, analytics, line)
    #expect(analytics.status.delivered == 1_000 && lines.count == 1_000)
  }

  @Test func `small events are delivered even if a large event always times out`() async throws {
    let time = try VirtualTime.current
    let analytics = try collector(SlowLine(bytesPerSecond: 100), .seconds(5))
    analytics.track(Event("large", ["text": .string(String(repeating: "x", count: 2_000))]))
    analytics.track(0..<10)
    try await time.advance(by: .seconds(3_600))
    #expect(analytics.status.delivered == 10 && analytics.status.waiting == 1)
    #expect(analytics.lostEvents == 0 && analytics.status.trouble != nil)
  }

  @Test func `an event that always times out is kept`() async throws {
    let time = try VirtualTime.current
    let analytics = try collector(SlowLine(bytesPerSecond: 1), .seconds(5))
    analytics.track(0..<1)
    try await time.advance(by: .seconds(86_400))
    #expect(analytics.status.waiting == 1 && analytics.lostEvents == 0)
  }
}

@Suite(.virtualTime(from: "2026-11-27T00:00:00Z", advances: .byHand), .quiet)
struct `Retry pauses and flushes` {
  private let folder = TemporaryFolder()

  /// A collector that was offline for an hour, from 0 on.
  private func collector(
    _ failure: ScriptedTransport.Step
  ) async throws -> (HTTPAnalytics, ScriptedTransport) {
    let start = Time.now
    let transport = ScriptedTransport { _, _ in
      Time.now.timeIntervalSince(start) < 3_600 ? failure : .answer(200)
    }
    let analytics = try HTTPAnalytics(transport, folder)
    analytics.track(0..<10)
    try await VirtualTime.current.advance(by: .seconds(3_600))
    return (analytics, transport)
  }

  @Test func `a flush ends the retry pause if no server responded`() async throws {
    let time = try VirtualTime.current
    let (analytics, _) = try await collector(.failure(.unsent, "no network"))
    #expect(analytics.status.delivered == 0)
    analytics.flush()
    try await time.advance(by: .seconds(2))
    #expect(analytics.status.delivered == 10)
  }

  @Test func `repeated flushes end the retry pause at most once a second`() async throws {
    let time = try VirtualTime.current
    let transport = ScriptedTransport { _, _ in .failure(.unsent, "no network") }
    let analytics = try HTTPAnalytics(transport, folder)
    analytics.track(0..<10)
    try await time.advance(by: .seconds(3_600))
    let before = transport.exchanges.count
    for _ in 0..<100 {
      analytics.flush()
      try await time.advance(by: .milliseconds(100))
    }
    #expect((9...12).contains(transport.exchanges.count - before))
    // Without another flush, the pauses are as before.
    let after = transport.exchanges.count
    try await time.advance(by: .seconds(60))
    #expect(transport.exchanges.count - after <= 2)
  }

  @Test(arguments: [
    ScriptedTransport.Step.answer(503), .answer(503, headers: ["retry-after": "3600"]),
    .answer(500),
    .answer(401),
  ])
  func `a flush doesn't end the retry pause if a server responded`(
    failure: ScriptedTransport.Step
  ) async throws {
    let time = try VirtualTime.current
    let transport = ScriptedTransport { _, _ in failure }
    let analytics = try HTTPAnalytics(transport, folder)
    analytics.track(0..<10)
    try await time.advance(by: .seconds(3_600))
    let before = transport.exchanges.count
    for _ in 0..<60 {
      analytics.flush()
      try await time.advance(by: .seconds(1))
    }
    #expect(transport.exchanges.count - before <= 2)
    #expect(analytics.status.waiting == 10)
  }
}
