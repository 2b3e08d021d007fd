// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientTesting
import AmbientVirtualTime
import CHooks
import CVirtualTime
import Dispatch
import Foundation
import TestSupport
import Testing

/// Code that never heard of Ambient, in virtual time that it obeys.
@Suite(.enabled(if: VirtualTime.hasSystemClocks)) struct `Swift's clocks in virtual time` {
  @Test(arguments: Form.allCases, Place.allCases)
  func `in virtual time, Swift's clocks measure any sleep exactly in any kind of task`(
    _ form: Form, _ place: Place
  ) async throws {
    let reports = Reports()
    let seen = try await Diagnostics.withInstance(reports) {
      try await Time.virtual(from: start, systemClocks: true) { _ in
        try await place.run { try await form.measure() }
      }
    }
    #expect(reports.messages.isEmpty)
    #expect(seen == Reading(continuous: .seconds(3), suspending: .seconds(3), date: 3))
  }

  @Test func `virtual time starts Swift's clocks at real readings and Date() at the given date`()
    async throws
  {
    let before = ContinuousClock.now
    let (reading, date) = try await Time.virtual(from: start, systemClocks: true) { _ in
      (ContinuousClock.now, Date())
    }
    #expect(before < reading && reading < ContinuousClock.now)
    #expect(try date == Date(iso8601: start))
  }

  @Test
  func `in virtual time, C functions, DispatchTime and child processes see real time`()
    async throws
  {
    let (real, dispatch) = (seconds_in_c(), DispatchTime.now())
    try await Time.virtual(from: "2001-01-01T00:00:00Z", systemClocks: true) { _ in
      try await Task.sleep(for: .seconds(86_400))
      var own = timespec()
      clock_gettime(CLOCK_REALTIME, &own)
      for seconds in [seconds_in_c(), Int64(time(nil)), Int64(own.tv_sec)] {
        #expect(real <= seconds && seconds < real + 86_400)
      }
      #expect(DispatchTime.now() < dispatch + 86_400)
      let started = try await Time.hold { try await Command.run(["date", "+%s"]) }
      let seconds = try #require(Int64(started.output.prefix { $0.isNumber }))
      #expect(real <= seconds && seconds < real + 86_400)
    }
  }

  @Test func `in virtual time without the systemClocks option, Date() is real`() async throws {
    let date = try await Time.virtual(from: start) { _ in Date() }
    #expect(try date > Date(iso8601: start) + 86_400)
  }
}

