// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientCollectors
import AmbientTesting
import Foundation
import TestSupport
import Testing

/// A service of several nodes, of which half give another answer than a healthy node does.
@Suite(.virtualTime(from: "2026-11-27T00:00:00Z", advances: .byHand), .quiet)
struct `Services with broken nodes` {
  private static let page = "<!DOCTYPE html><p>Something went wrong"

  /// The answers of a broken node.
  private static let broken: [(status: Int, headers: [String: String], body: String)] = [
    (200, [:], page), (400, [:], page), (404, [:], page), (500, [:], page), (502, [:], page),
    (500, [:], ""), (501, [:], ""), (503, [:], ""), (507, [:], ""), (599, [:], ""), (408, [:], ""),
    (429, [:], ""), (401, [:], ""), (403, [:], ""), (404, [:], ""), (511, [:], ""),
    (500, [:], "Code: 241. DB::Exception: memory"), (500, [:], "Code: 497. DB::Exception: rights"),
    (500, [:], "Code: 1001. DB::Exception: std"), (500, [:], "Code: 3000. DB::Exception: new"),
    (400, ["x-clickhouse-exception-code": "36"], "cut"),
    (200, ["x-clickhouse-exception-code": "999"], "cut"),
  ]

  private let folder = TemporaryFolder()

  /// The events that a service with that script has after two hours, and the status then.
  private func outcome(
    of events: Int, _ number: Int, _ script: @escaping @Sendable (Int, [String]) -> Bool
  ) async throws -> (status: DeliveryStatus, arrived: [Int]) {
    let time = try VirtualTime.current
    let arrived = Guarded<[Int]>([])
    let answer = Self.broken[number]
    let transport = ScriptedTransport { request, lines in
      if script(request, lines) {
        return .answer(answer.status, headers: answer.headers, body: answer.body)
      }
      arrived.withLock { $0 += numbers(lines) }
      return .answer(200)
    }
    let analytics = try HTTPAnalytics(transport, folder)
    analytics.track(0..<events)
    for _ in 0..<8 { try await time.advance(by: .seconds(900)) }
    let status = analytics.status
    await analytics.shutdown(deadline: .now)
    return (status, arrived.withLock { $0 })
  }

  @Test(arguments: broken.indices)
  func `if broken nodes answer half of all requests, at most one of 500 events is lost`(
    number: Int
  ) async throws {
    for seed in 0..<TestRun.rounds(1, all: 3, full: 20) {
      let random = Guarded(SeededNumbers(seed * 1_000 + number))
      let (status, arrived) = try await outcome(of: 500, number) { _, _ in
        random.withLock { $0.next() % 2 == 0 }
      }
      #expect(status.delivered + status.refused == 500, "\(status)")
      #expect(status.refused <= 1 && status.waiting == 0, "\(status)")
      #expect(arrived.count == status.delivered && Set(arrived).count == arrived.count)
      try FileManager.default.removeItem(atPath: folder.path("queue"))
    }
  }

  @Test(arguments: [(500, "status 500"), (400, "ClickHouse code 36")])
  func `an event that every node of a service refuses doesn't delay other events`(
    status: Int, reason: String
  ) async throws {
    let time = try VirtualTime.current
    let body = status == 400 ? "Code: 36. DB::Exception: Bad arguments" : ""
    let transport = ScriptedTransport { _, lines in
      numbers(lines).contains(137) ? .answer(status, body: body) : .answer(200)
    }
    let analytics = try HTTPAnalytics(transport, folder)
    analytics.track(0..<500)
    try await time.advance(by: .seconds(120))
    #expect(analytics.status.delivered == 499 && analytics.status.waiting == 1)
    #expect(analytics.lostEvents == 0)
    // Nothing else is accepted in an hour.
    try await time.advance(by: .seconds(3_600))
    #expect(analytics.lostEvents == 0 && analytics.status.waiting == 1)
    // Now and then there are others, which go at once.
    for round in 1...20 {
      analytics.track(1_000 + round..<1_001 + round)
      try await time.advance(by: .seconds(10))
      #expect(analytics.status.delivered == 499 + round)
      try await time.advance(by: .seconds(60))
    }
    #expect(analytics.status.lost == [reason: 1] && analytics.status.refused == 1)
    #expect(analytics.status.waiting == 0)
  }

