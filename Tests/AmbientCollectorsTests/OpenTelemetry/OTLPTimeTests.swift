import Ambient
import AmbientCollectors
import AmbientTesting
import Foundation
import TestSupport
import Testing

@Suite(.virtualTime(from: "2026-11-27T00:00:00Z", advances: .byHand))
struct `The time of what OTLP sends` {
  private let folder = TemporaryFolder()

  @Test(arguments: OTLPSender.allCases)
  func `is its own, though the server is down for a day`(sender: OTLPSender) async throws {
    let time = try VirtualTime.current
    let start = Time.now
    let transport = ScriptedTransport { _, _ in
      Time.now.timeIntervalSince(start) < 86_400 ? .answer(503) : .answer(200)
    }
    let sending = try sender.make(folder, transport: transport)
    for hour in 0..<24 {
      sending.send("hourly", ["hour": hour])
      try await time.advance(by: .seconds(3_600))
    }
    let attempts = transport.exchanges.count
    #expect((300...1_200).contains(attempts), "\(attempts) attempts")
    #expect(sending.status.delivered == 0)
    #expect(sending.status.waiting == 24)
    try await time.advance(by: .seconds(600))
    #expect(sending.status.delivered == 24)
    #expect(sending.status.dropped == [:])
    #expect(sending.amendments == [:])
    let sent = transport.bodies.dropFirst(attempts).joined()
    let times = sent.matches(of: /"timeUnixNano":"([0-9]+)"/).compactMap { Int($0.output.1) }
    let hours = sent.matches(of: /"hour","value":{"intValue":"([0-9]+)"/)
      .compactMap { Int($0.output.1) }
    #expect(hours.suffix(24) == Array(0..<24)[...])
    #expect(
      times.suffix(24)
        == (0..<24).map { (Int(start.timeIntervalSince1970) + $0 * 3_600) * 1_000_000_000 }[...])
  }

  @Test(arguments: [
    ("120", 120.0), ("Fri, 27 Nov 2026 00:05:00 GMT", 295), ("999999999", 3_600),
  ])
  func `of a retry is what the server says`(text: String, wait: Double) async throws {
    let time = try VirtualTime.current
    let transport = ScriptedTransport([.answer(503, headers: ["retry-after": text])])
    let sending = try OTLPSender.log.make(folder, transport: transport)
    sending.send("a")
    try await time.advance(by: .seconds(5_000))
    #expect(transport.seconds == [0, wait])
    #expect(sending.status.delivered == 1)
  }
}
