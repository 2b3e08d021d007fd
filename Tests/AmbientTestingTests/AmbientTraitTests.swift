// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientTesting
import Foundation
import Testing

struct `Ambient traits` {
  private enum Flag {
    private static let context = AmbientContext<Bool>("AmbientTraitTests.Flag") { false }
    static var isOn: Bool {
      get { context.instance }
      set { context.instance = newValue }
    }
  }

  @Test(.assigning { Flag.isOn = true }, arguments: 0..<4)
  func `the assigning trait sets a custom context's instance for each test case`(number: Int) {
    #expect(Flag.isOn)
    Flag.isOn = false
  }

  @Test(.frozen(at: "2026-11-27T00:00:00-05:00"))
  func `the frozen trait accepts an ISO 8601 instant`() throws {
    #expect(Time.now == (try Date(iso8601: "2026-11-27T05:00:00Z")))
    #expect(Time.instance is FixedTime)
  }

  @Test(.frozen(at: Date(timeIntervalSinceReferenceDate: 5)))
  func `the frozen trait accepts a Date`() {
    #expect(Time.now == Date(timeIntervalSinceReferenceDate: 5))
  }

  @Test(.scaled(by: 1_000), arguments: 0..<4)
  func `the scaled trait runs a test's sleeps in scaled time`(number: Int) async throws {
    #expect(Time.instance is ScaledTime)
    let deadline = Time.uptime + .seconds(2)
    try await Time.sleep(for: .seconds(2))
    #expect(Time.uptime >= deadline)
  }

  @Test(.virtualTime(from: "2026-11-27T00:00:00Z"), arguments: 0..<20)
  func `the virtualTime trait gives each test case its own virtual time`(number: Int) async throws {
    let time = try VirtualTime.current
    #expect(time.uptime == .zero)
    let expiry = Time.task { try await Time.sleep(for: .seconds(number)) }
    try await time.advance(by: .seconds(number))
    try await expiry.value
    try await Time.sleep(for: .seconds(86_400))
    #expect(time.uptime == .seconds(86_400 + number))
  }

  @Test(.virtualTime(from: Date(timeIntervalSinceReferenceDate: 5)))
  func `the virtualTime trait runs a synchronous test in virtual time`() throws {
    #expect(Time.now == Date(timeIntervalSinceReferenceDate: 5))
    #expect(Time.instance === (try VirtualTime.current))
  }

