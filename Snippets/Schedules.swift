// SPDX-License-Identifier: Apache-2.0

// A test that runs in many orders of its tasks, and the report of the order in which it fails.

import Ambient
import AmbientTesting
import Testing

// snippet.points
/// Knows how many points an order gives. In production, this is a server.
protocol PointsRules: Sendable {
  func points(for euros: Int) async throws -> Int
}

/// The points that a customer has collected.
actor Points {
  private(set) var total = 0
  private let rules: any PointsRules

  init(_ rules: any PointsRules) { self.rules = rules }

  func collect(for euros: Int) async throws {
    let before = total
    let earned = try await rules.points(for: euros)
    total = before + earned
    Log.info("points collected", ["euros": euros, "total": total])
  }
}
// snippet.end

// snippet.stubs
struct TwoPoints: PointsRules {
  func points(for euros: Int) async throws -> Int {
    await Task.yield()  // the wait for the server
    return 2 * euros
  }
}

struct Bank {
  func charge(_ euros: Int) async throws {
    for _ in 0..<3 { await Task.yield() }
  }
}
// snippet.end

@Suite struct `First in, first out` {
  // snippet.test
  @Test(.virtualTime(from: "2026-11-27T00:00:00Z"), .log(LogRecorder()))
  func `two orders collect their points`() async throws {
    let (points, bank) = (Points(TwoPoints()), Bank())
    let voucher = Time.task(name: "paid by voucher") { try await points.collect(for: 30) }
    let card = Time.task(name: "paid by card") {
      try await bank.charge(10)
      try await points.collect(for: 10)
    }
    try await voucher.value
    try await card.value
    let total = await points.total
    #expect(total == 80)
  }
  // snippet.end
}

// snippet.explored

@Test(.virtualTime(from: "2026-11-27T00:00:00Z", schedules: 1_000), .log(LogRecorder()))
// snippet.end
func `two orders collect their points`() async throws {
  let (points, bank) = (Points(TwoPoints()), Bank())
  let voucher = Time.task(name: "paid by voucher") { try await points.collect(for: 30) }
  let card = Time.task(name: "paid by card") {
    try await bank.charge(10)
    try await points.collect(for: 10)
  }
  try await voucher.value
  try await card.value
  let total = await points.total
  #expect(total == 80)
}

// snippet.replaying

@Test(
  .virtualTime(from: "2026-11-27T00:00:00Z", schedules: 1_000, replaying: [8_341]),
  .log(LogRecorder()))
// snippet.end
func `one order collects its points`() async throws {
  let points = Points(TwoPoints())
  try await points.collect(for: 30)
  let total = await points.total
  #expect(total == 60)
}

// Runs the tests of this file, as `swift test` does, for what they print. One of them fails.
let _: CInt = await Testing.__swiftPMEntryPoint()

struct LostPoints: Error {}

enum Corrected {
  actor Points {
    private(set) var total = 0
    private let rules: any PointsRules

    init(_ rules: any PointsRules) { self.rules = rules }

    // snippet.corrected
    func collect(for euros: Int) async throws {
      let earned = try await rules.points(for: euros)
      total += earned
      Log.info("points collected", ["euros": euros, "total": total])
    }
    // snippet.end
  }

  static func search() async throws {
    // snippet.virtual
    let total = try await Time.virtual(from: "2026-11-27T00:00:00Z", schedules: 1_000) { _ in
      let points = Points(TwoPoints())
      try await withThrowingTaskGroup(of: Void.self) { orders in
        for euros in 1...3 { orders.addTask { try await points.collect(for: euros) } }
        try await orders.waitForAll()
      }
      let total = await points.total
      if total != 12 { throw LostPoints() }
      return total
    }
    print(total)  // 12
    // snippet.end
  }
}

// Otherwise, each run would write three lines to standard error.
Log.instance = NoLog()
try await Corrected.search()
