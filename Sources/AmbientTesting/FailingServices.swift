#if canImport(Testing)
  public import Ambient
  #if canImport(FoundationEssentials)
    internal import FoundationEssentials
  #else
    internal import Foundation
  #endif
  internal import Testing

  extension Log {
    /// A log of which each use is an issue of the test, where it was used.
    public static var failing: Log { FailingLog(level: .trace) }
  }

  extension Analytics {
    /// Analytics of which each use is an issue of the test.
    public static var failing: Analytics { FailingAnalytics() }
  }

  extension Time {
    /// A time of which each use is an issue of the test: it stands still at 2001-01-01T00:00:00Z,
    /// and a sleep returns at once.
    public static var failing: Time { FailingTime() }
  }

  private final class FailingLog: Log, @unchecked Sendable {
    override func write(_ record: LogRecord) {
      let source = record.source
      Issue.record(
        "Log was used, which was to fail: \(record.level.rawValue) “\(record.message)”",
        sourceLocation: SourceLocation(
          fileID: source.fileID, filePath: source.fileID, line: Int(source.line), column: 1))
    }
  }

  private final class FailingAnalytics: Analytics, @unchecked Sendable {
    override func record(_ event: TrackedEvent) {
      recordUse(of: "Analytics", "tracked", "the event “\(event.event.name)”")
    }
  }

  private final class FailingTime: Time, @unchecked Sendable {
    override var now: Date {
      recordUse(of: "Time", "read", "the time of day")
      return Date(timeIntervalSinceReferenceDate: 0)
    }

    override var uptime: Duration {
      recordUse(of: "Time", "read", "the monotonic time")
      return .zero
    }

    override func sleep(
      untilUptime deadline: Duration, tolerance: Duration?, caller: SourcePlace
    ) async throws {
      recordUse(of: "Time", "slept", "a sleep at \(caller)")
    }
  }

  private func recordUse(of service: String, _ verb: String, _ what: String) {
    let caller = CallSite.capture().line(verb)
    let text: Comment = "\(service) was used, which was to fail: \(what).\n\(caller)"
    if let test = Test.current {
      Issue.record(text, sourceLocation: test.sourceLocation)
    } else {
      Issue.record(text)
    }
  }
#endif
