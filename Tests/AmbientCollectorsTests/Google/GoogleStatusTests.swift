// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientCollectors
import AmbientTesting
import Foundation
import TestSupport
import Testing

@Suite struct `Google responses` {
  private let folder = TemporaryFolder()

  @Test(arguments: [200, 201, 202, 204, 299])
  func `a 2xx response from Google counts as delivery`(status: Int) async throws {
    let server = try LoopbackServer(always: .answer(status))
    let analytics = try GoogleAnalytics.to(server, folder)
    analytics.send("a", "b")
    await analytics.finish()
    #expect(server.requests.count == 1)
    #expect(analytics.status.delivered == 2)
  }

  @Test func `an event that Google answers with 413 counts as lost, and the others are delivered`()
    async throws
  {
    let server = try LoopbackServer { _, request in
      request.body.contains(#""name":"bad""#) ? .answer(413, body: "why") : .answer(204)
    }
    let analytics = try GoogleAnalytics.to(server, folder)
    analytics.send("a", "b", "bad", "c")
    await analytics.finish()
    #expect(analytics.status.delivered == 3)
    #expect(analytics.status.lost == ["status 413": 1])
  }

  @Test
  func
    `with unknownOutcome set to dropped, a Google purchase with transaction_id is still retried`()
    async throws
  {
    let transport = ScriptedTransport { number, _ in
      number < 2 ? .failure(.unknown, "the connection was lost") : .answer(204)
    }
    let analytics = try GoogleAnalytics.to(
      transport, folder, GoogleOptions().with { $0.unknownOutcome = .dropped }, upload: .atFlush)
    analytics.send("a", "b")
    analytics.track(Event("purchase", ["transaction_id": "t"]))
    analytics.track(Event("purchase"))
    await analytics.finish()
    // The other events, and a purchase that Google cannot know again, went with the first.
    #expect(
      analytics.status.lost == ["not known to have arrived": 3])
    #expect(analytics.status.delivered == 1)
    try #require(transport.bodies.count == 3)
    #expect(transport.bodies[1] == transport.bodies[2])
    #expect(transport.bodies[2].contains(#""transaction_id":"t""#))
  }

  @Test(.virtualTime(from: "2026-11-27T00:00:00Z", advances: .byHand), .quiet)
  func `with unknownOutcome set to dropped, a shutdown drops events of a pending Google request`()
    async throws
  {
    let transport = ScriptedTransport { _, _ in .hang }
    let analytics = try GoogleAnalytics.to(
      transport, folder, GoogleOptions().with { $0.unknownOutcome = .dropped }, upload: .atFlush)
    analytics.send("a", "b")
    analytics.flush()
    try await VirtualTime.current.advance(by: .zero)
    try #require(transport.exchanges.count == 1)
    await analytics.shutdown(deadline: .now + .milliseconds(200))
    #expect(analytics.status.lost == ["not known to have arrived": 2])
    #expect(analytics.status.waiting == 0)
  }

  @Test
  func `with unknownOutcome set to dropped, a Google request that wasn't sent is still retried`()
    async throws
  {
    let transport = ScriptedTransport([.failure(.unsent, "the connection was refused")])
    let analytics = try GoogleAnalytics.to(
      transport, folder, GoogleOptions().with { $0.unknownOutcome = .dropped }, upload: .atFlush)
    analytics.send("a")
    await analytics.finish()
    #expect(analytics.status.delivered == 1)
    #expect(analytics.lostEvents == 0)
  }
}
