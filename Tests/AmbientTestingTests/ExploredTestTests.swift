// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientTesting
import AmbientVirtualTime
import Foundation
import Testing

private let start = Date(timeIntervalSinceReferenceDate: 0)

/// Two tasks of which the second is late, unless another schedule lets it overtake.
private func race(
  _ first: @escaping @Sendable () async throws -> Void,
  _ second: @escaping @Sendable () async throws -> Void
) async throws {
  try await withThrowingTaskGroup(of: Void.self) { group in
    group.addTask { try await first() }
    group.addTask {
      for _ in 0..<6 { await Task.yield() }
      try await second()
    }
    try await group.waitForAll()
  }
}

@Suite struct `Schedule exploration in tests` {
  private struct Late: Error {}

  /// Whether the first task of a race has come.
  private final class Flag: Sendable {
    private let isSet = Guarded(false)

    func set() { isSet.withLock { $0 = true } }

    var hasCome: Bool { isSet.withLock { $0 } }
  }

  /// Runs `body` within the traits, the outermost first. Returns the issues that they record.
  private func issues(
    within traits: AmbientTrait..., body: @escaping @Sendable () async throws -> Void
  ) async throws -> [Issue] {
    let found = Guarded<[Issue]>([])
    let test = try #require(Test.current)
    let catching = IssueHandlingTrait.compactMapIssues { issue in
      found.withLock { $0.append(issue) }
      return nil
    }
    let run = traits.reversed().reduce(body) { body, trait in
      {
        try await trait.provideScope(for: test, testCase: Test.Case.current, performing: body)
      }
    }
    try await catching.provideScope(for: test, testCase: Test.Case.current) { try await run() }
    return found.withLock { $0 }
  }

  private func hasReport(_ issue: Issue) -> Bool {
    issue.comments.contains { $0.rawValue.contains("fails in schedule") }
  }

