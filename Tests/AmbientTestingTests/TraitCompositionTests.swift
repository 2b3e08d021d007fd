// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientTesting
import Foundation
import Testing

private let date = Date(timeIntervalSinceReferenceDate: 5)

@Suite(.frozen(at: date), .isolatedAmbients)
struct `Traits of a suite` {
  @Test func `add up, whatever their order`() { #expect(Time.now == date) }

  @Test(.isolatedAmbients) func `stay where a test isolates once more`() {
    #expect(Time.now == date)
  }

  @Test(.log(LogRecorder()), .analytics(AnalyticsRecorder()), arguments: 0..<3)
  func `add to those of a test, whose services are made for each case`(number: Int) throws {
    Log.info("case \(number)")
    Analytics.track(Event("case", ["number": number]))
    #expect(try LogRecorder.current.messages == ["case \(number)"])
    #expect(try LogRecorder.current.records[0].date == date)
    #expect(try AnalyticsRecorder.current.events == [Event("case", ["number": number])])
  }

  @Test(.frozen(at: .distantPast)) func `give way to those of a test`() {
    #expect(Time.now == .distantPast)
  }

  @Test(.virtualTime(from: Date(timeIntervalSinceReferenceDate: 7)), .log(LogRecorder()))
  func `may be virtual time and a log`() async throws {
    try await Time.sleep(for: .seconds(3))
    Log.info("late")
    #expect(try LogRecorder.current.records[0].date == date + 5)
  }

  @Test func `say what is in force where no recorder is`() {
    let error = #expect(throws: NoRecorderError.self) { try AnalyticsRecorder.current }
    #expect(error?.description.contains("NoAnalytics, not AnalyticsRecorder") == true)
    #expect(error?.description.contains(".analytics(AnalyticsRecorder())") == true)
  }
}
