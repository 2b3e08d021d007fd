// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientTesting
import Dispatch
import Testing

@Suite(.virtualTime(from: "2026-11-28T00:00:00Z")) struct `Readiness waits` {
  private let ready = Readiness()

  @Test func `while a task waits for a Readiness opened from outside, virtual time doesn't pass`()
    async throws
  {
    let sleeper = Time.task { try await Time.sleep(for: .seconds(60)) }
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(20)) { ready.open() }
    try await ready.wait()
    #expect(Time.uptime == .zero)
    try await sleeper.value
  }

  @Test func `Readiness.open() resumes every waiting task, and later waits return at once`()
    async throws
  {
    let waiting = (0..<10).map { _ in Time.task { try await ready.wait() } }
    Time.task { ready.open() }
    for task in waiting { try await task.value }
    ready.open()
    try await ready.wait()
    #expect(Time.uptime == .zero)
  }

  @Test func `Readiness.wait() throws CancellationError when the waiting task is cancelled`()
    async throws
  {
    let waiting = Time.task { try await ready.wait() }
    await Task.yield()
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
  }
}
