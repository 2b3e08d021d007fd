// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientTesting
import Testing

@Suite(.analytics(AnalyticsRecorder())) struct `AnalyticsRecorder expectations` {
  @Test func `if no event matches, AnalyticsRecorder.expect() records an issue and doesn't throw`()
    throws
  {
    let recorder = try AnalyticsRecorder.current
    Analytics.track(Event("purchase", ["order": 1]))
    recorder.expect(EventExpectation("purchase", ["order": 1]))
    var hasGoneOn = false
    let line = #line + 2
    withKnownIssue {
      recorder.expect(EventExpectation("refund"))
      hasGoneOn = true
    } matching: { issue in
      issue.sourceLocation?.line == line
        && issue.comments[0].rawValue.contains("not tracked: refund")
    }
    #expect(hasGoneOn)
  }
}
