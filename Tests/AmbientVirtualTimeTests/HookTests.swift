// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientVirtualTime
import CHooks
import CVirtualTime
import Dispatch
import Foundation
import TestSupport
import Testing

/// What other libraries for tests do with the runtime's hook, beside scopes of virtual time.
///
/// In processes of their own, since a hook is the whole process's.
struct `Concurrency hooks of other libraries` {
  /// Whether bare tasks belong to a scope: the sleeper would wake too early if they did not.
  private static func isHeld() async throws -> Bool {
    try await Time.virtual(from: start) { time in
      Time.task { try await Time.sleep(for: .seconds(10)) }
      await Task {
        for _ in 0..<5_000 { await Counter().count() }
      }.value
      let isHeld = time.uptime == .zero
      try await time.run()
      return isHeld
    }
  }

  private static func expectHeld() async throws {
    let isHeld = try await isHeld()
    precondition(isHeld)
  }

  private actor Counter { func count() {} }

  /// As swift-concurrency-extras has it: it takes a hook that is set for its own, and puts back what
  /// it believes it found.
  private static func withMainSerialExecutor(_ body: () async throws -> Void) async rethrows {
    let usedIt = enqueue_hook_is_set()
    set_main_serial_executor(true)
    defer { set_main_serial_executor(usedIt) }
    try await body()
  }

  private static let key: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  /// Not the main thread, which need not be where the main queue is served.
  @Sendable private static func isOnMainQueue() -> Bool {
    DispatchQueue.getSpecific(key: key) ?? false
  }

  private static func expectPool() async {
    for _ in 0..<10 {
      let isOnMainQueue = await Task.detached { Self.isOnMainQueue() }.value
      precondition(!isOnMainQueue)
    }
  }

  #if os(Linux) && compiler(>=6.3) && compiler(<6.4)
    @Test func `if Ambient's executor sees all jobs, Ambient doesn't set an enqueue hook`()
      async throws
    {
      #expect(ambient_jobs_way() == ambient_jobs_by_executor)
      #expect(!enqueue_hook_is_set())
      try await Time.virtual(from: start) { _ in #expect(!enqueue_hook_is_set()) }
    }

    @Test
    func `after withMainSerialExecutor between two scopes, tasks run on the pool again`()
      async
    {
      await #expect(processExitsWith: .success) {
        endIfHanging()
        for _ in 0..<100 {
          await Self.withMainSerialExecutor {
            let isOnMainQueue = await Task.detached { Self.isOnMainQueue() }.value
            precondition(isOnMainQueue)
          }
          await Self.expectPool()
          try await Self.expectHeld()
          precondition(!enqueue_hook_is_set())
        }
      }
    }

