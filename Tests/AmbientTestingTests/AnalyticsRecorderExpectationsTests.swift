// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientTesting
import Testing

@Suite(.analytics(AnalyticsRecorder())) struct `What a recorder of events is expected to have` {
  @Test func `is an issue at the call if it is missing, and the test goes on`() throws {
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
