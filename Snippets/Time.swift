// SPDX-License-Identifier: Apache-2.0

// Time: the verbs, waiting, and virtual time.

import Ambient
import AmbientTesting
import Foundation
import Testing

// snippet.read
let placed = Time.now
let began = Time.uptime
print("placed \(placed), and it took \(Time.uptime - began)")
// snippet.end

// snippet.verbs
try Time.freeze(at: "2026-11-27T00:00:00-05:00") { print(Time.now) }  // stands still
try Time.travel(to: "2026-11-27T00:00:00Z") { print(Time.now) }  // starts there, and runs on
Time.travel(by: .seconds(-3_600)) { print(Time.now) }  // an hour ago, and runs on
try await Time.scale(by: 60) { try await Time.sleep(for: .seconds(60)) }  // lasts a second
// snippet.end

// snippet.advance
let frozen = try FixedTime(at: "2026-11-27T00:00:00Z")
Time.withInstance(frozen) {
  let spent = Time.measure { frozen.advance(by: .seconds(2)) }
  print(spent)  // 2.0 seconds
}
// snippet.end

// snippet.sleep
try await Time.sleep(for: .milliseconds(20))
try await Time.sleep(until: Time.now + 0.02)
// snippet.end

actor Cache {
  func removeExpired(at date: Date) {}
}

// snippet.timer
func tidy(_ cache: Cache) async throws {
  for try await now in Time.timer(every: .seconds(60)) { await cache.removeExpired(at: now) }
}
// snippet.end

// snippet.timeout
func answer(_ fetch: @escaping @Sendable () async throws -> String) async throws -> String {
  do {
    return try await Time.timeout(after: .seconds(5)) { try await Time.hold { try await fetch() } }
  } catch let error as Time.TimeoutError {
    Log.warning("no answer within \(error.duration)")
    return "unknown"
  }
}
// snippet.end

// snippet.held
@Test(.virtualTime(from: "2026-11-27T00:00:00Z"))
func `a server has five seconds to answer`() async throws {
  let text = try await answer {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().asyncAfter(deadline: .now() + 0.5) {
        continuation.resume(returning: "yes")
      }
    }
  }
  #expect(text == "yes")
  #expect(Time.uptime == .zero)
}
// snippet.end

// snippet.outbox
/// Looks ten times a second whether its report is due.
actor Outbox {
  private(set) var isSent = false
  private let due = Time.now + 50 * 3_600

  func run() async throws {
    for try await now in Time.timer(every: .milliseconds(100)) where now >= due {
      isSent = true
      return
    }
  }
}
// snippet.end

// snippet.polling
@Test(.virtualTime(from: "2026-11-27T00:00:00Z", advances: .byHand))
func `a report is sent after 50 hours`() async throws {
  let time = try VirtualTime.current
  let outbox = Outbox()
  let task = Time.task { try await outbox.run() }
  try await time.advance(by: .zero)  // the loop begins
  try await time.jump(by: .seconds(50 * 3_600 - 1))  // one late tick
  #expect(await outbox.isSent == false)
  try await time.advance(by: .seconds(1))  // ten ticks
  #expect(await outbox.isSent)
  try await task.value
}
// snippet.end

// snippet.clock
func debounced<C: Clock<Duration>>(_ clock: C, _ body: () -> Void) async throws {
  try await Task.sleep(until: clock.now.advanced(by: .milliseconds(300)), clock: clock)
  body()
}
try await debounced(Time.clock()) { print("quiet for a while") }
// snippet.end

// snippet.measure
let elapsed = try await Time.measure { try await Time.sleep(for: .milliseconds(20)) }
// snippet.end

// snippet.reservation
/// Goods that are reserved for a customer for a quarter of an hour.
actor Reservation {
  private(set) var isExpired = false

  func expire() async throws {
    try await Time.sleep(for: .seconds(15 * 60))
    isExpired = true
    Log.info("reservation expired")
  }
}
// snippet.end