@Suite(.enabled(if: VirtualTime.hasSystemClocks)) struct `Swift's task sleeps in virtual time` {
  @Test func `Task.sleep and Time.sleep wake by deadline, or in starting order if due together`()
    async throws
  {
    let timeline = Timeline()
    try await Time.virtual(from: start, systemClocks: true) { _ in
      await withThrowingTaskGroup { group in
        for (name, seconds, isSystem) in [
          ("a", 2, true), ("b", 1, false), ("c", 2, false), ("d", 1, true), ("e", 2, true),
        ] {
          group.addTask {
            if isSystem {
              try await Task.sleep(for: .seconds(seconds))
            } else {
              try await Time.sleep(for: .seconds(seconds))
            }
            timeline.note("\(name) \(Time.uptime)")
          }
        }
      }
    }
    #expect(
      timeline.lines == [
        "b 1.0 seconds", "d 1.0 seconds", "a 2.0 seconds", "c 2.0 seconds", "e 2.0 seconds",
      ])
  }

  @Test func `Task.sleep wakes when virtual time is advanced by hand`() async throws {
    try await Time.virtual(from: start, advances: .byHand, systemClocks: true) { time in
      let task = Task { try await Task.sleep(for: .seconds(60)) }
      try await time.advance(by: .zero, sleepers: 1)
      try await time.advance(by: .seconds(59))
      #expect(time.sleepers.map(\.duration) == [.seconds(60)])
      #expect(time.sleepers.map(\.caller.description) == ["Task.sleep"])
      try await time.advance(by: .seconds(1))
      try await task.value
    }
  }

  @Test func `Task.sleep for zero or less ends without an advance of virtual time`() async throws {
    try await Time.virtual(from: start, advances: .byHand, systemClocks: true) { time in
      try await Task.sleep(for: .zero)
      try await Task.sleep(for: .seconds(-5))
      #expect(time.uptime == .zero)
    }
  }

  @Test func `when a Task.sleep is cancelled inside or outside its scope, no virtual time passes`()
    async throws
  {
    try await Time.virtual(from: start, systemClocks: true) { time in
      let tasks = (0..<200).map { _ in Task { try await Task.sleep(for: .seconds(86_400)) } }
      await Task.yield()
      for (index, task) in tasks.enumerated() {
        if index % 2 == 0 { task.cancel() } else { DispatchQueue.global().async { task.cancel() } }
      }
      for task in tasks {
        await #expect(throws: CancellationError.self) {
          try await Time.hold { try await task.value }
        }
      }
      #expect(time.uptime == .zero && time.sleepers.isEmpty)
      try await Task.sleep(for: .seconds(1))
      #expect(time.uptime == .seconds(1))
    }
  }

  @Test func `an advance doesn't count a cancelled Task.sleep as a sleeper`() async throws {
    try await Time.virtual(from: start, advances: .byHand, systemClocks: true) { time in
      let cancelled = Task { try await Task.sleep(for: .seconds(1)) }
      try await time.advance(by: .zero, sleepers: 1)
      cancelled.cancel()
      _ = await cancelled.result
      let sleeping = Task { try await Task.sleep(for: .seconds(2)) }
      try await time.advance(by: .zero, sleepers: 1)
      try await time.advance(by: .seconds(2))
      try await sleeping.value
      try await time.run()
      #expect(time.sleepers.isEmpty && time.uptime == .seconds(2))
    }
  }

  @Test func `a Task.sleep is cancelled without a report when its virtual time scope ends`()
    async throws
  {
    let reports = Reports()
    let task = try await Diagnostics.withInstance(reports) {
      try await Time.virtual(from: start, systemClocks: true) { _ in
        let task = Task { try await Task.sleep(for: .seconds(60)) }
        try await Task.sleep(for: .seconds(1))
        return task
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(reports.all.isEmpty)
  }

  /// The runtime keeps such a task in its parent's memory, and frees it there.
  @Test func `virtual time doesn't pass for a Task.sleep in an async let that isn't awaited`()
    async throws
  {
    try await Time.virtual(from: start, systemClocks: true) { time in
      for _ in 0..<1_000 {
        async let _ = try? Task.sleep(for: .seconds(86_400))
        async let _ = try? Task.sleep(for: .seconds(3_600))
        await Task.yield()
      }
      #expect(time.uptime == .zero && time.sleepers.isEmpty)
      async let second: Void = Task.sleep(for: .seconds(1))
      try await second
      #expect(time.uptime == .seconds(1))
    }
  }

  @Test func `an async let task is distinguished from group tasks and unstructured tasks`() async {
    @Sendable func isAsyncLet() async -> Bool {
      ambient_current_task_object().map(ambient_task_is_async_let) ?? true
    }
    async let first = isAsyncLet()
    #expect(await first)
    let others = await withTaskGroup(of: Bool.self) { group in
      group.addTask { await isAsyncLet() }
      group.addTask { await Task { await isAsyncLet() }.value }
      return await group.reduce(into: [Bool]()) { $0.append($1) }
    }
    #expect(others == [false, false])
  }

  @Test func `Task.sleep, Swift's clocks and Date() are real within Time.hold`() async throws {
    try await Time.virtual(from: start, systemClocks: true) { time in
      try await Time.hold {
        let (clock, date) = (ContinuousClock.now, Date())
        try await withThrowingTaskGroup { group in
          group.addTask { try await Task.sleep(for: .milliseconds(1)) }
          try await group.waitForAll()
        }
        #expect(clock.duration(to: .now) >= .milliseconds(1))
        #expect(date > Time.now + 86_400 && Time.uptime == .zero)
      }
      #expect(Date() == Time.now)
    }
  }

  @Test func `Task.sleep and Date() are real under DefaultTime and in AmbientScope.outside`()
    async throws
  {
    try await Time.virtual(from: start, systemClocks: true) { time in
      let before = Date()
      try await Time.withInstance(DefaultTime()) {
        #expect(Date() > before + 86_400)
        try await Time.hold { try await Task.sleep(for: .milliseconds(1)) }
      }
      try await AmbientScope.outside {
        #expect(Date() > before + 86_400)
        try await Task.sleep(for: .milliseconds(1))
      }
      #expect(time.uptime == .zero)
    }
  }

  @Test func `under a custom Time in a virtual time scope, Task.sleep follows virtual time`()
    async throws
  {
    final class Own: Time, @unchecked Sendable {
      let base: Time
      init(_ base: Time) { self.base = base }
      override var now: Date { base.now }
      override var uptime: Duration { base.uptime }
    }
    try await Time.virtual(from: start, systemClocks: true) { time in
      try await Time.withInstance(Own(time)) {
        let clock = ContinuousClock.now
        try await Task.sleep(for: .seconds(86_400))
        #expect(clock.duration(to: .now) == .seconds(86_400))
        #expect(Date() == Time.now)
      }
    }
  }

  @Test func `in nested virtual time scopes, Task.sleep and Date() follow the innermost scope`()
    async throws
  {
    try await Time.virtual(from: start, systemClocks: true) { outer in
      let inner = try await Time.virtual(from: "2001-01-01T00:00:00Z", systemClocks: true) { _ in
        try await Task.sleep(for: .seconds(7))
        return (Date(), Time.uptime)
      }
      #expect(inner.0.timeIntervalSinceReferenceDate == 7 && inner.1 == .seconds(7))
      try await Time.virtual(from: "2001-01-01T00:00:00Z") { _ in
        let date = Date()
        try await Time.hold { try await Task.sleep(for: .milliseconds(1)) }
        #expect(date.timeIntervalSinceReferenceDate > 86_400)
      }
      #expect(outer.uptime == .zero)
      try await Time.freeze(at: "2001-01-01T00:00:00Z", date: true) {
        try await Time.virtual(from: "2002-01-01T00:00:00Z") { _ in
          let date = try Date(iso8601: "2002-01-01T00:00:00Z")
          #expect(Date() == date)
        }
      }
    }
  }

  @Test func `in virtual time, a detached task on a custom executor sees Swift's virtual clocks`()
    async throws
  {
    try await Time.virtual(from: "2001-01-01T00:00:00Z", systemClocks: true) { _ in
      let begin = ContinuousClock.now
      try await Task.sleep(for: .seconds(86_400))
      let readings = try await Task.detached {
        try await ThreadKeeper().run { (Date(), begin.duration(to: .now)) }
      }.value
      #expect(readings == (try Date(iso8601: "2001-01-02T00:00:00Z"), .seconds(86_400)))
    }
  }

  @Test func `after the end of its virtual time scope, a Task.sleep takes real time`() async throws
  {
    let (go, start) = AsyncStream<Void>.makeStream()
    let (task, last) = try await Time.virtual(from: "2001-01-01T00:00:00Z", systemClocks: true) {
      _ in
      let gate = AmbientScope.outside { Task { for await _ in go {} } }
      let late = Task.detached { [scope = AmbientScope.capture()] in
        await gate.value
        return try await scope.run {
          let before = ContinuousClock.now
          try await Task.sleep(for: .milliseconds(2))
          return (before, ContinuousClock.now)
        }
      }
      try await Task.sleep(for: .seconds(86_400))
      return (late, ContinuousClock.now)
    }
    start.finish()
    let (before, after) = try await task.value
    #expect(last <= before && before.duration(to: after) >= .milliseconds(2))
    #expect(before.duration(to: after) < .seconds(3_600))
  }

  @Test func `after a late Task.sleep, the first late Time.sleep is still reported`() async throws {
    let reports = Reports()
    let scope = try await Diagnostics.withInstance(reports) {
      try await Time.virtual(from: start, systemClocks: true) { _ in AmbientScope.capture() }
    }
    try await scope.run {
      try await Task.sleep(for: .milliseconds(1))
      #expect(reports.messages.isEmpty)
      try await Time.sleep(for: .milliseconds(1))
      try await Time.sleep(for: .milliseconds(1))
    }
    #expect(reports.messages.count == 1)
  }

  @Test func `a library's timeout built on Task.sleep in a task group follows virtual time`()
    async throws
  {
    struct Late: Error {}
    try await Time.virtual(from: start, systemClocks: true) { time in
      await #expect(throws: Late.self) {
        try await withThrowingTaskGroup { group in
          group.addTask { try await Task.sleep(for: .seconds(10)) }
          group.addTask {
            try await Task.sleep(for: .seconds(9))
            throw Late()
          }
          defer { group.cancelAll() }
          try await group.next()
        }
      }
      #expect(time.uptime == .seconds(9))
    }
  }

  @Test func `a task that seems to poll with Task.sleep is reported once`() async throws {
    let reports = Reports()
    let line = #line + 3
    try await Diagnostics.withInstance(reports) {
      try await Time.virtual(from: start, systemClocks: true) { _ in
        for _ in 0..<20_010 { try await Task.sleep(for: .seconds(1)) }
      }
    }
    #expect(reports.all.map(\.kind) == [.stalled])
    #expect(reports.messages[0].contains("Task.sleep (\(#filePath):\(line), in "))
  }

  @Test func `repeated Task.sleep calls don't count as polling while another task sleeps longer`()
    async throws
  {
    let reports = Reports()
    try await Diagnostics.withInstance(reports) {
      try await Time.virtual(from: start, systemClocks: true) { _ in
        async let other: Void = Task.sleep(for: .seconds(86_400))
        for _ in 0..<10_010 { try await Task.sleep(for: .seconds(1)) }
        try await other
      }
    }
    #expect(reports.messages.isEmpty)
  }
}

