// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientTesting
import Testing

@Suite(.log(LogRecorder())) struct `LogRecorder expectations` {
  @Test func `if no record matches, LogRecorder.expect() records an issue and doesn't throw`()
    throws
  {
    let recorder = try LogRecorder.current
    Log.info("placed", ["order": 1])
    recorder.expect(LogExpectation("placed"))
    var hasGoneOn = false
    let line = #line + 2
    withKnownIssue {
      recorder.expect(LogExpectation("refused"))
      hasGoneOn = true
    } matching: { issue in
      issue.sourceLocation?.line == line && issue.comments[0].rawValue.contains("not logged: any")
    }
    #expect(hasGoneOn)
  }
}