// snippet.virtual
try await Time.virtual(from: "2026-11-27T00:00:00Z") { time in
  let reservation = Reservation()
  Time.task { try await reservation.expire() }
  try await time.advance(by: .seconds(15 * 60 - 1))
  print(await reservation.isExpired)  // false
  try await time.advance(by: .seconds(1))
  print(await reservation.isExpired)  // true
}
// snippet.end

// snippet.alone
try await Time.virtual(from: "2026-11-27T00:00:00Z") { _ in
  try await Time.sleep(for: .seconds(86_400))  // takes no real time
  print(Time.now)  // 2026-11-28 00:00:00 +0000
}
// snippet.end

// snippet.inspect
try await Time.virtual(from: "2026-11-27T00:00:00Z") { time in
  Time.task(name: "expiry") { try await Time.sleep(for: .seconds(900)) }
  try await time.advance(by: .zero)  // lets the task begin
  for sleeper in time.sleepers { print(sleeper) }
  try await time.run()
  print(time.sleeps.map(\.duration))  // [900.0 seconds]
}
// snippet.end

@MainActor
final class Model {
  var total = 0

  func load() async {}
}

// snippet.hold
func refresh(_ model: Model) async throws {
  try await Time.sleep(for: .seconds(30))
  await Time.hold { await model.load() }  // for the main actor, I/O or a callback
}
// snippet.end

// snippet.mainactorwork
@MainActor
final class Feed {
  private(set) var entries = 0

  func start() {
    Time.task {
      try await Time.sleep(for: .seconds(5))
      self.entries += 1
    }
  }
}
// snippet.end

// snippet.capture
func expireLater(_ reservation: Reservation, on queue: OperationQueue) {
  let scope = AmbientScope.capture()
  queue.addOperation {
    scope.run { _ = Time.task { try await reservation.expire() } }
  }
}
// snippet.end

// snippet.sleepers
try await Time.virtual(from: "2026-11-27T00:00:00Z") { time in
  let reservation = Reservation()
  expireLater(reservation, on: OperationQueue())
  try await time.advance(by: .zero, sleepers: 1)  // waits until the task sleeps
  try await time.advance(by: .seconds(15 * 60))
  print(await reservation.isExpired)  // true
}
// snippet.end

// snippet.traits
@Suite(.frozen(at: "2026-11-27T00:00:00-05:00"))
struct `Black Friday` {
  @Test func `has begun`() throws {
    #expect(try Time.now == Date(iso8601: "2026-11-27T05:00:00Z"))
  }

  @Test(.virtualTime(from: "2026-11-27T00:00:00Z"))
  func `a reservation expires after a quarter of an hour`() async throws {
    let time = try VirtualTime.current
    let reservation = Reservation()
    let expiry = Time.task { try await reservation.expire() }
    try await time.advance(by: .seconds(15 * 60))
    #expect(await reservation.isExpired)
    try await expiry.value
  }

  @Test(.scaled(by: 1_000))
  func `waits for real, a thousand times as fast`() async throws {
    try await Time.sleep(for: .seconds(5))
  }
}
// snippet.end

// snippet.mainactor
@MainActor
@Test(.virtualTime(from: "2026-11-27T00:00:00Z"))
func `a model ticks every second`() async throws {
  let time = try VirtualTime.current
  var ticks = 0
  let model = Task {
    for try await _ in Time.timer(every: .seconds(1)) { ticks += 1 }
  }
  try await time.advance(by: .seconds(60))
  #expect(ticks == 60)
  model.cancel()
  _ = await model.result
}
// snippet.end

// snippet.subclass
/// The time of a machine whose clock is known to be late.
final class CorrectedTime: Time, @unchecked Sendable {
  private let lateness: Duration

  init(lateness: Duration) { self.lateness = lateness }

  override var now: Date { super.now.addingTimeInterval(lateness / .seconds(1)) }
}
// snippet.end