@Suite(.enabled(if: VirtualTime.hasSystemClocks), .serialized)
struct `Determinism on Swift's clocks` {
  @Test(arguments: SystemShape.allCases)
  func `in virtual time, a program on Swift's clocks has the same log in every run`(
    _ shape: SystemShape
  ) async throws {
    #expect(try await distinct(TestRun.rounds(10, full: 50)) { try await shape.run() }.count == 1)
  }

  @Test(.long, arguments: SystemShape.allCases)
  func `in virtual time, a program on Swift's clocks has the same log on a busy machine`(
    _ shape: SystemShape
  ) async throws {
    let calm = try await shape.run()
    let logs = try await Load.threads.run {
      try await distinct(TestRun.rounds(10, full: 50)) { try await shape.run() }
    }
    #expect(logs == [calm])
  }

  @Test(.long)
  func `in virtual time, a program on Swift's clocks has the same log in three processes`()
    async throws
  {
    var outputs: Set<[UInt8]> = []
    for _ in 0..<3 {
      let result = await #expect(
        processExitsWith: .success, observing: [\.standardOutputContent]
      ) {
        for shape in SystemShape.allCases {
          let logs = try await distinct(10) { try await shape.run() }
          for log in logs { print("log:", shape.rawValue, log.joined(separator: ", ")) }
        }
      }
      let output = try #require(result?.standardOutputContent)
      let lines = output.split(separator: UInt8(ascii: "\n")).filter {
        $0.starts(with: "log:".utf8)
      }
      #expect(lines.count == SystemShape.allCases.count)
      outputs.insert(Array(lines.joined(separator: [10])))
    }
    #expect(outputs.count == 1)
  }
}

