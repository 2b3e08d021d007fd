// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Ambient

@Suite struct `Subclasses without overrides` {
  /// What is reported while `body` runs.
  private func reports(_ body: () -> Void) -> [Diagnostic] {
    let kept = Reports()
    Diagnostics.withInstance(kept, body)
    return kept.all
  }

  @Test func `a Log subclass that doesn't override write() is reported once`() throws {
    final class MisspeltLog: Log, @unchecked Sendable {
      func write(record: LogRecord) { Issue.record("nothing calls it") }
    }
    let reports = reports {
      for _ in 0..<3 { MisspeltLog(level: .info).info("lost") }
    }
    let report = try #require(reports.first)
    #expect(reports.count == 1)
    #expect(report.kind == .discarded)
    #expect(report.source == "MisspeltLog")
    #expect(report.message.contains("“override func write(_ record: LogRecord)”"))
  }

  @Test func `an Analytics subclass that doesn't override record() is reported once`()
    throws
  {
    final class MisspeltAnalytics: Analytics, @unchecked Sendable {
      func record(_ event: Event) { Issue.record("nothing calls it") }
    }
    let reports = reports {
      let analytics = MisspeltAnalytics()
      for _ in 0..<3 { analytics.track(Event("lost")) }
    }
    let report = try #require(reports.first)
    #expect(reports.count == 1)
    #expect(report.kind == .discarded)
    #expect(report.source == "MisspeltAnalytics")
    #expect(report.message.contains("“override func record(_ event: TrackedEvent)”"))
  }

  @Test func `no missing override is reported for Log, Analytics or a subclass that has write()`() {
    final class WritingLog: Log, @unchecked Sendable {
      override func write(_ record: LogRecord) {}
    }
    let reports = reports {
      Log(level: .info).info("discarded")
      Analytics().track(Event("discarded"))
      NoLog().write(
        LogRecord(
          date: .now, level: .info, message: "discarded", metadata: [:],
          source: SourcePlace(fileID: "Test/Test.swift", line: 1)))
      NoAnalytics().record(TrackedEvent(Event("discarded"), id: UUID(), date: .now))
      WritingLog(level: .info).info("taken")
    }
    #expect(reports.isEmpty)
  }
}
