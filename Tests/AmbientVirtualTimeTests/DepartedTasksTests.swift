// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientTesting
import Dispatch
import Foundation
import TestSupport
import Testing

@testable import AmbientVirtualTime

/// What leaves a scope without a hold, while others sleep, is reported when it comes back.
struct `Tasks that leave their scope` {
  /// An executor of its own, which no scope sees.
  actor Elsewhere {
    private let executor = QueueExecutor()
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    private(set) var visits = 0

    func visit() { visits += 1 }

    func sleep() async throws { try await Time.sleep(for: .seconds(1)) }

    /// Works until another sleeps, and a moment longer, once it has asked for the time.
    func work(_ signal: AsyncStream<Void>.Continuation) throws -> Duration {
      let time = try VirtualTime.current
      signal.finish()
      #expect(Patience.wait { !time.sleepers.isEmpty || time.uptime > .zero })
      usleep(3_000)
      return time.uptime
    }

    /// Where its body stays, a scope does not let time pass on a guess.
    func stay() async throws {
      let ticker = Time.task { for try await _ in Time.timer(every: .seconds(1)) {} }
      for round in 1...3 {
        try await Time.sleep(for: .seconds(5))
        usleep(3_000)
        #expect(Time.uptime == .seconds(5 * round))
      }
      ticker.cancel()
    }
  }

