// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientTesting
import Foundation
import Testing

private let date = Date(timeIntervalSinceReferenceDate: 5)

@Suite(.frozen(at: date), .isolatedAmbients)
struct `Trait composition` {
  @Test func `a suite's frozen time applies together with the suite's isolatedAmbients trait`() {
    #expect(Time.now == date)
  }

  @Test(.isolatedAmbients)
  func `a suite's frozen time still applies if a test has its own isolatedAmbients trait`() {
    #expect(Time.now == date)
  }

  @Test(.log(LogRecorder()), .analytics(AnalyticsRecorder()), arguments: 0..<3)
  func `traits of suite and test combine, and each case has new recorders`(number: Int) throws {
    Log.info("case \(number)")
    Analytics.track(Event("case", ["number": number]))
    #expect(try LogRecorder.current.messages == ["case \(number)"])
    #expect(try LogRecorder.current.records[0].date == date)
    #expect(try AnalyticsRecorder.current.events == [Event("case", ["number": number])])
  }

  @Test(.frozen(at: .distantPast)) func `a test's frozen time overrides the suite's`() {
    #expect(Time.now == .distantPast)
  }

  @Test(.virtualTime(from: Date(timeIntervalSinceReferenceDate: 7)), .log(LogRecorder()))
  func `a test combines virtual time and a log recorder`() async throws {
    try await Time.sleep(for: .seconds(3))
    Log.info("late")
    #expect(try LogRecorder.current.records[0].date == date + 5)
  }

  @Test func `the error about a missing AnalyticsRecorder names the current analytics`() {
    let error = #expect(throws: NoRecorderError.self) { try AnalyticsRecorder.current }
    #expect(error?.description.contains("NoAnalytics, not AnalyticsRecorder") == true)
    #expect(error?.description.contains(".analytics(AnalyticsRecorder())") == true)
  }
}
