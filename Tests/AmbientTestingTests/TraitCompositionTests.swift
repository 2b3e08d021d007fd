// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientTesting
import Foundation
import Testing

private let date = Date(timeIntervalSinceReferenceDate: 5)

@Suite(.frozen(at: date), .isolatedAmbients)
struct `Trait composition` {
  @Test func `a suite can combine the frozen and isolatedAmbients traits`() {
    #expect(Time.now == date)
  }

  @Test(.isolatedAmbients)
  func `a suite's frozen trait still applies to a test with an isolatedAmbients trait`() {
    #expect(Time.now == date)
  }

  @Test(.log(LogRecorder()), .analytics(AnalyticsRecorder()), arguments: 0..<3)
  func `a suite's and a test's traits combine, and each test case gets new recorders`(number: Int)
    throws
  {
    Log.info("case \(number)")
    Analytics.track(Event("case", ["number": number]))
    #expect(try LogRecorder.current.messages == ["case \(number)"])
    #expect(try LogRecorder.current.records[0].date == date)
    #expect(try AnalyticsRecorder.current.events == [Event("case", ["number": number])])
  }

  @Test(.frozen(at: .distantPast)) func `a test's frozen trait overrides the suite's frozen trait`()
  {
    #expect(Time.now == .distantPast)
  }

  @Test(.virtualTime(from: Date(timeIntervalSinceReferenceDate: 7)), .log(LogRecorder()))
  func `a test can combine the virtualTime trait with a LogRecorder`() async throws {
    try await Time.sleep(for: .seconds(3))
    Log.info("late")
    #expect(try LogRecorder.current.records[0].date == date + 5)
  }

  @Test func `the error for a missing AnalyticsRecorder names the current Analytics type`() {
    let error = #expect(throws: NoRecorderError.self) { try AnalyticsRecorder.current }
    #expect(error?.description.contains("NoAnalytics, not AnalyticsRecorder") == true)
    #expect(error?.description.contains(".analytics(AnalyticsRecorder())") == true)
  }
}