  @Test(arguments: ["", page, "Code: 1001. DB::Exception: std"])
  func `if one of 20 events always gets a 500, the other 19 arrive within ten seconds`(
    body: String
  ) async throws {
    let time = try VirtualTime.current
    let transport = ScriptedTransport { _, lines in
      numbers(lines).contains(7) ? .answer(500, body: body) : .answer(200)
    }
    let options = UploadOptions().with {
      $0.interval = .seconds(1)
      $0.backoff = .milliseconds(10)
    }
    let analytics = try HTTPAnalytics(transport, folder, upload: options)
    analytics.track(0..<20)
    try await time.advance(by: .seconds(10))
    #expect(analytics.status.delivered == 19 && analytics.status.waiting == 1)
    let reason = body.hasPrefix("Code") ? "ClickHouse code 1001" : "status 500"
    #expect(analytics.status.setAside == [reason: 1])
    #expect(Test.reports.map(\.kind) == [.undelivered, .recovered])
    // The others are accepted in between, so the tenth equal answer proves the event's fault.
    for round in 1...9 {
      analytics.track(100 + round..<101 + round)
      try await time.advance(by: .seconds(70))
      #expect(analytics.status.delivered == 19 + round)
      #expect(analytics.status.refused == (round == 9 ? 1 : 0))
    }
    #expect(analytics.lostEvents == 1 && analytics.status.waiting == 0)
    #expect(analytics.status.setAside.isEmpty)
    #expect(Test.reports.map(\.kind) == [.undelivered, .recovered, .undelivered])
    #expect(transport.exchanges.count { numbers($0.lines) == [7] } == 10)
  }

  @Test func `if all single-event requests get a 500, fewer than 150 are sent in two hours`()
    async throws
  {
    let time = try VirtualTime.current
    let start = Time.now
    let transport = ScriptedTransport { number, _ in
      number == 0 || Time.now.timeIntervalSince(start) > 7_200 ? .answer(200) : .answer(500)
    }
    let analytics = try HTTPAnalytics(
      transport, folder, limits: RequestLimits(events: 1, bytes: 1_000))
    analytics.track(0..<10)
    try await time.advance(by: .seconds(7_200))
    #expect(analytics.status.delivered == 1 && analytics.lostEvents == 0)
    #expect(analytics.status.trouble?.reason == "status 500")
    #expect(transport.exchanges.count < 150, "\(transport.exchanges.count) requests")
    try await time.advance(by: .seconds(700))
    #expect(analytics.status.delivered == 10 && analytics.status.trouble == nil)
  }

  @Test func `after an event that always gets a 500 is erased, a new event is delivered`()
    async throws
  {
    let time = try VirtualTime.current
    let transport = ScriptedTransport { _, lines in
      .answer(numbers(lines).contains(0) ? 500 : 200)
    }
    let analytics = try HTTPAnalytics(transport, folder)
    Analytics.withUser("ada") { analytics.track(0..<1) }
    try await time.advance(by: .seconds(3_600))
    #expect(analytics.status.waiting == 1)
    #expect(analytics.erase(user: "ada") == 1)
    analytics.track(1..<2)
    try await time.advance(by: .seconds(10))
    #expect(analytics.status.delivered == 1 && analytics.status.waiting == 0)
  }

  @Test
  func `during a day of 500 responses, fewer than 700 requests are sent and no event is lost`()
    async throws
  {
    let time = try VirtualTime.current
    let start = Time.now
    let transport = ScriptedTransport { _, _ in
      Time.now.timeIntervalSince(start) < 86_400 ? .answer(500) : .answer(200)
    }
    let analytics = try HTTPAnalytics(transport, folder)
    analytics.track(0..<500)
    try await time.advance(by: .seconds(86_400))
    #expect(analytics.lostEvents == 0 && analytics.status.waiting == 500)
    #expect(transport.exchanges.count < 700, "\(transport.exchanges.count) requests")
    try await time.advance(by: .seconds(700))
    #expect(analytics.status.delivered == 500)
  }
}