  private final class QueueExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "elsewhere")

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
  }

  enum Way: String, CaseIterable, Sendable {
    case actor, dispatch, sleep

    func take() async throws {
      switch self {
      case .actor:
        await Elsewhere().visit()
        // Where nothing is done before the next wait, the task need not come back for it.
        _ = Time.uptime
      case .dispatch:
        await withCheckedContinuation { continuation in
          DispatchQueue.global().asyncAfter(deadline: .now() + 0.02) { continuation.resume() }
        }
      case .sleep: try await Task.sleep(for: .milliseconds(20))
      }
    }
  }

  /// What a scope reports, but for sleepers.
  private func reports(
    advances: VirtualTime.Advances = .byItself,
    _ body: @escaping @Sendable (VirtualTime) async throws -> Void
  ) async throws -> [String] {
    let journal = Timeline()
    try await Diagnostics.withInstance(
      .calling { if $0.kind == .leftScope { journal.note($0.description) } }
    ) {
      try await Time.virtual(from: start, advances: advances, body)
    }
    return journal.lines
  }

  @Test(arguments: Way.allCases, 0..<20)
  func `a scope's body that leaves its virtual time scope twice is reported once`(
    way: Way, round: Int
  )
    async throws
  {
    let reports = try await reports { _ in
      let sleeper = Time.task { try await Time.sleep(for: .seconds(10)) }
      try await way.take()
      try await way.take()
      try await sleeper.value
    }
    #expect(reports.count == 1)
    let report = try #require(reports.first)
    #expect(
      report.contains(
        ": the body of the scope at AmbientVirtualTimeTests/DepartedTasksTests.swift:"))
    #expect(report.hasSuffix(". \(BareTasks.cure(isHeld: true))."))
  }

  @Test
  func `once a scope's body has read the time on another executor, virtual time doesn't pass`()
    async throws
  {
    try await Diagnostics.withInstance(.calling { _ in }) {
      try await Time.virtual(from: start, patience: .seconds(300)) { _ in
        let (stream, feed) = AsyncStream<Void>.makeStream()
        let sleeper = Time.task {
          for await _ in stream {}
          try await Time.sleep(for: .seconds(10))
        }
        #expect(try await Elsewhere().work(feed) == .zero)
        try await sleeper.value
      }
    }
  }

  @Test func `a task outside its scope isn't reported if the scope's cancellation makes it return`()
    async throws
  {
    let (journal, begun, over) = (Timeline(), Timeline(), Timeline())
    let opener = Task {
      _ = try? await Diagnostics.withInstance(
        .calling { if $0.kind == .leftScope { journal.note($0.description) } }
      ) {
        try await Time.virtual(from: start, patience: .seconds(300)) { _ in
          Time.task {
            try await Time.sleep(for: .seconds(10))
            begun.note("time has passed")
          }
          try? await Task.sleep(for: .seconds(3_600))
          _ = Time.uptime
        }
      }
      over.note("over")
    }
    #expect(await Patience.waitIdly { !begun.lines.isEmpty })
    opener.cancel()
    #expect(await Patience.waitIdly { !over.lines.isEmpty })
    #expect(journal.lines == [])
  }

  @Test(arguments: [true, false])
  func `if scopes see bare Tasks, advice about a task that left its scope omits Time.task`(
    isHeld: Bool
  ) {
    let cure = BareTasks.cure(isHeld: isHeld)
    #expect(cure.contains("Time.sleep") && cure.contains("Time.hold { }"))
    #expect(cure.contains("Time.task { }") != isHeld)
    #expect(cure.contains("main actor") != isHeld)
    #expect(cure.contains("XCTest"))
    #expect(BareTasks.areHeld)
  }

  @Test
  func `a task that left its scope is reported even if all sleepers end before the task runs`()
    async throws
  {
    let reports = try await reports { _ in
      let sleeper = Time.task { try? await Time.sleep(for: .seconds(10)) }
      let (stream, feed) = AsyncStream<Int>.makeStream()
      let leaver = Time.task(name: "leaver") { for await _ in stream {} }
      let other = Time.task {
        // The leaver comes back while this task has the turn.
        let back = Timeline()
        Outside.run {
          feed.finish()
          back.note("back")
        }
        #expect(Patience.wait { !back.lines.isEmpty })
        sleeper.cancel()
      }
      await other.value
      await leaver.value
      await sleeper.value
      #expect(Time.uptime == .zero)
    }
    #expect(reports.count == 1)
    #expect(reports.first?.contains("Time.task “leaver”") == true, "\(reports)")
  }

  @Test func `calling Time.sleep on an executor outside the scope isn't reported as a deadlock`()
    async throws
  {
    let reports = try await reports { _ in
      let (stream, feed) = AsyncStream<Int>.makeStream()
      let sleeper = Time.task {
        for await _ in stream {}
        try await Time.sleep(for: .seconds(10))
      }
      // Nobody else sleeps yet, so time cannot pass before the body does.
      try await Elsewhere().sleep()
      feed.finish()
      try await sleeper.value
      #expect(Time.uptime == .seconds(11))
    }
    // Nothing was a matter of luck.
    #expect(reports == [])
  }

  @Test func `between sleeps, a scope's body on another executor sees no virtual time pass`()
    async throws
  {
    try await Time.virtual(from: start) { _ in try await Elsewhere().stay() }
  }

  @Test func `the report of a task that left its scope names the task and the scope`()
    async throws
  {
    let reports = try await reports { time in
      let visitor = Time.task(name: "visitor") { try await Way.actor.take() }
      try await Time.sleep(for: .seconds(1))
      try await visitor.value
    }
    #expect(reports.count == 1)
    #expect(
      reports.first?.contains(
        "Time.task “visitor” at AmbientVirtualTimeTests/DepartedTasksTests.swift:")
        == true)
    #expect(
      reports.first?.contains(
        "the scope at AmbientVirtualTimeTests/DepartedTasksTests.swift:") == true)
  }

  @Test(arguments: Way.allCases)
  func `a task that leaves its scope within Time.hold isn't reported`(way: Way) async throws {
    let reports = try await reports { _ in
      let sleeper = Time.task { try await Time.sleep(for: .seconds(10)) }
      for _ in 0..<3 { try await Time.hold { try await way.take() } }
      let isHeld = Time.uptime == .zero
      #expect(isHeld)
      try await sleeper.value
    }
    #expect(reports == [])
  }

  @Test(arguments: Way.allCases)
  func `if no task sleeps, a scope's body that leaves the scope isn't reported`(way: Way)
    async throws
  {
    let reports = try await reports { _ in
      try await Time.sleep(for: .seconds(10))
      try await way.take()
      try await Time.sleep(for: .seconds(10))
    }
    #expect(reports == [])
  }

  @Test func `waiting for another task of the same scope isn't reported as leaving the scope`()
    async throws
  {
    let reports = try await reports { time in
      let (stream, feed) = AsyncStream<Int>.makeStream()
      let register = Register()
      Time.task {
        for number in 0..<5 {
          try await Time.sleep(for: .seconds(1))
          feed.yield(number)
          await register.add(number)
          await MainActor.run {}
        }
        feed.finish()
      }
      let bare = Task { try await Time.sleep(for: .seconds(3)) }
      async let child: Void = Time.sleep(for: .seconds(2))
      for await number in stream { await register.add(number) }
      try await child
      try await bare.value
      try await withThrowingTaskGroup { group in
        for second in 1...3 { group.addTask { try await Time.sleep(for: .seconds(second)) } }
        try await group.waitForAll()
      }
      try await Time.timeout(after: .seconds(5)) { try await Time.sleep(for: .seconds(1)) }
      Time.task { try await Time.sleep(for: .seconds(10)) }
      try await Time.virtual(from: start) { _ in try await Time.sleep(for: .seconds(1)) }
      try await time.run()
    }
    #expect(reports == [])
  }

  private actor Register {
    var sum = 0
    func add(_ number: Int) { sum += number }
  }

  @Test
  func `starting or cancelling a scope's task from an outside thread isn't reported`()
    async throws
  {
    let reports = try await reports { time in
      let sleeper = Time.task { try? await Time.sleep(for: .seconds(10)) }
      Time.task { try await Time.sleep(for: .seconds(20)) }
      let (stream, feed) = AsyncStream<Int>.makeStream()
      let reader = Time.task { for await _ in stream {} }
      try await time.advance(by: .zero)
      let scope = AmbientScope.capture()
      let done = Timeline()
      Outside.run {
        scope.run {
          _ = Time.task {
            try await Time.sleep(for: .seconds(1))
            done.note("slept")
          }
        }
        sleeper.cancel()
        reader.cancel()
      }
      // Not a hold, in which nothing is reported.
      while done.lines.isEmpty { try await Time.sleep(for: .milliseconds(1)) }
      await sleeper.value
      await reader.value
      withExtendedLifetime(feed) {}
      try await time.run()
    }
    #expect(reports == [])
  }

  /// A worker of the process's, which takes its time outside of the scope that wakes it.
  private func work(_ stream: AsyncStream<Int>, _ done: Timeline) -> Task<Void, Never> {
    Task {
      for await _ in stream {
        try? await Task.sleep(for: .milliseconds(20))
        done.note("done")
      }
    }
  }

  @Test(arguments: [true, false])
  func `an outside task that a scope's tasks only wake isn't reported as leaving the scope`(
    isOlder: Bool
  )
    async throws
  {
    let (stream, feed) = AsyncStream<Int>.makeStream()
    let done = Timeline()
    let older = isOlder ? work(stream, done) : nil
    let reports = try await reports { _ in
      let worker = older ?? AmbientScope.outside { work(stream, done) }
      await Task.yield()
      let end = ContinuousClock.now + Patience.short
      for round in 1...3 {
        feed.yield(round)
        while done.lines.count < round, ContinuousClock.now < end {
          try await Time.sleep(for: .seconds(1))
        }
        #expect(done.lines.count == round)
      }
      feed.finish()
      withExtendedLifetime(worker) {}
    }
    #expect(reports == [])
  }

  @Test func `if advance() waits for a task, the task isn't reported for leaving its scope`()
    async throws
  {
    let reports = try await reports { time in
      Time.task {
        for _ in 0..<5 {
          try await Way.actor.take()
          try await Time.sleep(for: .seconds(1))
        }
        try await Time.sleep(for: .seconds(10))
      }
      try await time.advance(by: .seconds(5), sleepers: 1)
      try await time.run()
    }
    #expect(reports == [])
  }

  @Test func `under the virtualTime trait, a task that leaves its scope records a test issue`()
    async throws
  {
    let texts = Guarded<[String]>([])
    let test = try #require(Test.current)
    try await withKnownIssue {
      try await AmbientTrait.virtualTime(from: start).provideScope(
        for: test, testCase: Test.Case.current
      ) {
        let sleeper = Time.task { try await Time.sleep(for: .seconds(10)) }
        try await Way.actor.take()
        try await sleeper.value
      }
    } matching: { issue in
      texts.withLock { $0.append(issue.comments.map(\.rawValue).joined()) }
      return true
    }
    let found = texts.withLock { $0 }
    #expect(found.count == 1)
    #expect(found.first?.contains(BareTasks.cure(isHeld: true)) == true)
  }
}

