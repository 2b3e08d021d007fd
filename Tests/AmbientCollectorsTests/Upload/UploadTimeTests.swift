// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientCollectors
import AmbientTesting
import Foundation
import TestSupport
import Testing

@Suite(.virtualTime(from: "2026-11-27T00:00:00Z", advances: .byHand), .quiet)
struct `Upload timing` {
  private let folder = TemporaryFolder()

  @Test func `events that are tracked within one upload interval are sent together when it ends`()
    async throws
  {
    let time = try VirtualTime.current
    let transport = ScriptedTransport([])
    let analytics = try HTTPAnalytics(
      transport, folder, upload: UploadOptions().with { $0.interval = .seconds(5) })
    analytics.track(0..<2)
    try await time.advance(by: .seconds(4))
    analytics.track(2..<3)
    #expect(transport.exchanges.isEmpty)
    try await time.advance(by: .seconds(1))
    #expect(transport.exchanges.map { numbers($0.lines) } == [[0, 1, 2]])
    try await time.advance(by: .seconds(60))
    #expect(transport.exchanges.count == 1)
    analytics.track(3..<4)
    try await time.advance(by: .seconds(4))
    #expect(transport.exchanges.count == 1)
    try await time.advance(by: .seconds(1))
    #expect(transport.exchanges.count == 2)
  }

  @Test func `the upload interval starts when the oldest waiting event is tracked`()
    async throws
  {
    let time = try VirtualTime.current
    let transport = ScriptedTransport([])
    let analytics = try HTTPAnalytics(transport, folder)
    // A flush of nothing is over at once.
    analytics.flush()
    try await time.advance(by: .zero)
    analytics.track(Event("numbered", ["number": 0], user: "ada"))
    try await time.advance(by: .seconds(3))
    #expect(analytics.erase(user: "ada") == 1)
    try await time.advance(by: .zero)
    analytics.track(1..<2)
    try await time.advance(by: .seconds(4))
    #expect(transport.exchanges.isEmpty)
    analytics.flush()
    try await time.advance(by: .zero)
    #expect(transport.exchanges.count == 1)
    analytics.track(2..<3)
    try await time.advance(by: .seconds(4))
    #expect(transport.exchanges.count == 1)
    try await time.advance(by: .seconds(1))
    #expect(transport.exchanges.map { numbers($0.lines) } == [[1], [2]])
  }

  @Test func `a full batch or a flush triggers an upload before the upload interval ends`()
    async throws
  {
    let time = try VirtualTime.current
    let transport = ScriptedTransport([])
    let analytics = try HTTPAnalytics(
      transport, folder,
      upload: UploadOptions().with {
        $0.events = 10
        $0.interval = .seconds(3_600)
      })
    analytics.track(0..<9)
    try await time.advance(by: .zero)
    #expect(transport.exchanges.isEmpty)
    analytics.track(9..<10)
    try await time.advance(by: .zero)
    #expect(transport.exchanges.map { numbers($0.lines) } == [Array(0..<10)])
    analytics.track(10..<12)
    analytics.flush()
    try await time.advance(by: .zero)
    #expect(transport.exchanges.map { $0.lines.count } == [10, 2])
  }

  @Test func `a batch that reaches the limit of 5,000 bytes is sent before the interval ends`()
    async throws
  {
    let time = try VirtualTime.current
    let transport = ScriptedTransport([])
    let analytics = try HTTPAnalytics(
      transport, folder,
      upload: UploadOptions().with {
        $0.bytes = 5_000
        $0.interval = .seconds(3_600)
      })
    analytics.track(0..<10)
    try await time.advance(by: .zero)
    #expect(transport.exchanges.isEmpty)
    analytics.track(Event("long", ["number": 10, "text": String(repeating: "x", count: 4_000)]))
    try await time.advance(by: .zero)
    #expect(analytics.status.delivered == 11)
    #expect(transport.exchanges.allSatisfy { $0.request.body.count <= 5_000 })
  }

