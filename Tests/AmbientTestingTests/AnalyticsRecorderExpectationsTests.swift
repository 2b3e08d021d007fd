// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientTesting
import Testing

@Suite(.analytics(AnalyticsRecorder())) struct `AnalyticsRecorder expectations` {
  @Test func `an unmet event expectation is an issue at the call, and the test continues`() throws {
    let recorder = try AnalyticsRecorder.current
    Analytics.track(Event("purchase", ["order": 1]))
    recorder.expect(EventExpectation("purchase", ["order": 1]))
    var hasGoneOn = false
    withKnownIssue {
      recorder.expect(EventExpectation("refund"))
      hasGoneOn = true
    } matching: { issue in
      issue.sourceLocation?.line == 12
        && issue.comments[0].rawValue.contains("not tracked: refund")
    }
    #expect(hasGoneOn)
  }
}
