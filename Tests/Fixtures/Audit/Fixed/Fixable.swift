// Has comments and imports as others write them.
// swift-format-ignore-file: OrderedImports, NoBlockComments
import Ambient
#if canImport(Foundation)
  import Foundation
#endif
import Observation

// A comment after a call names what the audit must report there, and nowhere else.

/// Reads `Date()`.
struct Visit {
  var begun = Time.now  // Date()
  var end: Date = Time.now  // Date.now
  let text = "Date() is \(Date())"  // Date()
  let same = (Time.now, "Date()", /* Date() */ #"\"Date()"#)  // Date()

  func isOver(after seconds: Double) -> Bool {
    Time.now > begun  // Date.now
      && Time.now.addingTimeInterval(seconds) > end  // Date(timeIntervalSinceNow:)
  }

  var age: TimeInterval { -begun.timeIntervalSince(Time.now) }  // Date.timeIntervalSinceNow
}

@Observable final class Session {
  var begun = Time.now  // Date()
}

func sleep(for seconds: UInt64) async throws {
  try await Time.sleep(for: .seconds(1))  // Task.sleep(for:)
  try await Time.sleep(for: .nanoseconds(max(1, seconds * 1_000)))  // Task.sleep(nanoseconds:)
  try await Task.sleep(nanoseconds: .init(seconds))  // Task.sleep(nanoseconds:)
}

func measured(_ work: () -> Void) -> Duration {
  let start = Time.clock().now  // ContinuousClock
  work()
  return start.duration(to: Time.clock().now)  // ContinuousClock
}

/// Needs the type of the clock.
func deadline() -> ContinuousClock.Instant {
  ContinuousClock.now  // ContinuousClock
}