  @Test(arguments: [0, 1])
  func `a batch is sent early if it reaches its byte limit, but not if one byte is missing`(
    lack: Int
  ) async throws {
    let time = try VirtualTime.current
    let other = TemporaryFolder()
    defer { withExtendedLifetime(other) {} }
    let one = try HTTPAnalytics(
      ScriptedTransport([]), other, upload: UploadOptions().with { $0.interval = .seconds(3_600) })
    one.track(0..<1)
    let transport = ScriptedTransport([])
    let analytics = try HTTPAnalytics(
      transport, folder,
      upload: UploadOptions().with {
        $0.bytes = 2 * one.status.waitingBytes + lack
        $0.interval = .seconds(3_600)
      })
    analytics.track(0..<1)
    try await time.advance(by: .zero)
    analytics.track(1..<2)
    try await time.advance(by: .zero)
    #expect(transport.exchanges.isEmpty == (lack > 0))
    try await time.advance(by: .seconds(3_599))
    #expect(transport.exchanges.isEmpty == (lack > 0))
    try await time.advance(by: .seconds(1))
    #expect(analytics.status.delivered == 2)
  }

  @Test func `ten events of 110 kB fill a batch, which is sent before the upload interval ends`()
    async throws
  {
    let time = try VirtualTime.current
    let transport = ScriptedTransport([])
    let analytics = try HTTPAnalytics(
      transport, folder, EventQueue.Options(),
      upload: UploadOptions().with { $0.interval = .seconds(3_600) })
    let text = String(repeating: "x", count: 110_000)
    for number in 0..<9 { analytics.track(Event("long", ["number": number, "text": text])) }
    try await time.advance(by: .zero)
    #expect(transport.exchanges.isEmpty)
    analytics.track(Event("long", ["number": 9, "text": text]))
    try await time.advance(by: .zero)
    #expect(analytics.status.delivered == 10)
  }

  @Test func `during a day of failures, at most 1,200 uploads are attempted and no event is lost`()
    async throws
  {
    let time = try VirtualTime.current
    let start = Time.now
    let transport = ScriptedTransport { _, _ in
      Time.now.timeIntervalSince(start) < 86_400 ? .answer(503) : .answer(200)
    }
    let analytics = try HTTPAnalytics(transport, folder)
    for hour in 0..<24 {
      analytics.track((hour * 10)..<(hour * 10 + 10))
      try await time.advance(by: .seconds(3_600))
    }
    let attempts = transport.exchanges.count
    #expect((300...1_200).contains(attempts), "\(attempts) attempts")
    #expect(analytics.status.delivered == 0)
    #expect(analytics.status.waiting == 240)
    #expect(analytics.status.trouble?.attempts == attempts)
    #expect(analytics.status.trouble?.since == start + 5)
    try await time.advance(by: .seconds(600))
    #expect(analytics.status.delivered == 240)
    #expect(analytics.status.trouble == nil)
    #expect(analytics.lostEvents == 0)
    let delivered = transport.exchanges.dropFirst(attempts).flatMap(\.lines)
    #expect(numbers(delivered).sorted() == Array(0..<240))
  }

  @Test func `retry delays are random, with a limit that doubles with each failure`() async throws {
    let time = try VirtualTime.current
    let transport = ScriptedTransport { _, _ in .failure(.unsent, "the line is dead") }
    let analytics = try HTTPAnalytics(
      transport, folder,
      upload: UploadOptions().with {
        $0.events = 1
        $0.backoff = .seconds(1)
        $0.longestBackoff = .seconds(60)
      })
    analytics.track(0..<1)
    try await time.advance(by: .seconds(86_400))
    let waits = zip(transport.seconds.dropFirst(), transport.seconds).map { $0 - $1 }
    #expect(waits.count > 1_000)
    for (index, wait) in waits.enumerated() {
      #expect(wait <= min(60, Double(1 << min(index, 10))) + 0.001, "wait \(index)")
    }
    let late = waits.dropFirst(10)
    #expect(late.contains { $0 < 15 } && late.contains { $0 > 45 })
  }

  @Test(arguments: [
    ("120", 120.0), ("Fri, 27 Nov 2026 00:05:00 GMT", 295), ("999999999", 3_600),
    ("Friday, 27-Nov-26 00:05:00 GMT", 295), ("Fri Nov 27 00:05:00 2026", 295),
  ])
  func `Retry-After delays the next upload, but by an hour at most`(text: String, wait: Double)
    async throws
  {
    let time = try VirtualTime.current
    let transport = ScriptedTransport([
      .answer(503, headers: ["retry-after": text]), .answer(200),
    ])
    let analytics = try HTTPAnalytics(transport, folder)
    analytics.track(0..<1)
    try await time.advance(by: .seconds(5_000))
    #expect(transport.exchanges.count == 2)
    #expect(transport.seconds.last == wait)
  }

