// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientTesting
import Dispatch
import Foundation
import Testing

@Suite struct `AmbientTrait findings` {
  /// A context that no other test has.
  private enum Region {
    static let context = AmbientContext<String>("Region") { "nowhere" }
    static var instance: String { context.instance }
  }

  private enum Shore {
    static let context = AmbientContext<String>("Shore") { "nowhere" }
    static var instance: String { context.instance }
  }

  /// The texts of the issues that the trait makes of `body` and that tell of a context named so;
  /// those of a read elsewhere are of other tests, which run at the same time.
  private func issues(
    of trait: AmbientTrait, about name: String, function: String = #function,
    _ body: @escaping @Sendable () async -> Void
  ) async throws -> [String] {
    let texts = Guarded<[String]>([])
    let test = try #require(Test.current)
    try await withKnownIssue(isIntermittent: true) {
      try await trait.provideScope(for: test, testCase: Test.Case.current) { await body() }
    } matching: { issue in
      texts.withLock { $0.append(issue.comments.map(\.rawValue).joined()) }
      return true
    }
    return texts.withLock {
      $0.filter { $0.contains(name) && (!$0.contains("process's") || isOf(function, $0)) }
    }
  }

  /// Whether the text names the function as a caller.
  private func isOf(_ function: String, _ text: String) -> Bool {
    let callers = text.split(separator: "\n").filter { $0.contains(" in ") }.joined()
    return callers.replacing("`", with: "").contains(function.replacing("`", with: ""))
  }

  @Test
  func `the isolatedAmbients trait reports context reads on queues and in detached tasks`()
    async throws
  {
    let texts = try await issues(of: .isolatedAmbients(escapes: .issue), about: "Region") {
      _ = Region.instance
      await withCheckedContinuation { continuation in
        DispatchQueue.global().async {
          _ = Region.instance
          continuation.resume()
        }
      }
      await Task.detached { for _ in 0..<3 { _ = Region.instance } }.value
    }
    #expect(texts.count == 2, "\(texts)")
    #expect(texts.allSatisfy { $0.contains("Region.instance") })
    #if os(Linux)
      let file = "AmbientFindingTests.swift:"
      #expect(texts.allSatisfy { $0.contains(file) }, "\(texts)")
    #endif
  }

  @Test func `context reads in a captured AmbientScope or AmbientScope.outside aren't reported`()
    async throws
  {
    let texts = try await issues(of: .isolatedAmbients(escapes: .issue), about: "Region") {
      let scope = AmbientScope.capture()
      await Task.detached { scope.run { _ = Region.instance } }.value
      AmbientScope.outside { _ = Region.instance }
    }
    #expect(texts.isEmpty, "\(texts)")
  }

  @Test func `the report of a context read outside a test's scope names the tests then running`()
    async throws
  {
    let texts = try await issues(of: .isolatedAmbients(escapes: .issue), about: "Region") {
      let test = Test.current
      try? await AmbientTrait.isolatedAmbients(escapes: .issue).provideScope(
        for: test!, testCase: Test.Case.current
      ) {
        await Task.detached { _ = Region.instance }.value
      }
    }
    // The name of this test.
    #expect(texts.contains { $0.contains("names the tests then running") }, "\(texts)")
  }

  @Test func `a test that reads a context's default instead of assigning an instance is reported`()
    async throws
  {
    let texts = try await issues(of: .isolatedAmbients(defaults: .issue), about: "Shore") {
      _ = Shore.instance
      _ = Shore.instance
      Region.context.instance = "assigned"
      _ = Region.instance
    }
    #expect(texts.count == 1)
    #expect(texts.first?.contains("Shore.instance") == true)
    let other = try await issues(of: .isolatedAmbients(defaults: .issue), about: "Region") {
      Region.context.instance = "assigned"
      _ = Region.instance
    }
    #expect(other.isEmpty)
  }

  @Test
  func `a detached task in a test that assigns a context's process-wide instance is reported`()
    async throws
  {
    // One that the process has not read, or the assignment would be reported as a late one.
    enum Tide { static let context = AmbientContext<String>("Tide") { "nowhere" } }
    let texts = try await issues(of: .isolatedAmbients(escapes: .issue), about: "Tide") {
      await Task.detached { Tide.context.instance = "escaped" }.value
    }
    #expect(texts.count == 1, "\(texts)")
  }