/// A library's function.
private func rest(_ seconds: Int) async throws { try await Task.sleep(for: .seconds(seconds)) }
private let lineOfRest = #line - 1

@Suite(.enabled(if: VirtualTime.hasSystemClocks)) struct `Reports of Swift's task sleeps` {
  private let call = "Task.sleep (\(#filePath):\(lineOfRest), in rest(_:)) in task “tired”"

  @Test func `the description of a Task.sleep sleeper names the task and the calling function`()
    async throws
  {
    try await Time.virtual(from: start, advances: .byHand, systemClocks: true) { [call] time in
      let task = Task(name: "tired") { try await rest(60) }
      try await time.advance(by: .zero, sleepers: 1)
      #expect(time.sleepers[0].description.hasPrefix("\(call) sleeps for 60.0 seconds until 2"))
      try await time.advance(by: .seconds(60))
      try await task.value
    }
  }

  @Test func `a deadlock error names the task and function that called Task.sleep`() async throws {
    let error = await #expect(throws: VirtualTimeError.self) {
      try await Time.virtual(from: start, advances: .byHand, systemClocks: true) { _ in
        try await Task(name: "tired") { try await rest(60) }.value
      }
    }
    let waiting = try #require(error?.deadlocked)
    #expect(waiting.contains { $0.hasPrefix("\(call) sleeps for 60.0 seconds until") })
  }

  @Test func `a stall error names the task and function that called Task.sleep`() async throws {
    let error = await #expect(throws: VirtualTimeError.self) {
      try await Diagnostics.withInstance(.calling { _ in }) {
        try await Time.virtual(from: start, limit: Stall.limit, systemClocks: true) { _ in
          let task = Task(name: "tired") { try await rest(60) }
          try await Time.hold { try await task.value }
        }
      }
    }
    #expect(error?.code == .stalled)
    #expect(
      try #require(error).waiting.contains { $0.hasPrefix("\(call) sleeps for 60.0 seconds until") }
    )
  }
}