/// One by one, with no scope around them.
@Suite struct `Record of departed tasks` {
  private var departed = DepartedTasks()
  private let parked = ParkedJobs()

  private func job(isCancelled: Bool = false) -> VirtualJob {
    VirtualJob(job: parked.park(isCancelled: isCancelled), place: .scope)
  }

  @Test mutating func `a new DepartedTasks has no tasks and reports no returning task`() {
    #expect(departed.runner == 0)
    #expect(departed.looper(5) == 0)
    #expect(departed.lastRun(of: 0) == nil)
    #expect(departed.lastRun(of: 5) == nil)
    let found = departed.judge(job(), othersSleep: true, at: .zero)
    #expect(found == .expected)
    parked.run()
  }

  @Test(arguments: [true, false], [true, false])
  mutating func `DepartedTasks reports a task that comes back to its scope while other tasks sleep`(
    slept: Bool, sleep: Bool
  ) {
    let jobs = (0..<3).map { _ in job() }
    for job in jobs.dropFirst() { departed.noteReturn(of: job.task, othersSleep: slept) }
    let found = jobs.map { departed.judge($0, othersSleep: sleep, at: .zero) }
    // The first had not left.
    #expect(found == [.expected, slept || sleep ? .unseen : .expected, .expected])
    departed.noteReturn(of: jobs[2].task, othersSleep: true)
    let foundAgain = departed.judge(jobs[2], othersSleep: true, at: .zero)
    #expect(foundAgain == (slept || sleep ? .expected : .unseen))
    parked.run()
  }

