// Has comments and imports as others write them.
// swift-format-ignore-file: OrderedImports, NoBlockComments
#if canImport(Foundation)
  import Foundation
#endif
import Observation

// A comment after a call names what the audit must report there, and nowhere else.

/// Reads `Date()`.
struct Visit {
  var begun = Date()  // Date()
  var end: Date = .now  // Date.now
  let text = "Date() is \(Date())"  // Date()
  let same = (Foundation.Date(), "Date()", /* Date() */ #"\"Date()"#)  // Date()

  func isOver(after seconds: Double) -> Bool {
    Date.now > begun  // Date.now
      && Date(timeIntervalSinceNow: seconds) > end  // Date(timeIntervalSinceNow:)
  }

  var age: TimeInterval { -begun.timeIntervalSinceNow }  // Date.timeIntervalSinceNow
}

@Observable final class Session {
  var begun = Date()  // Date()
}

func sleep(for seconds: UInt64) async throws {
  try await Task.sleep(for: .seconds(1))  // Task.sleep(for:)
  try await Task.sleep(nanoseconds: max(1, seconds * 1_000))  // Task.sleep(nanoseconds:)
  try await Task.sleep(nanoseconds: .init(seconds))  // Task.sleep(nanoseconds:)
}

func measured(_ work: () -> Void) -> Duration {
  let start = ContinuousClock().now  // ContinuousClock
  work()
  return start.duration(to: ContinuousClock.now)  // ContinuousClock
}

/// Needs the type of the clock.
func deadline() -> ContinuousClock.Instant {
  ContinuousClock.now  // ContinuousClock
}