@Suite(.enabled(if: VirtualTime.hasSystemClocks))
struct `Library timeouts in virtual time` {
  private struct Late: Error {}

  /// A wait for something real, which ends by another thread, as a request does.
  private final class Request: Sendable {
    private let waiter = Guarded<CheckedContinuation<Void, Never>?>(nil)

    /// - Parameter seconds: The real time after which the wait ends by itself; nil if it does not.
    func run(endsInTurn: Bool = false, endsAfter seconds: Double? = nil) async {
      await withTaskCancellationHandler {
        await withCheckedContinuation { waiter in
          self.waiter.withLock { $0 = waiter }
          guard let seconds else { return }
          DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { self.end() }
        }
      } onCancel: {
        if endsInTurn { end() } else { DispatchQueue.global().async { self.end() } }
      }
    }

    private func end() { waiter.withLock { $0.take() }?.resume() }
  }

  /// A library's function.
  private static func limited(_ body: @escaping @Sendable () async throws -> Void) async throws {
    try await withThrowingTaskGroup { group in
      group.addTask { try await body() }
      group.addTask {
        try await Task.sleep(for: .seconds(5))
        throw Late()
      }
      defer { group.cancelAll() }
      try await group.next()
    }
  }

  private func reports(
    _ body: @escaping @Sendable (VirtualTime) async throws -> Void
  ) async throws -> [Diagnostic.Kind] {
    let reports = Reports()
    try await Diagnostics.withInstance(reports) {
      try await Time.virtual(from: start, systemClocks: true, body)
    }
    return reports.all.map(\.kind)
  }

  @Test func `a library timeout that fires during a wait outside the scope is reported once`()
    async throws
  {
    let reports = try await reports { time in
      for round in 1...2 {
        await #expect(throws: Late.self) { try await Self.limited { await Request().run() } }
        #expect(time.uptime == .seconds(5 * round))
      }
    }
    #expect(reports == [.leftScope])
  }

  @Test func `a library timeout during a grandchild task's wait outside the scope is reported`()
    async throws
  {
    let reports = try await reports { _ in
      await #expect(throws: Late.self) {
        try await Self.limited {
          async let request: Void = Request().run()
          await request
        }
      }
    }
    #expect(reports == [.leftScope])
  }

  @Test func `within Time.hold, a wait outside the scope ends before its library timeout fires`()
    async throws
  {
    let reports = try await reports { time in
      try await Time.hold {
        try await Self.limited { await Request().run(endsAfter: 0.01) }
      }
      #expect(time.uptime == .zero)
    }
    #expect(reports == [])
  }

  @Test func `a library timeout that fires during a wait inside the scope isn't reported`()
    async throws
  {
    let reports = try await reports { _ in
      await #expect(throws: Late.self) {
        try await Self.limited { try await Task.sleep(for: .seconds(60)) }
      }
      await #expect(throws: Late.self) {
        try await Self.limited { await Request().run(endsInTurn: true) }
      }
      await #expect(throws: Late.self) {
        try await Self.limited { try await ThreadKeeper().run { try await rest(60) } }
      }
    }
    #expect(reports == [])
  }

  @Test func `if the body's return cancels a wait outside the scope, the wait isn't reported`()
    async throws
  {
    let reports = try await reports { _ in
      async let _: Void = Request().run()
      try await Task.sleep(for: .seconds(5))
    }
    #expect(reports == [])
  }

  @Test func `if code outside the scope cancels a task, a wait for that task isn't reported`()
    async throws
  {
    let reports = try await reports { _ in
      let task = Task { try await rest(60) }
      try await withThrowingTaskGroup { group in
        group.addTask { try await task.value }
        group.addTask { try await Task.sleep(for: .seconds(5)) }
        try await group.next()
        DispatchQueue.global().async { task.cancel() }
        await #expect(throws: CancellationError.self) {
          try await Time.hold { try await group.next() }
        }
      }
    }
    #expect(reports == [])
  }
}