  @Test func `a date in Retry-After is interpreted relative to the server's Date header`()
    async throws
  {
    let time = try VirtualTime.current
    let transport = ScriptedTransport([
      .answer(
        429,
        headers: [
          "retry-after": "Wed, 01 Jan 2020 00:01:40 GMT", "date": "Wed, 01 Jan 2020 00:00:00 GMT",
        ])
    ])
    let analytics = try HTTPAnalytics(transport, folder)
    analytics.track(0..<1)
    try await time.advance(by: .seconds(5_000))
    #expect(transport.seconds == [0, 100])
  }

  @Test func `if a server always answers 401, the delays between requests grow`() async throws {
    let time = try VirtualTime.current
    let transport = ScriptedTransport { _, _ in .answer(401) }
    let analytics = try HTTPAnalytics(
      transport, folder, upload: UploadOptions().with { $0.longestBackoff = .seconds(600) })
    analytics.track(0..<5)
    try await time.advance(by: .seconds(86_400))
    let waits = zip(transport.seconds.dropFirst(), transport.seconds).map { $0 - $1 }
    for (index, wait) in waits.enumerated() {
      // From the tenth minute on, events are sent alone, after the interval.
      #expect(wait <= min(600, Double(1 << min(index, 10))) + 5.001, "wait \(index)")
    }
    #expect((144...600).contains(waits.count), "\(waits.count) waits")
    #expect(waits.contains { $0 > 300 })
    #expect(analytics.status.waiting == 5)
  }

  @Test func `a request without a response is retried after its time limit`() async throws {
    let time = try VirtualTime.current
    let transport = ScriptedTransport([.hang])
    let analytics = try HTTPAnalytics(
      transport, folder,
      upload: UploadOptions().with {
        $0.backoff = .milliseconds(1)
        $0.exchange = ExchangeLimits(duration: .seconds(7))
      })
    analytics.track(0..<1)
    try await time.advance(by: .seconds(11))
    #expect(transport.exchanges.count == 1)
    try await time.advance(by: .seconds(2))
    #expect(transport.exchanges.count == 2)
    #expect(transport.exchanges[0].lines == transport.exchanges[1].lines)
    #expect(analytics.status.delivered == 1)
  }

  @Test func `a batch that fills up during a request is sent right after that request`()
    async throws
  {
    let time = try VirtualTime.current
    let tracking = Guarded<HTTPAnalytics?>(nil)
    let transport = ScriptedTransport { number, _ in
      if number == 0 { tracking.withLock { $0 }?.track(13..<22) }
      return .answer(200)
    }
    let analytics = try HTTPAnalytics(
      transport, folder,
      upload: UploadOptions().with {
        $0.events = 10
        $0.interval = .seconds(1_000_000)
      })
    tracking.withLock { $0 = analytics }
    analytics.track(0..<13)
    try await time.advance(by: .seconds(1))
    #expect(analytics.status.delivered == 20 && analytics.status.waiting == 2)
    analytics.track(22..<29)
    try await time.advance(by: .seconds(1))
    #expect(analytics.status.waiting == 9)
    analytics.track(29..<30)
    try await time.advance(by: .seconds(1))
    #expect(analytics.status.delivered == 30 && analytics.status.waiting == 0)
    tracking.withLock { $0 = nil }
  }
}

@Suite(.quiet) struct `Uploads in frozen time` {
  private let folder = TemporaryFolder()

  @Test(.frozen(at: "2026-11-27T00:00:00Z"), .quiet)
  func `in frozen time, a failed request is retried only after a flush or a new event`()
    async throws
  {
    let isUp = Guarded(false)
    let transport = ScriptedTransport { _, _ in .answer(isUp.withLock { $0 } ? 200 : 503) }
    let analytics = try HTTPAnalytics(transport, folder, upload: .atFlush)
    analytics.track(0..<1)
    for count in 1...5 {
      analytics.flush()
      #expect(await Patience.waitIdly { transport.exchanges.count >= count })
    }
    // The event and each flush end one wait at most.
    #expect(transport.exchanges.count <= 7)
    isUp.withLock { $0 = true }
    #expect(await analytics.isEmptiedByFlushes())
    // What failed before is not waited for any more.
    analytics.track(1..<2)
    #expect(await analytics.isEmptiedAfterFlush())
  }

