// SPDX-License-Identifier: Apache-2.0

import Ambient
import Testing

@testable import AmbientVirtualTime

@Suite struct `Job origins` {
  @Test(arguments: [JobOrigin.unknown, .own, .start(0), .start(1), .start(7)])
  func `when a nested JobOrigin ends, JobOrigin.current is the outer origin again`(
    origin: JobOrigin
  ) {
    #expect(JobOrigin.current == .unknown)
    let mark = origin.begin()
    #expect(JobOrigin.current == origin)
    var seen: [JobOrigin] = []
    JobOrigin.start(3).with { seen.append(.current) }
    seen.append(.current)
    mark.end()
    #expect(seen == [.start(3), origin])
    #expect(JobOrigin.current == .unknown)
  }
}
