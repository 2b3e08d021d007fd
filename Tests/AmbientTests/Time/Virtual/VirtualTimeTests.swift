import Ambient
import Foundation
import Synchronization
import Testing

/// What happened, in order.
final class Journal: Sendable {
  private let kept = Mutex<[String]>([])

  var lines: [String] { kept.withLock { $0 } }

  func note(_ line: String) { kept.withLock { $0.append(line) } }

  /// Notes the line with the seconds that passed.
  func stamp(_ line: String) { note("\(Time.uptime / .seconds(1)) \(line)") }
}

struct `Virtual time` {
  static let start = "2026-11-27T00:00:00Z"

  @Test func `passes by itself while all wait`() async throws {
    let journal = Journal()
    try await Time.virtual(from: Self.start) { _ in
      await withThrowingTaskGroup { group in
        for seconds in [3, 1, 2] {
          group.addTask {
            try await Time.sleep(for: .seconds(seconds))
            journal.stamp("child of \(seconds)")
          }
        }
      }
      try await Time.sleep(for: .seconds(86_400))
      journal.stamp("body")
      #expect(try Time.now == Date(iso8601: "2026-11-28T00:00:03Z"))
    }
    #expect(
      journal.lines == ["1.0 child of 1", "2.0 child of 2", "3.0 child of 3", "86403.0 body"])
  }

  @Test func `stops at every deadline when advanced, and each sleeper sees its own due time`()
    async throws
  {
    let journal = Journal()
    try await Time.virtual(from: Self.start) { time in
      let task = Time.task {
        for try await date in Time.timer(every: .seconds(10)) {
          journal.note(date.iso8601(fractionDigits: 0))
        }
      }
      try await time.advance(by: .seconds(25))
      #expect(Time.uptime == .seconds(25))
      try await time.advance(to: "2026-11-27T00:00:30Z")
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(time.sleepers.isEmpty)
    }
    #expect(
      journal.lines == ["2026-11-27T00:00:10Z", "2026-11-27T00:00:20Z", "2026-11-27T00:00:30Z"])
  }
  @Test func `deadlock is reported`() async throws {
    let error = await #expect(throws: VirtualTimeError.self) {
      try await Time.virtual(from: Self.start) { _ in
        let stream = AsyncStream<Int> { _ in }
        for await _ in stream {}
        try Task.checkCancellation()
      }
    }
    print(error as Any)
  }
}
