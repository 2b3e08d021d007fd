// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientTesting
import Foundation
import TestSupport
import Testing

@testable import AmbientCollectors

/// A destination of lines that judges answers as it is told, and notes when it writes an event.
private final class Judging: LineDestination {
  let name = "Judging"
  let limits = RequestLimits(events: 100, bytes: 100_000)
  private let judge: @Sendable (HTTPAnswer) -> DeliveryVerdict
  private let dates = Guarded<[Date]>([])

  init(
    _ judge: @escaping @Sendable (HTTPAnswer) -> DeliveryVerdict = {
      .usual(for: $0, now: Time.now)
    }
  ) { self.judge = judge }

  var written: [Date] { dates.withLock { $0 } }

  func entry(for record: [UInt8], at date: Date, now: Date) throws(EventRefusal) -> EventEntry {
    dates.withLock { $0.append(Time.now) }
    return EventEntry(record)
  }

  func verdict(on answer: HTTPAnswer, now: Date) -> DeliveryVerdict { judge(answer) }
}

/// Answers nothing until it is cancelled.
private final class Hanging: HTTPTransport {
  let isAsked = Guarded(false)
  let isCancelled = Guarded(false)

  func exchange(
    _ request: OutgoingRequest, _ limits: ExchangeLimits
  ) async throws(TransportError) -> HTTPAnswer {
    isAsked.withLock { $0 = true }
    while !Task.isCancelled { try? await Task.sleep(for: .milliseconds(5)) }
    isCancelled.withLock { $0 = true }
    throw TransportError(.unknown, "given up")
  }
}

@Suite(.quiet) struct `Upload loop` {
  private let folder = TemporaryFolder()

  private func append(to queue: EventQueue) {
    let line = Array(#"{"id":"1"}"#.utf8)
    #expect(line.withUnsafeBytes { queue.journal.append($0, at: Time.now) })
  }

  @Test func `closing a collector cancels its request`() async throws {
    let queue = try EventQueue(folder: folder.path("queue"), .small)
    let transport = Hanging()
    let engine = try CollectorEngine(
      Judging(), queue: queue, upload: .prompt, transport: transport)
    append(to: queue)
    engine.flush()
    #expect(await Patience.waitIdly { transport.isAsked.withLock { $0 } })
    #expect(!transport.isCancelled.withLock { $0 })
    engine.close()
    #expect(await Patience.waitIdly { transport.isCancelled.withLock { $0 } })
  }

  @Test func `a shutdown ends as soon as all events are sent`() async throws {
    let queue = try EventQueue(folder: folder.path("queue"), .small)
    let engine = try CollectorEngine(
      Judging(), queue: queue, upload: .atFlush, transport: ScriptedTransport([]))
    append(to: queue)
    let isOver = Guarded(false)
    let ending = Task {
      await engine.shutdown(deadline: .now + .seconds(3_600))
      isOver.withLock { $0 = true }
    }
    #expect(await Patience.waitIdly { isOver.withLock { $0 } })
    ending.cancel()
    engine.close()
    #expect(engine.status.waiting == 0 && engine.status.delivered == 1)
  }

  @Test(arguments: [(1, 1), (0, 0), (-1, 0), (2, 2), (9, 2)])
  func `if a request is partly accepted, as many events count as lost as the verdict states`(
    refused: Int, lost: Int
  ) async throws {
    let destination = Judging { _ in .partlyAccepted(refused: refused, reason: "why") }
    let analytics = try QueuedAnalytics(
      destination, ScriptedTransport([]), folder, upload: .atFlush)
    analytics.track(0..<2)
    await analytics.finish()
    #expect(analytics.status.delivered == 2 - lost)
    #expect(analytics.status.lost == (lost > 0 ? ["why": lost] : [:]))
    #expect(analytics.status.waiting == 0 && analytics.status.trouble == nil)
  }

  @Test func `after a request is partly accepted, events refused earlier are sent again`()
    async throws
  {
    let transport = ScriptedTransport { _, lines in
      switch numbers(lines) {
      case [2, 3]: .answer(206)
      case [1]: .answer(200)
      default: .answer(400)
      }
    }
    // The second event is accepted only when it comes again.
    let hasCome = Guarded(false)
    let destination = Judging { answer in
      if answer.status == 206 { return .partlyAccepted(refused: 1, reason: "of two") }
      if answer.status == 200, hasCome.withLock({ $0.turnOn() }) { return .refused("first") }
      return .usual(for: answer, now: Time.now)
    }
    let analytics = try QueuedAnalytics(destination, transport, folder, upload: .atFlush)
    analytics.track(0..<4)
    await analytics.finish()
    #expect(
      transport.exchanges.map { numbers($0.lines) }
        == [[0, 1, 2, 3], [0, 1], [0], [1], [2, 3], [0], [1]])
    #expect(analytics.status.lost == ["of two": 1, "status 400": 1])
    #expect(analytics.status.delivered == 2 && analytics.status.waiting == 0)
  }