  @Test func `a schedule search records a failed expectation once, for the shrunk schedule`()
    async throws
  {
    let issues = try await issues(within: .virtualTime(from: start, schedules: 1_000)) {
      let flag = Flag()
      try await race({ flag.set() }, { #expect(flag.hasCome) })
    }
    #expect(issues.count == 1)
    let issue = try #require(issues.first)
    guard case .expectationFailed = issue.kind else { throw Late() }
    #expect(hasReport(issue))
  }

  @Test func `a schedule search records a test's error once, for the shrunk schedule`() async throws
  {
    let issues = try await issues(within: .virtualTime(from: start, schedules: 1_000)) {
      let flag = Flag()
      try await race({ flag.set() }, { if !flag.hasCome { throw Late() } })
    }
    #expect(issues.count == 1)
    #expect(issues.first?.error is Late)
    #expect(issues.allSatisfy(hasReport))
  }

  @Test func `a schedule search records a failed requirement once`() async throws {
    let issues = try await issues(within: .virtualTime(from: start, schedules: 1_000)) {
      let flag = Flag()
      try await race({ flag.set() }, { try #require(flag.hasCome) })
    }
    #expect(issues.count == 1)
    #expect(issues.allSatisfy(hasReport))
  }

  @Test func `an issue is recorded if a task still sleeps at the end of one explored schedule`()
    async throws
  {
    let issues = try await issues(within: .virtualTime(from: start, schedules: 1_000)) {
      let flag = Flag()
      try await race({ flag.set() }) {
        if !flag.hasCome { Time.task { try await Time.sleep(for: .seconds(5)) } }
      }
    }
    #expect(issues.count == 1)
    #expect(issues.allSatisfy(hasReport))
  }

  @Test func `a deadlock in one explored schedule is recorded as an issue`() async throws {
    let issues = try await issues(within: .virtualTime(from: start, schedules: 1_000)) {
      let flag = Flag()
      let (stream, feed) = AsyncStream<Int>.makeStream()
      try await race({ flag.set() }) {
        if !flag.hasCome { for await _ in stream {} }
      }
      feed.finish()
    }
    #expect(issues.count == 1)
    let error = issues.first?.error as? VirtualTimeError
    guard error?.code == .deadlock else { throw Late() }
    #expect(issues.allSatisfy(hasReport))
  }

  @Test func `known issues and warnings don't fail a schedule search and are recorded once`()
    async throws
  {
    let issues = try await issues(within: .virtualTime(from: start, schedules: 20)) {
      withKnownIssue { Issue.record("known") }
      Issue.record("a warning", severity: .warning)
    }
    #expect(issues.count == 2)
    #expect(issues.allSatisfy { !$0.isFailure })
  }

  @Test func `if a test already fails in FIFO order, no other schedules are explored`()
    async throws
  {
    let runs = Shared(0)
    let issues = try await issues(within: .virtualTime(from: start, schedules: 20)) {
      runs.add()
      Issue.record("always")
    }
    #expect(issues.count == 1)
    #expect(!issues.contains(where: hasReport))
    #expect(runs.value == 1)
  }

  @Test func `a schedule search records a failure even if a task then yields endlessly`()
    async throws
  {
    let issues = try await issues(within: .virtualTime(from: start, schedules: 1_000)) {
      let flag = Flag()
      try await race({ flag.set() }) {
        if flag.hasCome { return }
        Issue.record("late")
        while true {
          try Task.checkCancellation()
          await Task.yield()
        }
      }
    }
    #expect(issues.allSatisfy { $0.isFailure } && !issues.isEmpty)
  }

  @Test func `each explored schedule runs with new instances from all Ambient traits`() async throws
  {
    let runs = Shared(0)
    let issues = try await issues(
      within: .log(LogRecorder()), .virtualTime(from: start, schedules: 100),
      .analytics(AnalyticsRecorder())
    ) {
      runs.add()
      try await race({ Log.info("first") }, { Analytics.track("second") })
      #expect(try LogRecorder.current.messages == ["first"])
      #expect(try AnalyticsRecorder.current.events == [Event("second")])
      Log.instance = LogRecorder()
    }
    #expect(issues.isEmpty, "\(issues)")
    #expect(runs.value == 101)
  }

  @Test func `if a suite's virtual time has a short limit, a schedule search records no issue`()
    async throws
  {
    let issues = try await issues(
      within: .virtualTime(from: start, limit: .milliseconds(500)),
      .virtualTime(from: start, schedules: 2_000)
    ) {
      try await Time.sleep(for: .seconds(5))
      #expect(Time.uptime == .seconds(5))
    }
    #expect(issues.isEmpty, "\(issues)")
  }

  @Test func `a failure that depends on an earlier schedule's state is reported as not repeatable`()
    async throws
  {
    let runs = Shared(0)
    let issues = try await issues(within: .virtualTime(from: start, schedules: 20)) {
      runs.add()
      if runs.value == 5 {
        await Task.yield()
        throw Late()
      }
    }
    #expect(issues.count == 1)
    #expect(issues.first?.comments.first?.rawValue.contains("is not repeatable") == true)
  }

  @Test func `a schedule search ends even if a test ignores being cancelled`() async throws {
    let release = Shared(0)
    let issues = try await issues(within: .virtualTime(from: start, schedules: 1_000)) {
      let flag = Flag()
      try await race({ flag.set() }) {
        if !flag.hasCome {
          await withCheckedContinuation { continuation in
            // What ends the wait in the end is outside the scope, and late.
            DispatchQueue.global().asyncAfter(deadline: .now() + 2) {
              release.add()
              continuation.resume()
            }
          }
        }
      }
    }
    #expect(issues.count == 1, "\(issues)")
    #expect(issues.allSatisfy(hasReport))
    #expect(release.value > 0)
  }

  @Test(arguments: [0, -1])
  func `requesting fewer than one schedule, or a schedule number below one, throws an error`(
    count: Int
  )
    async throws
  {
    let error = await #expect(throws: ScheduleError.self) {
      try await issues(within: .virtualTime(from: start, schedules: count)) {}
    }
    #expect(error?.code == .noSchedules)
    let other = await #expect(throws: ScheduleError.self) {
      try await issues(within: .virtualTime(from: start, schedules: 1, replaying: [count])) {}
    }
    #expect(other?.code == .noNumber)
  }

  @Test func `a schedule search within a schedule search throws an error`() async throws {
    let issues = try await issues(within: .virtualTime(from: start, schedules: 3)) {
      let error = await #expect(throws: ScheduleError.self) {
        try await Time.virtual(from: start, schedules: 3) { _ in }
      }
      #expect(error?.code == .nested)
    }
    #expect(issues.isEmpty, "\(issues)")
  }
}

/// A counter that runs share.
private final class Shared: Sendable {
  private let kept: Guarded<Int>

  init(_ value: Int) { kept = Guarded(value) }

  var value: Int { kept.withLock { $0 } }

  func add() { kept.withLock { $0 += 1 } }
}

/// The runs of a test whose trait differs from that of its suite.
private let runs = Shared(0)

@Suite(.virtualTime(from: start, schedules: 50)) struct `Schedule exploration in suites` {
  @Test(.virtualTime(from: "2026-12-24T00:00:00Z"))
  func `a test's own virtualTime trait replaces the suite's schedule search`() throws {
    runs.add()
    #expect(runs.value == 1)
    #expect(try Time.now == Date(iso8601: "2026-12-24T00:00:00Z"))
  }

  @Test(.virtualTime(from: "2026-12-24T00:00:00Z", schedules: 5))
  func `a test's own schedule search replaces the suite's schedule search`() throws {
    #expect(try Time.now == Date(iso8601: "2026-12-24T00:00:00Z"))
  }
}