extension `Swift's clocks in virtual time` {
  struct Reading: Equatable {
    var continuous: Duration
    var suspending: Duration
    var date: TimeInterval
  }

  /// A way to sleep for three seconds.
  enum Form: CaseIterable {
    case duration, nanoseconds, untilContinuous, untilSuspending, clock, anyClock, deprecated, date

    private func sleep() async throws {
      switch self {
      case .duration: try await Task.sleep(for: .seconds(3))
      case .nanoseconds: try await Task.sleep(nanoseconds: 3_000_000_000)
      case .untilContinuous:
        try await Task.sleep(until: .now + .seconds(3), clock: .continuous)
      case .untilSuspending:
        try await Task.sleep(until: .now + .seconds(3), clock: .suspending)
      case .clock: try await SuspendingClock().sleep(for: .seconds(3))
      case .anyClock:
        let clock: any Clock<Duration> = ContinuousClock()
        try await clock.sleep(for: .seconds(3))
      case .deprecated: await (Old() as any OldSleep).sleep()
      case .date:
        let end = Date() + 3
        while Date() < end { try await Task.sleep(for: .milliseconds(500)) }
      }
    }

    func measure() async throws -> Reading {
      let (continuous, suspending, date) = (ContinuousClock.now, SuspendingClock.now, Date())
      try await sleep()
      return Reading(
        continuous: continuous.duration(to: .now), suspending: suspending.duration(to: .now),
        date: Date().timeIntervalSince(date))
    }
  }

  enum Place: CaseIterable {
    case body, mainActor, actor, actorWithExecutor, preference, bare, detached, immediate, group
    case dispatch, mainQueue, asyncLet

    func run(_ work: @escaping @Sendable () async throws -> Reading) async throws -> Reading {
      switch self {
      case .body: return try await work()
      case .mainActor: return try await Task { @MainActor in try await work() }.value
      case .actor: return try await Keeper().run(work)
      case .actorWithExecutor: return try await ThreadKeeper().run(work)
      case .preference:
        return try await withTaskExecutorPreference(ThreadExecutor()) { try await work() }
      case .bare: return try await Task { try await work() }.value
      case .detached: return try await Task.detached { try await work() }.value
      case .immediate: return try await Task.immediate { try await work() }.value
      case .group:
        return try await withThrowingTaskGroup(of: Reading.self) { group in
          group.addTask { try await work() }
          return try await group.next()!
        }
      case .dispatch, .mainQueue:
        let queue = self == .dispatch ? DispatchQueue.global() : .main
        let scope = AmbientScope.capture()
        return try await withCheckedThrowingContinuation { continuation in
          queue.async {
            scope.run {
              _ = Task { continuation.resume(with: await Result { try await work() }) }
            }
          }
        }
      case .asyncLet:
        async let result = work()
        return try await result
      }
    }
  }
}

private protocol OldSleep { func sleep() async }

private struct Old: OldSleep {
  @available(*, deprecated) func sleep() async { await Task.sleep(3_000_000_000) }
}

extension Result where Failure == any Error {
  fileprivate init(_ body: () async throws -> Success) async {
    do { self = .success(try await body()) } catch { self = .failure(error) }
  }
}

private actor Keeper {
  func run<R: Sendable>(_ work: @Sendable () async throws -> R) async throws -> R {
    try await work()
  }
}

private final class ThreadExecutor: SerialExecutor, TaskExecutor {
  private let queue = DispatchQueue(label: "an executor of a program's own")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    UnownedSerialExecutor(ordinary: self)
  }
}

private actor ThreadKeeper {
  private let executor = ThreadExecutor()
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  func run<R: Sendable>(_ work: @Sendable () async throws -> R) async throws -> R {
    try await work()
  }
}
