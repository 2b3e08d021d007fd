// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientVirtualTime
import TestSupport
import Testing

/// What must not wait for ever, nor for longer than its scope.
struct `Waits in virtual time` {
  let timeline = Timeline()

  @Test func `when a virtual time scope ends, an advance that still waits is cancelled`()
    async throws
  {
    let task = try await Time.virtual(from: start) { time in
      let task = Time.task { try await time.advance(by: .seconds(10), sleepers: 5) }
      await Task.yield()
      return task
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func `a task started in a Time.hold can sleep after the hold has ended`() async throws {
    try await Time.virtual(from: start) { _ in
      for _ in 0..<20 {
        let (stream, feed) = AsyncStream<Void>.makeStream()
        // The last task may get the memory of the first, which is gone by then, and so its number.
        let heir = await Time.task {
          await Time.hold {
            Time.task {
              for await _ in stream {}
              return Time.task { try await Time.sleep(for: .seconds(1)) }
            }
          }
        }.value
        feed.finish()
        try await heir.value.value
      }
      timeline.stamp("done")
    }
    #expect(timeline.lines == ["20.0 done"])
  }

  @Test func `an endless sleep in virtual time ends when it is cancelled`() async throws {
    try await Time.virtual(from: start) { _ in
      try await Time.sleep(for: .seconds(1))
      let sleeper = Time.task { try await Time.sleep(for: .seconds(Int64.max)) }
      await Task.yield()
      sleeper.cancel()
      await #expect(throws: CancellationError.self) { try await sleeper.value }
    }
  }
}
