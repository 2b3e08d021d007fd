// SPDX-License-Identifier: Apache-2.0

import Ambient
import Foundation
import Testing

@Suite struct `A type that requires a service` {
  struct FromAround: RequiresTime, RequiresLog, RequiresAnalytics {}

  struct Given: RequiresTime, RequiresLog, RequiresAnalytics {
    let time: Time
    let log: Log
    let analytics: Analytics
  }

  @Test func `gets the instances in force where it uses them`() {
    let around = FromAround()
    let date = Date(timeIntervalSinceReferenceDate: 0)
    let log = LogRecorder()
    let analytics = AnalyticsRecorder()
    AmbientScope.isolated {
      Time.instance = FixedTime(at: date)
      Log.instance = log
      Analytics.instance = analytics
      #expect(around.time.now == date)
      #expect(around.log === log)
      #expect(around.analytics === analytics)
    }
    #expect(around.log !== log)
  }

  @Test func `uses what it was given, wherever it is used`() {
    let log = LogRecorder()
    let given = Given(
      time: FixedTime(at: Date(timeIntervalSinceReferenceDate: 1)), log: log,
      analytics: NoAnalytics())
    Time.freeze(at: Date(timeIntervalSinceReferenceDate: 2)) {
      #expect(given.time.now.timeIntervalSinceReferenceDate == 1)
      given.log.info("here")
    }
    #expect(log.messages == ["here"])
  }
}