  @Test func `a test that reads a context's default instance is reported even if the test throws`()
    async throws
  {
    let texts = Guarded<[String]>([])
    let test = try #require(Test.current)
    await withKnownIssue {
      await #expect(throws: CocoaError.self) {
        try await AmbientTrait.isolatedAmbients(defaults: .issue).provideScope(
          for: test, testCase: Test.Case.current
        ) {
          _ = Shore.instance
          throw CocoaError(.fileNoSuchFile)
        }
      }
    } matching: { issue in
      texts.withLock { $0.append(issue.comments.map(\.rawValue).joined()) }
      return true
    }
    #expect(texts.withLock { $0.count } == 1)
  }

  @Test func `without options, the isolatedAmbients trait doesn't report context reads`()
    async throws
  {
    let texts = try await issues(of: .isolatedAmbients, about: "Region") {
      await Task.detached { _ = Region.instance }.value
      _ = Region.instance
    }
    #expect(texts.isEmpty)
  }

  @Test func `each use of a Log, Analytics or Time that is set to .failing records an issue`()
    async throws
  {
    let log = try await issues(of: .log(.failing), about: "Log was used") {
      Log.debug("a line")
    }
    #expect(log.count == 1)
    let line = ": debug “a line”.\n  logged: AmbientTestingTests/"
    #expect(log.first?.contains(line) == true, "\(log)")
    let analytics = try await issues(of: .analytics(.failing), about: "Analytics was used") {
      Analytics.track(Event("step"))
    }
    #expect(analytics.count == 1)
    #expect(analytics.first?.contains("the event “step”") == true)
    let time = try await issues(of: .time(.failing), about: "Time was used") {
      #expect(Time.now == Date(timeIntervalSinceReferenceDate: 0))
      try? await Time.sleep(for: .seconds(3_600))
    }
    #expect(time.contains { $0.contains("the time of day") })
    #expect(time.contains { $0.contains("a sleep.\n  slept: AmbientTestingTests/AmbientFind") })
  }

  @Test func `if Time is set to .failing, a sleep of a cancelled task throws CancellationError`()
    async throws
  {
    let isThrown = Guarded(false)
    _ = try await issues(of: .time(.failing), about: "Time was used") {
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        try await Time.sleep(for: .seconds(1))
      }
      do {
        try await task.value
      } catch {
        isThrown.withLock { $0 = error is CancellationError }
      }
    }
    #expect(isThrown.withLock { $0 })
  }

  @Test func `reading the default Diagnostics in a test or a detached task isn't reported`()
    async throws
  {
    let texts = try await issues(
      of: .isolatedAmbients(escapes: .issue, defaults: .issue), about: "Diagnostics"
    ) {
      _ = Diagnostics.instance
      await Task.detached { _ = Diagnostics.instance }.value
    }
    #expect(texts.isEmpty, "\(texts)")
  }

  @Test func `several context reads on one source line are reported once`() async throws {
    let texts = try await issues(of: .isolatedAmbients(escapes: .issue), about: "Region") {
      await Task.detached {
        _ = (Region.context.instance, Shore.context.instance, Region.context.instance)
      }.value
    }
    #expect(texts.count == 1, "\(texts)")
    // In either order.
    let both = [
      "Region.instance and Shore.instance", "Shore.instance and Region.instance",
    ]
    #expect(texts.allSatisfy { text in both.contains { text.contains($0) } }, "\(texts)")
  }

  @Test func `the issue recorded by a .failing Analytics or Time names the use's source file`()
    async throws
  {
    let seen = Guarded<[Duration]>([])
    let time = try await issues(of: .time(.failing), about: "Time was used") {
      let now = Time.now.timeIntervalSinceReferenceDate
      let uptime = Time.uptime
      seen.withLock { $0 = [.seconds(now), uptime] }
    }
    #expect(seen.withLock { $0 } == [.zero, .zero])
    let day = time.filter { $0.contains(": the time of day.\n  read: ") }
    let uptime = time.filter { $0.contains(": the monotonic time.\n  read: ") }
    #expect(day.count == 1 && uptime.count == 1, "\(time)")
    let analytics = try await issues(of: .analytics(.failing), about: "Analytics was used") {
      Analytics.track("step")
    }
    #expect(analytics.first?.contains("the event “step”.\n  tracked: ") == true, "\(analytics)")
    #if os(Linux)
      let file = "AmbientFindingTests.swift:"
      #expect((day + uptime + analytics).allSatisfy { $0.contains(file) }, "\(time)")
    #endif
    let log = try await issues(of: .log(.failing), about: "Log was used") { Log.trace("a line") }
    #expect(log.count == 1)
  }
}
