// SPDX-License-Identifier: Apache-2.0

#if canImport(Testing)
  public import Ambient
  internal import AmbientSystem
  internal import Testing

  extension Log {
    /// A log that records an issue for each record of any level.
    ///
    /// The issue has the source location of the test in which this property was read.
    public static var failing: Log { FailingLog(level: .trace) }
  }

  extension Analytics {
    /// Analytics that record an issue for each event.
    ///
    /// The issue has the source location of the test in which this property was read.
    public static var failing: Analytics { FailingAnalytics() }
  }

  extension Time {
    /// A `Time` that records an issue each time that it is read or slept on.
    ///
    /// The issue has the source location of the test in which this property was read. The time
    /// stands still at 2001-01-01T00:00:00Z, and a sleep only lets other tasks run.
    public static var failing: Time { FailingTime() }
  }

  private final class FailingLog: Log, @unchecked Sendable {
    private let test = Test.current

    override func write(_ record: LogRecord) {
      recordUse(
        of: "Log", in: test, "\(record.level.rawValue) “\(record.message)”",
        "  logged: \(record.source)")
    }
  }

  private final class FailingAnalytics: Analytics, @unchecked Sendable {
    private let test = Test.current

    override func record(_ event: TrackedEvent) {
      recordUse(
        of: "Analytics", in: test, "the event “\(event.event.name)”",
        CallerTrace.capture().line("tracked"))
    }
  }

  private final class FailingTime: Time, @unchecked Sendable {
    private let test = Test.current

    override var now: Date {
      recordUse(of: "Time", in: test, "the time of day", CallerTrace.capture().line("read"))
      return Date(timeIntervalSinceReferenceDate: 0)
    }

    override var uptime: Duration {
      recordUse(of: "Time", in: test, "the monotonic time", CallerTrace.capture().line("read"))
      return .zero
    }

    override func sleep(
      untilUptime deadline: Duration, tolerance: Duration?, caller: SourcePlace
    ) async throws {
      recordUse(of: "Time", in: test, "a sleep", "  slept: \(caller)")
      try await Time.suspendOnce()
    }
  }

  /// Records an issue of `test`, the test for which the service was made. Does not use
  /// `Test.current`, because it is nil on a queue or thread outside the test.
  private func recordUse(of service: String, in test: Test?, _ what: String, _ caller: String) {
    let text: Comment = "\(service) was used, which is an issue in this test: \(what).\n\(caller)"
    if let test {
      Issue.record(text, sourceLocation: test.sourceLocation)
    } else {
      Issue.record(text)
    }
  }
#endif
