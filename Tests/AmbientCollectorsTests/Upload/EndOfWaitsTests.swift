// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientCollectors
import AmbientTesting
import TestSupport
import Testing

@Suite(.quiet) struct `Retry-After delays` {
  private let folder = TemporaryFolder()

  @Test(
    .virtualTime(from: "2026-11-27T00:00:00Z", advances: .byHand, limit: Patience.short), .quiet)
  func `a retry starts exactly when the delay given by Retry-After has passed`() async throws {
    let time = try VirtualTime.current
    let transport = ScriptedTransport([.answer(503, headers: ["retry-after": "7"])])
    let analytics = try HTTPAnalytics(transport, folder)
    analytics.track(0..<1)
    let isOver: Void? = try? await time.advance(by: .seconds(12))
    #expect(isOver != nil && transport.seconds == [0, 7])
    #expect(analytics.status.delivered == 1)
  }
}
