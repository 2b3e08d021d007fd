import Ambient
import AmbientCollectors
import AmbientTesting
import Foundation
import TestSupport
import Testing

@Suite(.virtualTime(from: "2026-11-27T00:00:00Z", advances: .byHand), .quiet)
struct `A server that refuses` {
  private let folder = TemporaryFolder()

  @Test func `everything costs few events until it takes some again`() async throws {
    let time = try VirtualTime.current
    let start = Time.now
    let transport = ScriptedTransport { _, _ in
      Time.now.timeIntervalSince(start) < 3_600 ? .answer(400, body: "what?") : .answer(200)
    }
    let analytics = try HTTPAnalytics(transport, folder)
    analytics.track(0..<1_000)
    try await time.advance(by: .seconds(3_599))
    let dropped = analytics.lostEvents
    #expect((101...180).contains(dropped), "\(dropped) were dropped")
    #expect(analytics.status.waiting == 1_000 - dropped)
    #expect(analytics.status.trouble?.reason == "status 400 for every event (what?)")
    try await time.advance(by: .seconds(601))
    #expect(analytics.status.delivered == 1_000 - dropped)
    #expect(analytics.lostEvents == dropped)
    #expect(analytics.status.trouble == nil)
  }

  @Test func `large requests for a while gets larger ones again`() async throws {
    let time = try VirtualTime.current
    let isStrict = Guarded(true)
    let transport = ScriptedTransport { _, lines in
      .answer(isStrict.withLock { $0 } && lines.count > 10 ? 413 : 200)
    }
    let analytics = try HTTPAnalytics(
      transport, folder, upload: UploadOptions(events: 80, interval: .seconds(1)))
    func send(_ count: Int) async throws -> [Int] {
      let before = transport.exchanges.count
      analytics.track(0..<count)
      try await time.advance(by: .seconds(10))
      return transport.exchanges.dropFirst(before).map(\.lines.count)
    }
    _ = try await send(80)
    // It tries a larger one rarely, and more and more so.
    let counts = try await send(8_000)
    let refused = counts.count { $0 > 10 }
    #expect((2...12).contains(refused), "\(refused) were too large")
    isStrict.withLock { $0 = false }
    #expect(try await send(20_000).max() == 80)
    #expect(try await send(800).allSatisfy { $0 > 40 })
    #expect(analytics.status.delivered == 28_880)
  }

  @Test(arguments: [true, false])
  func `with a wait has it kept, though the queue is changed`(isErased: Bool) async throws {
    let time = try VirtualTime.current
    let transport = ScriptedTransport([.answer(429, headers: ["retry-after": "100"])])
    let consent = Consent([.analytics: .granted])
    let analytics = try HTTPAnalytics(
      url: "http://events.example/",
      queue: EventQueue(folder: folder.path("q"), consent: consent), transport: transport)
    analytics.track(Event("numbered", ["number": 0], user: "ada"))
    analytics.track(1..<3)
    try await time.advance(by: .seconds(20))
    #expect(transport.exchanges.count == 1)
    if isErased {
      #expect(analytics.erase(user: "ada") == 1)
    } else {
      consent.set(.denied, for: .analytics)
      consent.set(.granted, for: .analytics)
      analytics.track(1..<3)
    }
    analytics.flush()
    try await time.advance(by: .seconds(80))
    #expect(transport.exchanges.count == 1)
    try await time.advance(by: .seconds(10))
    #expect(transport.exchanges.map { numbers($0.lines) } == [[0, 1, 2], [1, 2]])
    #expect(transport.seconds == [0, 100])
  }

  @Test func `is shown without a secret that its words end within`() async throws {
    let time = try VirtualTime.current
    let secret = "4f9d8a7b6c5e4f3a2b1c0d9e8f7a6b5c"
    let body = String(repeating: "x", count: 285) + secret + "more"
    let transport = ScriptedTransport { _, _ in .answer(503, body: body) }
    let analytics = try HTTPAnalytics(
      url: "http://events.example/", headers: ["X-Key": secret],
      queue: EventQueue(folder: folder.path("q")), transport: transport)
    analytics.track(0..<1)
    try await time.advance(by: .seconds(5))
    let reason = analytics.status.trouble?.reason ?? ""
    #expect(reason.hasPrefix("status 503 (xxx") && !reason.contains("4f9d"), "\(reason)")
  }
}