  @Test(.frozen(at: "2026-11-27T00:00:00Z"), .quiet)
  func `in frozen time, an event that fills a batch triggers a retry`() async throws {
    let server = try LoopbackServer([.answer(503)])
    let analytics = try HTTPAnalytics(
      server, folder,
      upload: UploadOptions().with {
        $0.events = 1
        $0.exchange = UploadOptions.patient
      })
    analytics.track(0..<1)
    // The ring of the first event may still be heard then, which ends the wait, too.
    #expect(await Patience.waitIdly { !server.requests.isEmpty })
    analytics.track(1..<2)
    #expect(await Patience.waitIdly { analytics.status.delivered == 2 })
    await analytics.finish()
  }

  @Test(.frozen(at: "2026-11-27T00:00:00Z"), .quiet)
  func `in frozen time, a flush, a full batch and a shutdown each send the waiting events`()
    async throws
  {
    let server = try LoopbackServer([.answer(503)])
    let analytics = try HTTPAnalytics(
      server, folder,
      upload: UploadOptions().with {
        $0.events = 10
        $0.exchange = UploadOptions.patient
      })
    analytics.track(0..<3)
    analytics.flush()
    #expect(await Patience.waitIdly { !server.requests.isEmpty })
    analytics.track(3..<10)
    #expect(await analytics.isEmptiedAfterFlush())
    analytics.track(10..<12)
    await analytics.finish()
    #expect(analytics.status.delivered == 12)
  }
}

@Suite(.quiet) struct `Real servers in virtual time` {
  private let folder = TemporaryFolder()

  @Test(.virtualTime(from: "2026-11-27T00:00:00Z"), .quiet)
  func `virtual time doesn't advance while a real server prepares its response`() async throws {
    let server = try LoopbackServer { _, _ in
      usleep(50_000)
      return .answer(200)
    }
    var upload = UploadOptions.prompt
    upload.exchange.duration = .seconds(30)
    let analytics = try HTTPAnalytics(server, folder, upload: upload)
    analytics.track(0..<3)
    try await Time.sleep(for: .seconds(3_600))
    #expect(analytics.status.delivered == 3)
    #expect(server.requests.count == 1)
  }

  @Test(.virtualTime(from: "2026-11-27T00:00:00Z"), .quiet)
  func `in virtual time, a request to a hanging real server times out by real time`() async throws {
    let server = try LoopbackServer([.hang])
    var upload = UploadOptions.prompt
    upload.exchange.duration = .milliseconds(300)
    let analytics = try HTTPAnalytics(server, folder, upload: upload)
    analytics.track(0..<3)
    try await Time.sleep(for: .seconds(3_600))
    #expect(analytics.status.delivered == 3)
    // A healthy exchange may miss the limit, too, where the machine is busy.
    #expect(server.requests.count >= 2)
  }
}

/// A clock that shows no number, or none that a duration can have.
private final class BrokenClock: Time, @unchecked Sendable {
  private let seconds: Double

  init(_ seconds: Double) { self.seconds = seconds }

  override var now: Date { Date(timeIntervalSince1970: seconds) }
}

@Suite(.quiet) struct `Clocks with invalid dates` {
  @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300])
  func `an upload neither crashes nor stops if the clock returns an invalid date`(seconds: Double)
    async throws
  {
    let folder = TemporaryFolder()
    var limited = EventQueue.Options.small
    limited.maximumAge = .seconds(86_400)
    try await Time.withInstance(BrokenClock(seconds)) {
      let transport = ScriptedTransport([.answer(503), .answer(503), .answer(200)])
      let analytics = try HTTPAnalytics(transport, folder, limited, upload: .prompt)
      analytics.track(0..<3)
      #expect(await analytics.isEmptiedAfterFlush())
      await analytics.finish()
      let status = analytics.status
      #expect(status.delivered + (status.lost["too old"] ?? 0) == 3)
    }
  }
}