  @Test
  mutating func `DepartedTasks reports a task that comes back to its scope after time has passed`()
  {
    let jobs = (0..<3).map { _ in job() }
    departed.noteRun(of: jobs[1].task, job: 1, at: .seconds(2))
    departed.noteRun(of: jobs[2].task, job: 2, at: .seconds(1))
    for job in jobs { departed.noteReturn(of: job.task, othersSleep: false) }
    let found = jobs.map { departed.judge($0, othersSleep: false, at: .seconds(2)) }
    #expect(found == [.expected, .expected, .unseen])
    parked.run()
  }

  @Test
  mutating func `if time passed, DepartedTasks judge() returns cancelled for a cancelled task`() {
    let (early, late, other) = (job(isCancelled: true), job(isCancelled: true), job())
    departed.noteRun(of: late.task, job: 1, at: .zero)
    for job in [early, late, other] { departed.noteReturn(of: job.task, othersSleep: true) }
    var found = [early, late].map { departed.judge($0, othersSleep: true, at: .seconds(1)) }
    departed.silence()
    departed.noteReturn(of: late.task, othersSleep: true)
    found += [other, late].map { departed.judge($0, othersSleep: true, at: .seconds(1)) }
    #expect(found == [.expected, .cancelled, .expected, .expected])
    parked.run()
  }

  @Test
  mutating func `DepartedTasks names the running task and the last task of the past thousand jobs`()
  {
    departed.noteRun(of: 5, job: 1, at: .seconds(1))
    departed.noteRun(of: 0, job: 2, at: .seconds(2))
    #expect(departed.runner == 0)
    #expect(departed.looper(2) == 5)
    #expect(departed.looper(1_000) == 5)
    #expect(departed.looper(1_001) == 0)
    departed.noteRun(of: 6, job: 1_500, at: .seconds(3))
    #expect(departed.runner == 6)
    #expect(departed.looper(1_600) == 6)
    #expect(departed.lastRun(of: 5) == .seconds(1))
    #expect(departed.lastRun(of: 0) == nil)
    #expect(departed.lastRun(of: 6) == .seconds(3))
    departed.noteRun(of: 5, job: 1_501, at: .seconds(4))
    #expect(departed.lastRun(of: 5) == .seconds(4))
  }

  @Test
  mutating func `DepartedTasks keeps the last run times of 256 consecutively numbered tasks`() {
    for task: UInt64 in 1...300 { departed.noteRun(of: task, job: task, at: .seconds(task)) }
    for task: UInt64 in 45...300 { #expect(departed.lastRun(of: task) == .seconds(task)) }
    for task: UInt64 in 1...44 { #expect(departed.lastRun(of: task) == nil) }
  }

  @Test mutating func `a full DepartedTasks bucket drops the task that ran least recently`() {
    let tasks = (0..<5).map { UInt64(3 + 64 * $0) }
    for (job, index) in [0, 1, 2, 3, 1, 0, 0, 4].enumerated() {
      departed.noteRun(of: tasks[index], job: UInt64(job), at: .seconds(job))
    }
    let expected: [Duration?] = [.seconds(6), .seconds(4), nil, .seconds(3), .seconds(7)]
    #expect(tasks.map { departed.lastRun(of: $0) } == expected)
    departed.noteRun(of: tasks[2], job: 8, at: .seconds(8))
    #expect(departed.lastRun(of: tasks[3]) == nil)
    #expect(departed.lastRun(of: tasks[1]) == .seconds(4))
  }
}
