// SPDX-License-Identifier: Apache-2.0

#if canImport(Testing)
  internal import Ambient
  internal import AmbientVirtualTime
  internal import Testing

  /// A test in virtual time that runs in many schedules.
  struct ExploredTest: Sendable {
    let scope: TestScope
    let function: @concurrent @Sendable () async throws -> Void
    /// The bodies that were abandoned, since they ignore their cancellation.
    private let abandoned = Abandoned()

    init(_ scope: TestScope, _ function: @escaping @concurrent @Sendable () async throws -> Void) {
      (self.scope, self.function) = (scope, function)
    }

    /// Runs the test first in, first out, then in the schedules of these numbers. Records the
    /// issues of the first run, or those of the shrunk schedule that fails.
    func run(_ numbers: ScheduleNumbers) async throws {
      let search = try ScheduleSearch(numbers) { run in
        await attempt(run, run == nil ? .recorded : .kept)
      }
      let finding = await search.run()
      await report(finding)
      await abandoned.end(in: scope)
      switch finding {
      case .first(let run), .none(let run, _): try run.result.get()
      case .failed, .failedOnce: break
      }
    }

    private func report(_ finding: ScheduleFinding<TestRun>) async {
      switch finding {
      case .first, .none(_, nil): break
      case .none(_, let report?):
        Issue.record("\(report).", severity: .warning, sourceLocation: scope.location)
      case .failed(let run, let detail, let report):
        let text = ([report.description] + detail.log).joined(separator: "\n")
        let last = await attempt(run, .failuresRecorded(with: "The test \(text)"))
        if last.detail.failures.isEmpty {
          record(
            "The test \(text)\nIt passed when it ran again. \(ScheduleReport.causes).",
            detail.failures)
        }
      case .failedOnce(let detail, let report): record("\(report).", detail.failures)
      }
    }

    private func record(_ text: String, _ failures: [String]) {
      let text = ([text] + failures).joined(separator: "\n")
      Issue.record("\(text)", sourceLocation: scope.location)
    }

    /// The number of lines of the run's log in a report.
    private static var mostLines: Int { 100 }

    /// The outcome of one run of the test.
    private struct TestRun: Sendable {
      var result = Result<Void, any Error>.success(())
      var failures: [String] = []
      /// The lines that the test has logged, if its log is a recorder.
      var log: [String] = []
    }

    /// The last lines of a run's log, for a report.
    private static func lines(of log: [LogRecord]) -> [String] {
      if log.isEmpty { return [] }
      let title =
        log.count > mostLines
        ? "The last \(mostLines) of \(log.count) lines in the log of the run:"
        : "The log of the run:"
      return [title] + log.suffix(mostLines).map { "  \(LogExpectation.line(of: $0))" }
    }

    private func attempt(
      _ run: ScheduleRun?, _ treatment: RunIssues.Treatment
    ) async -> ScheduleAttempt<TestRun> {
      let time = scope.makeTime(run)
      let issues = RunIssues(treatment) { time.trace.isCutOff }
      let outcome = Guarded(TestRun())
      let trait = IssueHandlingTrait.compactMapIssues { issues.handle($0) }
      do {
        try await trait.provideScope(for: scope.test, testCase: Test.Case.current) {
          do {
            // The closure is `@Sendable`, so there is no actor to stay on.
            try await AmbientTrait.withNewContexts {
              defer {
                // The trait reads the log, not the test, so the use of a default is not reported.
                let log = UseObservers.$ofDefaults.withValue(nil) {
                  (try? LogRecorder.current)?.records ?? []
                }
                outcome.withLock {
                  $0.log = Self.lines(of: log)
                }
              }
              let (result, body) = await scope.run(time, mayLeave: run != nil, function)
              if let body { abandoned.add(body) }
              outcome.withLock { $0.result = result }
              guard run != nil, !time.trace.isCutOff, !Task.isCancelled else { return }
              // The issue of a failed requirement has been recorded where it failed.
              if case .failure(let error) = result, !(error is ExpectationFailedError) {
                Issue.record(error, sourceLocation: scope.location)
              }
            }
          } catch  where run != nil {
            // A function that makes contexts has thrown.
            Issue.record(error, sourceLocation: scope.location)
          }
        }
      } catch {
        outcome.withLock { $0.result = .failure(error) }
      }
      var detail = outcome.withLock { $0 }
      detail.failures = issues.failures
      let trace = time.trace
      var isFailure = !detail.failures.isEmpty
      if case .failure = detail.result, !trace.isCutOff { isFailure = true }
      return ScheduleAttempt(isFailure: isFailure, trace, detail)
    }
  }

  /// The bodies of runs that continue although their scope has ended.
  private final class Abandoned: Sendable {
    private let bodies = Guarded<[Task<Void, any Error>]>([])

    func add(_ body: Task<Void, any Error>) { bodies.withLock { $0.append(body) } }

    /// Waits for the bodies, since Swift Testing cannot leave the test. They wait in a scope, so
    /// that the watch ends the program, as it does for any test that ignores its cancellation.
    func end(in scope: TestScope) async {
      let bodies = bodies.withLock { $0 }
      guard !bodies.isEmpty else { return }
      _ = await scope.makeTime(nil).run(
        at: scope.place, mayLeave: false, { _ in for body in bodies { _ = await body.result } },
        tell: { _ in })
    }
  }

  /// The issues of one run of a test.
  private final class RunIssues: Sendable {
    enum Treatment {
      /// All are recorded.
      case recorded
      /// None is recorded.
      case kept
      /// Failures are recorded, the first one with this comment.
      case failuresRecorded(with: Comment)
    }

    private let treatment: Treatment
    /// Whether the run was given up. Failures after that follow from its cancellation.
    private let isOver: @Sendable () -> Bool
    private let found = Guarded<[String]>([])

    init(_ treatment: Treatment, isOver: @escaping @Sendable () -> Bool) {
      (self.treatment, self.isOver) = (treatment, isOver)
    }

    /// Descriptions of the issues that are failures. Known issues and warnings are none.
    var failures: [String] { found.withLock { $0 } }

    /// Returns the issue to record instead of an issue.
    func handle(_ issue: Issue) -> Issue? {
      // An issue of a detached task, or of a thread, belongs to no test: Swift Testing records it
      // itself, and gives it to the handlers of all tests that run.
      guard Test.current != nil, !issue.isFailure || !isOver() else { return nil }
      var isFirst = false
      if issue.isFailure {
        // Outside the lock, because the description is the program's code.
        let text = "\(issue)"
        isFirst = found.withLock { found in
          found.append(text)
          return found.count == 1
        }
      }
      switch treatment {
      case .recorded: return issue
      case .kept: return nil
      case .failuresRecorded(let report):
        guard issue.isFailure else { return nil }
        var issue = issue
        if isFirst { issue.comments.append(report) }
        return issue
      }
    }
  }
#endif