    @Test func `withMainSerialExecutor inside a virtual time scope is reported and doesn't hang`()
      async
    {
      await #expect(processExitsWith: .success) {
        endIfHanging()
        let reports = Timeline()
        try await Diagnostics.withInstance(.calling { reports.note($0.description) }) {
          for _ in 0..<100 {
            try await Time.virtual(from: start) { _ in
              await Self.withMainSerialExecutor {
                await Task {}.value
                await Task.yield()
                await MainActor.run { dispatchPrecondition(condition: .onQueue(.main)) }
              }
            }
            precondition(!enqueue_hook_is_set())
            await Self.expectPool()
          }
        }
        let told = reports.lines.count { $0.contains("withMainSerialExecutor") }
        precondition(told == 100, "\(told)")
        try await Self.expectHeld()
      }
    }

    @Test func `another library's enqueue hook that took jobs is reported even after its removal`()
      async
    {
      await #expect(processExitsWith: .success) {
        endIfHanging()
        let reports = Timeline()
        try await Diagnostics.withInstance(.calling { reports.note($0.description) }) {
          try await Time.virtual(from: start) { _ in
            set_main_serial_executor(true)
            await Task.yield()
            clear_enqueue_hook()
          }
        }
        precondition(reports.lines.count == 1, "\(reports.lines)")
      }
    }

    @Test(arguments: [true, false])
    func `another library's enqueue hook that forwards all jobs isn't reported`(chained: Bool) async
    {
      await #expect(processExitsWith: .success) { [chained] in
        endIfHanging()
        let reports = Timeline()
        try await Diagnostics.withInstance(.calling { reports.note($0.description) }) {
          for number in 0..<Int32(9) {
            install_foreign_hook(number, chained ? 1 : 0)
            try await Self.expectHeld()
            precondition(foreign_hook_jobs(number) > 0)
          }
          try await Time.virtual(from: start) { _ in
            install_foreign_hook(0, 0)
            await Task {}.value
            clear_enqueue_hook()
            await Task {}.value
          }
        }
        precondition(reports.lines.isEmpty, "\(reports.lines)")
      }
    }

    @Test func `a scope probes another library's enqueue hook once, not for each job`() async {
      await #expect(processExitsWith: .success) {
        endIfHanging()
        install_foreign_hook(0, 0)
        try await Time.virtual(from: start) { _ in
          for _ in 0..<1_000 { await Task {}.value }
        }
        let jobs = foreign_hook_jobs(0)
        precondition((1_000..<1_500).contains(jobs), "\(jobs)")
      }
    }
  #endif

  @Test func `another library's main executor hook is reported by name, and later scopes work`()
    async
  {
    await #expect(processExitsWith: .success) {
      endIfHanging()
      let reports = Timeline()
      try await Diagnostics.withInstance(.calling { reports.note($0.description) }) {
        try await Time.virtual(from: start) { _ in
          set_main_executor_hook(true)
          await Task {}.value
        }
        precondition(reports.lines.count == 1, "\(reports.lines)")
        precondition(reports.lines[0].contains("(swift_task_getMainExecutor_hook)"))
        set_main_executor_hook(false)
        try await Self.expectHeld()
        precondition(reports.lines.count == 1, "\(reports.lines)")
      }
    }
  }

  /// Where the default executor cannot be replaced, the hook is set while scopes are open.
  private static func useHook() { precondition(ambient_jobs_see(ambient_jobs_by_hook)) }

  @Test func `Ambient's enqueue hook replaces another library's hook only while a scope is open`()
    async
  {
    await #expect(processExitsWith: .success) {
      endIfHanging()
      Self.useHook()
      for number in -1..<Int32(9) {
        if number >= 0 { install_foreign_hook(number, 0) }
        precondition(enqueue_hook_is_set() == (number >= 0))
        try await Time.virtual(from: start) { _ in
          precondition(enqueue_hook_is_set())
          let before = number < 0 ? 0 : foreign_hook_jobs(number)
          for _ in 0..<1_000 { await Task {}.value }
          // Ours stands before it, and a scope takes its jobs before they come there.
          precondition(number < 0 || foreign_hook_jobs(number) < before + 500)
        }
        try await Self.expectHeld()
        precondition(enqueue_hook_is_set() == (number >= 0))
        guard number >= 0 else { continue }
        let before = foreign_hook_jobs(number)
        for _ in 0..<1_000 { await Task {}.value }
        precondition(foreign_hook_jobs(number) >= before + 1_000)
      }
      clear_enqueue_hook()
      try await Self.expectHeld()
      precondition(!enqueue_hook_is_set())
      await Self.expectPool()
    }
  }

  @Test func `clearing the enqueue hook in a scope also removes Ambient's hook and is reported`()
    async
  {
    await #expect(processExitsWith: .success) {
      endIfHanging()
      Self.useHook()
      let reports = Timeline()
      try await Diagnostics.withInstance(.calling { reports.note($0.description) }) {
        try await Time.virtual(from: start) { _ in
          install_foreign_hook(0, 0)
          clear_enqueue_hook()
          await Task.yield()
        }
        precondition(reports.lines.count == 1, "\(reports.lines)")
        precondition(reports.lines[0].contains("swift_task_enqueueGlobal_hook"))
        try await Self.expectHeld()
        precondition(reports.lines.count == 1, "\(reports.lines)")
        precondition(!enqueue_hook_is_set())
      }
    }
  }

  @Test func `if other libraries restore hooks out of order, a removed enqueue hook gets no jobs`()
    async
  {
    await #expect(processExitsWith: .success) {
      endIfHanging()
      Self.useHook()
      install_foreign_hook(0, 0)
      try await Diagnostics.withInstance(.calling { _ in }) {
        try await Time.virtual(from: start) { _ in install_foreign_hook(1, 1) }
      }
      // The first removes its hook, and then the second the one of its own, for ours.
      restore_foreign_hook(0)
      restore_foreign_hook(1)
      try await Self.expectHeld()
      let before = foreign_hook_jobs(0)
      await Self.expectPool()
      precondition(foreign_hook_jobs(0) == before)
    }
  }

  /// Without a scope, whose own jobs would be lost with these.
  @Test func `jobs that no scope takes go to an enqueue hook that was set before Ambient's hook`()
    async
  {
    await #expect(processExitsWith: .success) {
      endIfHanging()
      Self.useHook()
      install_foreign_hook(0, 0)
      ambient_jobs_open()
      let done = Timeline()
      let before = foreign_hook_jobs(0)
      for _ in 0..<3 { Task.detached { done.note("done") } }
      precondition(Patience.wait { done.lines.count == 3 })
      precondition(foreign_hook_jobs(0) >= before + 3)
      ambient_jobs_close()
      precondition(enqueue_hook_is_set())
    }
  }

  @Test func `another library's enqueue hook that is set in a scope gets jobs after the scope`()
    async
  {
    await #expect(processExitsWith: .success) {
      endIfHanging()
      Self.useHook()
      try await Time.virtual(from: start) { _ in
        // Chained to ours: each is asked once.
        install_foreign_hook(3, 1)
        try await Self.expectHeld()
        await Time.hold { await Task {}.value }
      }
      let before = foreign_hook_jobs(3)
      await Self.expectPool()
      precondition(foreign_hook_jobs(3) >= before + 10)
      try await Self.expectHeld()
      precondition(enqueue_hook_is_set())
    }
  }

  @Test func `setting and clearing enqueue hooks on another thread doesn't hang open scopes`()
    async
  {
    await #expect(processExitsWith: .success) {
      endIfHanging()
      for way in [ambient_jobs_by_executor, ambient_jobs_by_hook] {
        precondition(ambient_jobs_see(way))
        let isOver = Timeline()
        let thread = Timeline()
        Outside.run {
          var round: Int32 = 0
          while isOver.lines.isEmpty {
            round += 1
            install_foreign_hook(round % 9, 0)
            usleep(100)
            clear_enqueue_hook()
          }
          thread.note("done")
        }
        for _ in 0..<100 {
          _ = try await Diagnostics.withInstance(.calling { _ in }) { try await Self.isHeld() }
        }
        isOver.note("over")
        precondition(Patience.wait { !thread.lines.isEmpty })
        try await Self.expectHeld()
      }
    }
  }
}