  @MainActor
  @Test(.virtualTime(from: "2026-11-27T00:00:00Z"))
  func `a test on the main actor can advance virtual time by hand`() async throws {
    let time = try VirtualTime.current
    var ticks = 0
    let task = Task {
      while true {
        try await Time.sleep(for: .seconds(1))
        ticks += 1
      }
    }
    try await time.advance(by: .seconds(60), sleepers: 1)
    #expect(ticks == 60)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test(arguments: ["tomorrow", "2026-02-29T00:00:00Z"])
  func `an invalid date or scale factor in an Ambient trait throws an error`(text: String)
    async throws
  {
    for trait in [AmbientTrait.frozen(at: text), .virtualTime(from: text)] {
      await #expect(throws: ISO8601Error.self) { try await run(trait) {} }
    }
    await #expect(throws: SettingError.self) { try await run(.scaled(by: 0)) {} }
  }

  @Test func `an Ambient trait applies to a suite's tests, not to the suite itself`() async throws {
    let test = try #require(Test.current)
    let trait = AmbientTrait.frozen(at: Date(timeIntervalSinceReferenceDate: 5))
    try await trait.provideScope(for: test, testCase: nil) {
      #expect(!(Time.instance is FixedTime))
    }
    try await run(trait) { #expect(Time.instance is FixedTime) }
    #expect(trait.isRecursive)
  }

  @Test func `an issue is recorded for each task still sleeping at the end of a virtual time test`()
    async throws
  {
    let issues = Guarded<[String]>([])
    try await withKnownIssue {
      try await run(.virtualTime(from: "2026-11-27T00:00:00Z")) {
        Time.task { try await Time.sleep(for: .seconds(900)) }
        Time.task(name: "expiry") { try await Time.sleep(for: .seconds(1_800)) }
      }
    } matching: { issue in
      issues.withLock { $0.append(issue.comments.map(\.rawValue).joined()) }
      return true
    }
    let texts = issues.withLock { $0 }
    #expect(texts.count == 2)
    #expect(texts.first?.contains("AmbientTestingTests/AmbientTraitTests.swift") == true)
    #expect(texts.last?.contains("“expiry” sleeps for 1800.0 seconds") == true)
  }

  @Test func `an issue is recorded for each task still sleeping when a virtual time test throws`()
    async throws
  {
    let issues = Guarded(0)
    await withKnownIssue {
      await #expect(throws: CocoaError.self) {
        try await run(.virtualTime(from: "2026-11-27T00:00:00Z")) {
          Time.task { try await Time.sleep(for: .seconds(900)) }
          throw CocoaError(.fileNoSuchFile)
        }
      }
    } matching: { _ in
      issues.withLock { $0 += 1 }
      return true
    }
    #expect(issues.withLock { $0 } == 1)
  }

  @Test func `no issue is recorded for a task still sleeping at the end of a cancelled test`()
    async throws
  {
    let (ended, end) = AsyncStream<Bool>.makeStream()
    let cancelled = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await run(.virtualTime(from: "2026-11-27T00:00:00Z")) {
        Time.task { try await Time.sleep(for: .seconds(900)) }
        Time.task {
          let (nothing, feed) = AsyncStream<Never>.makeStream()
          for await _ in nothing {}
          feed.finish()
          end.yield(Task.isCancelled)
        }
      }
    }
    try await cancelled.value
    for await isCancelled in ended.prefix(1) { #expect(isCancelled) }
  }

  @Test func `an issue is recorded if a background task throws in a virtual time test`() async {
    await withKnownIssue {
      try await run(.virtualTime(from: "2026-11-27T00:00:00Z")) {
        let task = Time.backgroundTask { throw CocoaError(.fileNoSuchFile) }
        _ = await task.result
      }
    }
  }

  @Test func `a deadlock in a virtual time test records an issue that names the waiting test body`()
    async throws
  {
    let errors = Guarded<[VirtualTimeError?]>([])
    try await withKnownIssue {
      try await run(.virtualTime(from: "2026-11-27T00:00:00Z")) {
        let (stream, feed) = AsyncStream<Int>.makeStream()
        for await _ in stream {}
        feed.finish()
      }
    } matching: { issue in
      errors.withLock { $0.append(issue.error as? VirtualTimeError) }
      return true
    }
    let line = try #require(Test.current).sourceLocation.line
    let body = "the body of the scope at AmbientTestingTests/AmbientTraitTests.swift:\(line)"
    let waiting = ["\(body), since uptime 0.0 seconds"]
    #expect(errors.withLock { $0 } == [VirtualTimeError(.deadlock(waiting: waiting))])
  }

  @MainActor
  @Test(.virtualTime(from: "2026-11-27T00:00:00Z"))
  func `virtual time passes while a test on the main actor awaits a sleeping task`() async throws {
    let expiry = Time.task { try await Time.sleep(for: .seconds(900)) }
    try await expiry.value
    let time = try VirtualTime.current
    #expect(time.uptime == .seconds(900))
  }

  @Test func `if virtual time isn't advanced, a main actor test awaiting a sleep records an issue`()
    async throws
  {
    let errors = Guarded<[String]>([])
    try await withKnownIssue {
      try await run(.virtualTime(from: "2026-11-27T00:00:00Z", advances: .byHand)) {
        await waitUnadvanced()
      }
    } matching: { issue in
      errors.withLock { $0.append((issue.error as? VirtualTimeError)?.description ?? "") }
      return true
    }
    let texts = errors.withLock { $0 }
    #expect(texts.count == 1)
    #expect(texts.first?.contains("Time.task “expiry” at AmbientTestingTests/") == true)
    #expect(texts.first?.contains("in task “expiry” sleeps for 900.0 seconds") == true)
  }

  @MainActor
  private func waitUnadvanced() async {
    let time = try? VirtualTime.current
    let task = Time.task(name: "expiry") { try await Time.sleep(for: .seconds(900)) }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(time?.uptime == .zero)
  }

  @Test func `the virtualTime trait rethrows a deadlock error that the test throws`() async throws {
    let error = VirtualTimeError(.deadlock(waiting: ["a scope within the test"]))
    await #expect(throws: error) {
      try await run(.virtualTime(from: "2026-11-27T00:00:00Z")) { throw error }
    }
  }

  /// Runs a test's body as the testing library does.
  private func run(
    _ trait: AmbientTrait, _ body: @escaping @concurrent @Sendable () async throws -> Void
  ) async throws {
    let test = try #require(Test.current)
    try await trait.provideScope(for: test, testCase: Test.Case.current, performing: body)
  }
}

@Suite(.frozen(at: "2026-11-27T00:00:00Z"))
struct `Suite traits` {
  let made = Time.now

  @Test func `a suite's Ambient trait applies in the suite's initializer and in each test`() {
    #expect(made == Time.now)
    #expect(Time.instance is FixedTime)
  }

  @Test(.virtualTime(from: "2030-01-01T00:00:00Z"))
  func `a test's own virtualTime trait overrides the suite's frozen trait`() throws {
    #expect(Time.instance === (try VirtualTime.current))
  }
}
