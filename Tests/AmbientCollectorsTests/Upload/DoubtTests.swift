// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientCollectors
import AmbientTesting
import Foundation
import TestSupport
import Testing

@Suite(.virtualTime(from: "2026-11-27T00:00:00Z", advances: .byHand), .quiet)
struct `Unknown request outcomes` {
  private let folder = TemporaryFolder()
  private static let doubtful: [ScriptedTransport.Step] = [
    .failure(.unknown, "half an answer"), .answer(200, body: "<!doctype html><title>Login</title>"),
    .hang, .answer(500, body: "Code: 319. DB::Exception: Unknown status of insert"),
  ]

  private func analytics(
    _ steps: [ScriptedTransport.Step], _ repeats: Int?
  ) throws -> (HTTPAnalytics, ScriptedTransport) {
    let transport = ScriptedTransport(steps)
    let options = UploadOptions().with { $0.repeatsInDoubt = repeats }
    return (try HTTPAnalytics(transport, folder, upload: options), transport)
  }

  @Test(arguments: doubtful.indices, [0, 2])
  func `a request with an unknown outcome is resent repeatsInDoubt times, then given up`(
    step: Int, repeats: Int
  )
    async throws
  {
    let time = try VirtualTime.current
    let steps = Array(repeating: Self.doubtful[step], count: 9)
    let (analytics, transport) = try analytics(steps, repeats)
    analytics.track(0..<3)
    try await time.advance(by: .seconds(3_600))
    #expect(
      transport.exchanges.map { numbers($0.lines) }
        == .init(repeating: [0, 1, 2], count: repeats + 1))
    #expect(analytics.status.lost == ["not known to have arrived": 3])
    #expect(analytics.status.refused == 0)
    #expect(transport.exchanges.allSatisfy { !$0.request.isRepeatable })
  }

  @Test
  func `if repeatsInDoubt is nil, a request is resent until the server responds`()
    async throws
  {
    let time = try VirtualTime.current
    let steps = (0..<8).map { Self.doubtful[$0 % 2] }
    let (analytics, transport) = try analytics(steps, nil)
    analytics.track(0..<3)
    try await time.advance(by: .seconds(7_000))
    #expect(transport.exchanges.count == 9)
    #expect(analytics.status.delivered == 3)
    #expect(transport.exchanges.allSatisfy { $0.request.isRepeatable })
  }

  @Test func `an unsent attempt or a response resets a request's count of unknown outcomes`()
    async throws
  {
    let time = try VirtualTime.current
    let doubt = Self.doubtful[0]
    let (analytics, transport) = try analytics(
      [doubt, .failure(.unsent, "no network"), doubt, .answer(503), doubt, .answer(401), doubt], 1)
    analytics.track(0..<3)
    try await time.advance(by: .seconds(3_600))
    #expect(transport.exchanges.count == 8)
    #expect(analytics.status.delivered == 3)
  }

  @Test func `if repeatsInDoubt is 0, events whose outcome is unknown at shutdown count as lost`()
    async throws
  {
    let (analytics, transport) = try analytics([.hang], 0)
    analytics.track(0..<3)
    analytics.flush()
    try await VirtualTime.current.advance(by: .zero)
    try #require(transport.exchanges.count == 1)
    // By real time, in which nothing of the scope goes on.
    await Time.hold { await analytics.shutdown(deadline: .now + .milliseconds(300)) }
    #expect(analytics.status.waiting == 0)
    #expect(analytics.status.lost == ["not known to have arrived": 3])
  }
}
