// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientCollectors
import AmbientTesting
import Foundation
import TestSupport
import Testing

@Suite(.virtualTime(from: "2026-11-27T00:00:00Z", advances: .byHand))
struct `OTLP times and retries` {
  private let folder = TemporaryFolder()

  @Test(arguments: OTLPSender.allCases)
  func `OTLP records keep their times through a server outage of one day`(sender: OTLPSender)
    async throws
  {
    let start = Time.now
    let transport = ScriptedTransport.downForADay(then: 200)
    let sending = try sender.make(folder, transport: transport)
    try await sending.sendHourlyThroughADay()
    let attempts = transport.exchanges.prefix { $0.date < start + 86_400 }.count
    #expect((300...1_200).contains(attempts), "\(attempts) attempts")
    let sent = transport.bodies.dropFirst(attempts).joined()
    // When it was observed is when it was made, and not when it was sent.
    let times = sent.matches(of: /"timeUnixNano":"([0-9]+)","observedTimeUnixNano":"\1"/)
      .compactMap { Int($0.output.1) }
    let hours = sent.matches(of: /"hour","value":{"intValue":"([0-9]+)"/)
      .compactMap { Int($0.output.1) }
    #expect(hours.suffix(24) == Array(0..<24)[...])
    #expect(
      times.suffix(24)
        == (0..<24).map { (Int(start.timeIntervalSince1970) + $0 * 3_600) * 1_000_000_000 }[...])
  }

  @Test(arguments: OTLPSender.allCases)
  func `the times of OTLP records are exact to the microsecond`(sender: OTLPSender) async throws {
    let time = try VirtualTime.current
    try await time.advance(by: .nanoseconds(1_234_567_891))
    let transport = ScriptedTransport([])
    let sending = try sender.make(folder, transport: transport)
    sending.send("a")
    try await time.advance(by: .seconds(60))
    #expect(transport.bodies.first?.contains(#""timeUnixNano":"1795737601234568000""#) == true)
    #expect(
      transport.bodies.first?.contains(#""observedTimeUnixNano":"1795737601234568000""#) == true,
      "\(transport.bodies)")
  }

  @Test(arguments: [
    ("120", 120.0), ("Fri, 27 Nov 2026 00:05:00 GMT", 295), ("999999999", 3_600),
  ])
  func `Retry-After delays an OTLP retry by at most an hour`(text: String, wait: Double)
    async throws
  {
    let time = try VirtualTime.current
    let transport = ScriptedTransport([.answer(503, headers: ["retry-after": text])])
    let sending = try OTLPSender.log.make(folder, transport: transport)
    sending.send("a")
    try await time.advance(by: .seconds(5_000))
    #expect(transport.seconds == [0, wait])
    #expect(sending.status.delivered == 1)
  }
}
