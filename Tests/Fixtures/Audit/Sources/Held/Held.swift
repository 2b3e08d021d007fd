import Foundation

/// Looks like what escapes, and does not.
struct Held {
  let clock: any Clock<Duration>
  let zone: TimeZone

  func age(of date: Date, at now: Date) -> TimeInterval { now.timeIntervalSince(date) }

  func time() -> Int { 5 }

  func write(_ text: String) -> String {
    var written = ""
    print(text, time(), to: &written)
    return written
  }

  func pause() async throws { try await clock.sleep(for: .seconds(1)) }

  func parse(_ text: String) -> (UUID?, Date) {
    (UUID(uuidString: text), Date(timeIntervalSince1970: 0))
  }
}
