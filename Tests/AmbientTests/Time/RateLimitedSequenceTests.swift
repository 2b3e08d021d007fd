import Ambient
import Foundation
import TestSupport
import Testing

struct `A sequence at a slower pace` {
  let timeline = Timeline()

  /// The letters of a diagram, one a second; a space is a second in which nothing comes.
  private func letters(_ diagram: String, then error: Trouble? = nil) -> AsyncThrowingStream<
    String, any Error
  > {
    let (stream, feed) = AsyncThrowingStream<String, any Error>.makeStream()
    Time.task {
      for letter in diagram {
        if letter != " " { feed.yield(String(letter)) }
        try await Time.sleep(for: .seconds(1))
      }
      feed.finish(throwing: error)
    }
    return stream
  }

  @Test(arguments: [
    ("abcd    e   f g    ", ["6.0 d", "11.0 e", "17.0 g"]),
    ("a  b  c  ", ["3.0 a", "6.0 b", "9.0 c"]), ("ab", ["2.0 b"]), ("", []),
  ])
  func `hands on what is followed by quiet, and the last one at the end`(
    diagram: String, expected: [String]
  ) async throws {
    try await Time.virtual(from: start) { _ in
      for try await letter in Time.debounce(letters(diagram), for: .seconds(3)) {
        timeline.stamp(letter)
      }
    }
    #expect(timeline.lines == expected)
  }

  @Test(arguments: [
    (true, ["0.0 a", "3.0 c", "6.0 e", "10.0 f", "12.0 g"]), (false, ["0.0 a", "3.0 d", "10.0 f"]),
  ])
  func `hands on one in each interval`(latest: Bool, expected: [String]) async throws {
    try await Time.virtual(from: start) { _ in
      let slow = Time.throttle(letters("abcde     fg"), for: .seconds(3), latest: latest)
      for try await letter in slow { timeline.stamp(letter) }
    }
    #expect(timeline.lines == expected)
  }

  @Test func `hands on the latest of each interval unless it is told otherwise`() async throws {
    try await Time.virtual(from: start) { time in
      for try await letter in Time.throttle(letters("abc"), for: .seconds(9)) {
        timeline.stamp(letter)
      }
      // No timer sleeps on when the base has ended.
      try await time.advance(by: .zero)
      #expect(time.sleepers.isEmpty)
    }
    #expect(timeline.lines == ["0.0 a", "3.0 c"])
  }

  /// The next element comes at the end of an interval, before the timer wakes: its sleep is older.
  @Test func `loses none that comes as its interval ends`() async throws {
    try await Time.virtual(from: start) { _ in
      func feed() -> AsyncStream<String> {
        let (stream, feed) = AsyncStream<String>.makeStream()
        Time.task {
          for letter in ["a", "b", "c"] {
            feed.yield(letter)
            try await Time.sleep(for: .seconds(3))
          }
          feed.finish()
        }
        return stream
      }
      for try await letter in Time.debounce(feed(), for: .seconds(3)) { timeline.stamp(letter) }
      for latest in [true, false] {
        let slow = Time.throttle(feed(), for: .seconds(3), latest: latest)
        for try await letter in slow { timeline.stamp(letter) }
      }
    }
    #expect(
      timeline.lines == [
        "3.0 a", "6.0 b", "9.0 c", "9.0 a", "12.0 b", "15.0 c", "18.0 a", "21.0 b", "24.0 c",
      ])
  }

  @Test func `lets all pass where no interval is given`() async throws {
    try await Time.virtual(from: start) { _ in
      for interval in [Duration.zero, .seconds(-1)] {
        for try await letter in Time.debounce(letters("ab"), for: interval) {
          timeline.note(letter)
        }
        for try await letter in Time.throttle(letters("cd"), for: interval) {
          timeline.note(letter)
        }
      }
    }
    #expect(timeline.lines == ["a", "b", "c", "d", "a", "b", "c", "d"])
  }

  @Test func `throws what its base throws, and where time stands still`() async throws {
    try await Time.virtual(from: start) { _ in
      _ = await #expect(throws: Trouble.here) {
        for try await letter in Time.debounce(letters("ab", then: .here), for: .seconds(9)) {
          timeline.note(letter)
        }
      }
    }
    let (stream, feed) = AsyncStream<Int>.makeStream()
    feed.yield(1)
    // Ends the loop if no error does.
    let rescue = Task {
      _ = await Patience.waitIdly { Task.isCancelled }
      feed.finish()
    }
    await #expect(throws: FrozenTimeError.self) {
      try await Time.freeze(at: start) {
        for try await _ in Time.debounce(stream, for: .seconds(1)) {}
      }
    }
    rescue.cancel()
    #expect(timeline.lines.isEmpty)
  }

  @Test func `ends with the loop that reads it, timer and all`() async throws {
    try await Time.virtual(from: start) { time in
      let (stream, feed) = AsyncStream<Int>.makeStream()
      feed.onTermination = { _ in timeline.note("over") }
      feed.yield(1)
      let reader = Time.task {
        for try await number in Time.throttle(stream, for: .seconds(60)) {
          timeline.note("\(number)")
        }
      }
      try await time.advance(by: .seconds(1))
      feed.yield(2)
      try await time.advance(by: .seconds(1))
      #expect(time.sleepers.first?.task == "throttle")
      #expect(
        time.sleepers.first?.caller.fileID == "AmbientTests/RateLimitedSequenceTests.swift")
      reader.cancel()
      try await reader.value
      try await time.advance(by: .zero)
      #expect(time.sleepers.isEmpty)
    }
    #expect(timeline.lines == ["1", "over"])
  }
}
