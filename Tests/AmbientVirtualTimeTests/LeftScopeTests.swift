// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientVirtualTime
import Dispatch
import Foundation
import TestSupport
import Testing

/// A scope that stands still, and whose tasks do not heed their cancellation, is left behind.
///
/// By themselves: they block or spin on threads of the pool, and wait for real time.
@Suite(.long, .serialized) struct `Scopes whose tasks never end` {
  let journal = Timeline()

  @Test func `a stalled scope ends without waiting for a body that never ends`() async throws {
    let text = try await Stall.text { _ in
      await Time.hold { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
    }
    #expect(
      text.contains(
        "since uptime 0.0 seconds; a Time.hold at AmbientVirtualTimeTests/LeftScopeTests.swift"))
  }

  @Test func `a stalled scope whose body never ends still cancels pending sleeps and advances`()
    async throws
  {
    let bare = Timeline()
    let tasks = Guarded<[Task<Void, Never>]>([])
    @Sendable func leave(_ time: VirtualTime) async {
      let sleeper = Task {
        do { try await Time.sleep(for: .seconds(9)) } catch { bare.note("\(type(of: error))") }
      }
      let advancers = (0..<2).map { _ in
        Task {
          do { try await time.advance(by: .seconds(9)) } catch { bare.note("\(type(of: error))") }
        }
      }
      tasks.withLock { $0 = [sleeper] + advancers }
      await Time.hold { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
    }
    let error = await #expect(throws: VirtualTimeError.self) {
      try await Diagnostics.withInstance(.calling { _ in }) {
        try await Time.virtual(from: start, limit: Stall.limit, leave)
      }
    }
    #expect(error?.isStall == true, "\(error as Any)")
    #expect(await Patience.waitIdly { bare.lines.count == 3 })
    // The advance whose turn it was got an error of its own before.
    #expect(
      bare.lines.sorted() == ["CancellationError", "CancellationError", "VirtualTimeError"])
  }

  @Test func `a stalled scope ends even if its body waits forever after Time.hold`() async throws {
    let kept = Guarded<VirtualTime?>(nil)
    _ = try await Stall.text { time in
      kept.withLock { $0 = time }
      await Time.hold { try? await Task.sleep(for: .seconds(3_600)) }
      await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    }
    let time = try #require(kept.withLock { $0 })
    let place = SourcePlace(fileID: #fileID, line: #line + 1)
    await #expect(throws: VirtualTimeError(.ended(caller: place))) {
      try await time.run()
    }
  }

  @Test func `a sleeping task that blocks its thread when cancelled is reported`() async throws {
    let semaphore = DispatchSemaphore(value: 0)
    @Sendable func block() { semaphore.wait() }
    await #expect(throws: VirtualTimeError.self) {
      try await Diagnostics.withInstance(
        .calling { if $0.kind == .leftover { journal.note($0.description) } }
      ) {
        try await Time.virtual(from: start, limit: Stall.limit) { time in
          Time.task {
            do { try await Time.sleep(for: .seconds(900)) } catch { block() }
          }
          try await time.advance(by: .zero)
        }
      }
    }
    semaphore.signal()
    #expect(journal.lines.count == 1)
    #expect(journal.lines.first?.contains("sleeps for 900.0 seconds") == true)
  }

  @Test func `a task queued behind a scope's body that blocks its thread still runs`() async throws
  {
    let semaphore = DispatchSemaphore(value: 0)
    @Sendable func block() { semaphore.wait() }
    let child = Guarded<Task<Void, any Error>?>(nil)
    _ = try await Stall.text { [journal] _ in
      child.withLock { $0 = Time.task { journal.note("ran") } }
      block()
    }
    #expect(await Patience.waitIdly { journal.lines == ["ran"] })
    semaphore.signal()
    if !journal.lines.isEmpty { try await child.withLock { $0 }?.value }
  }

  @Test(arguments: [true, false])
  func `a busy task of an ended or stalled scope doesn't block the concurrency pool`(stalls: Bool)
    async
  {
    await #expect(processExitsWith: .success) { [stalls] in
      endIfHanging()
      let (reports, isSet) = (Timeline(), Timeline())
      // As many as the pool has threads: none would be left to whoever opened them.
      await Diagnostics.withInstance(.calling { reports.note($0.description) }) {
        await withTaskGroup { group in
          for _ in 0..<ProcessInfo.processInfo.activeProcessorCount {
            group.addTask { await Self.runOn(stalls: stalls, until: isSet) }
          }
        }
      }
      await Task.detached {}.value
      isSet.note("set")
      let hasStalled = reports.lines.contains { $0.contains("stalled") }
      precondition(hasStalled == stalls, "\(reports.lines)")
    }
  }

  /// Opens a scope with a task that neither ends nor suspends, whatever becomes of the scope.
  private static func runOn(stalls: Bool, until isSet: Timeline) async {
    _ = try? await Time.virtual(from: start, limit: stalls ? Stall.limit : .seconds(300)) { _ in
      Time.task {
        while isSet.lines.isEmpty {
          if stalls { await Task.yield() } else { try? await Time.sleep(for: .seconds(1)) }
        }
      }
    }
  }
}
