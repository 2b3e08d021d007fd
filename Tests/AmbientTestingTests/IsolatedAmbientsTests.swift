// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientTesting
import Foundation
import Testing

/// A thousand cases that run side by side, each of which assigns every context.
@Suite(.isolatedAmbients)
struct `Parallel tests` {
  @Test(arguments: 0..<1_000)
  func `parallel tests see only their own Time, Log and Analytics instances`(number: Int)
    async throws
  {
    let time = FixedTime(at: .init(timeIntervalSinceReferenceDate: Double(number)))
    let log = LogRecorder()
    let analytics = AnalyticsRecorder()
    #expect(Time.instance is DefaultTime, "another test's time is in force")
    #expect(!(Log.instance is LogRecorder), "another test's log is in force")
    #expect(Analytics.instance is NoAnalytics, "another test's analytics are in force")
    Time.instance = time
    Log.instance = log
    Analytics.instance = analytics
    await withTaskGroup { group in
      for _ in 0..<3 {
        group.addTask {
          await Task.yield()
          Log.info("case \(number)")
          Analytics.track(Event("case", ["number": number]))
        }
      }
    }
    #expect(Time.instance === time)
    #expect(Log.instance === log)
    #expect(Analytics.instance === analytics)
    #expect(Time.now.timeIntervalSinceReferenceDate == Double(number))
    #expect(log.records.map { "\($0.message)" } == Array(repeating: "case \(number)", count: 3))
    #expect(
      analytics.events == Array(repeating: Event("case", ["number": number]), count: 3))
  }
}