  @Test(.virtualTime(from: "2026-11-27T00:00:00Z", advances: .byHand), .quiet)
  func `a request is encoded again after two hours of failures`() async throws {
    let time = try VirtualTime.current
    let start = Time.now
    let destination = Judging()
    let transport = ScriptedTransport { _, _ in .failure(.unsent, "no network") }
    let analytics = try QueuedAnalytics(destination, transport, folder, upload: .unhurried)
    analytics.track(0..<1)
    func written() -> [Double] { destination.written.map { $0.timeIntervalSince(start) } }
    // Before the first attempt after 7,205 s, the events are read anew.
    try await time.advance(by: .seconds(7_205))
    #expect(written() == [5])
    try await time.advance(by: .seconds(305))
    #expect(written().count == 2 && written().last.map { $0 >= 7_205 } == true)
    try await time.advance(by: .seconds(6_800))
    #expect(written().count == 2)
    #expect(transport.exchanges.count > 80)
  }

  @Test(
    .virtualTime(from: "2026-11-27T00:00:00Z", advances: .byHand), .quiet, arguments: [595, 596])
  func `an event is retried only until it exceeds the queue's maximum age`(wait: Int) async throws {
    let time = try VirtualTime.current
    var options = EventQueue.Options.small
    options.maximumAge = .seconds(600)
    let transport = ScriptedTransport([.answer(503, headers: ["retry-after": "\(wait)"])])
    let analytics = try HTTPAnalytics(transport, folder, options)
    analytics.track(0..<1)
    try await time.advance(by: .seconds(700))
    #expect(transport.seconds == (wait == 595 ? [0, 595] : [0]))
    #expect(analytics.status.lost == (wait == 595 ? [:] : ["too old": 1]))
  }

  @Test(
    .virtualTime(from: "2026-11-27T00:00:00Z", advances: .byHand), .quiet, arguments: [200, 400])
  func `an accepted or refused request resets the backoff limit to one second`(
    status: Int
  ) async throws {
    let time = try VirtualTime.current
    let transport = ScriptedTransport { number, _ in
      .answer(number == 0 ? 200 : number.isMultiple(of: 2) ? status : 503)
    }
    let analytics = try HTTPAnalytics(
      transport, folder, limits: RequestLimits(events: 1, bytes: 10_000))
    analytics.track(0..<31)
    try await time.advance(by: .seconds(60))
    #expect(analytics.status.waiting == 0)
    let waits = zip(transport.seconds.dropFirst(), transport.seconds).map { $0 - $1 }
    #expect(waits.count == 60 && waits.allSatisfy { $0 <= 1 }, "\(waits)")
  }

  @Test func `a shutdown gives up after ten failed attempts since the last accepted request`()
    async throws
  {
    let transport = ScriptedTransport { number, _ in .answer(number == 1 ? 200 : 503) }
    let analytics = try HTTPAnalytics(
      transport, folder, limits: RequestLimits(events: 1, bytes: 10_000), upload: .atFlush)
    analytics.track(0..<2)
    await analytics.finish()
    let sent = numbers(transport.exchanges.flatMap(\.lines))
    #expect(sent == [0, 0] + Array(repeating: 1, count: 10))
    #expect(analytics.status.waiting == 1)
  }

  @Test func `before the delay of Retry-After has passed, nothing is sent, even at shutdown`()
    async throws
  {
    let transport = ScriptedTransport { _, _ in .answer(503, headers: ["retry-after": "3600"]) }
    let analytics = try HTTPAnalytics(transport, folder)
    analytics.track(0..<2)
    analytics.flush()
    #expect(await Patience.waitIdly { analytics.status.trouble != nil })
    await analytics.finish()
    #expect(transport.exchanges.count == 1 && analytics.status.waiting == 2)
  }

  @Test(.virtualTime(from: "2026-11-27T00:00:00Z"), .quiet)
  func `if the deadline is late enough, a shutdown waits until Retry-After has passed`()
    async throws
  {
    let transport = ScriptedTransport([.answer(503, headers: ["retry-after": "10"])])
    let analytics = try HTTPAnalytics(transport, folder)
    analytics.track(0..<2)
    await analytics.shutdown(deadline: .now + .seconds(1_000))
    #expect(transport.seconds == [0, 10])
    #expect(analytics.status.delivered == 2)
  }
}
