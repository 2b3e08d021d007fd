// SPDX-License-Identifier: Apache-2.0

import Ambient
import Foundation
import Testing

@Suite struct `Service mixins` {
  struct FromAround: RequiresTime, RequiresLog, RequiresAnalytics {}

  struct Given: RequiresTime, RequiresLog, RequiresAnalytics {
    let time: Time
    let log: Log
    let analytics: Analytics
  }

  @Test func `the property of a mixin such as RequiresLog returns the current instance`() {
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

  @Test func `a stored property replaces the current instance in a mixin such as RequiresLog`() {
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
