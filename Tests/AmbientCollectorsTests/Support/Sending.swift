import Ambient
import AmbientCollectors
import Foundation
import TestSupport
import Testing

/// What brings something to a server: events, or the records of a log.
protocol Sending: Sendable {
  var status: DeliveryStatus { get }
  var amendments: [String: Int] { get }
  func send(_ name: String, _ fields: AmbientFields)
  func flush()
  func shutdown(deadline: ContinuousClock.Instant) async
}

extension QueuedAnalytics: Sending {
  func send(_ name: String, _ fields: AmbientFields) { track(Event(name, fields)) }
}

extension OTLPLog: Sending {
  func send(_ name: String, _ fields: AmbientFields) { info("\(name)", fields) }
}

extension Sending {
  func send(_ names: String...) { for name in names { send(name, [:]) } }

  /// Whether nothing waits any more within the limit for waits.
  func isEmptied() async -> Bool { await Patience.waitIdly { status.waiting == 0 } }

  /// Delivers what can be delivered.
  func finish() async { await shutdown(deadline: .now + Patience.long) }

  /// Sends `hourly`, with its hour, through a day in which the server is down, by
  /// ``ScriptedTransport/downForADay(then:)``, and checks that all arrive when it is up.
  func sendHourlyThroughADay() async throws {
    let time = try VirtualTime.current
    for hour in 0..<24 {
      send("hourly", ["hour": hour])
      try await time.advance(by: .seconds(3_600))
    }
    #expect(status.delivered == 0)
    #expect(status.waiting == 24)
    try await time.advance(by: .seconds(600))
    #expect(status.delivered == 24)
    #expect(status.lost == [:])
    #expect(amendments == [:])
  }
}

extension ScriptedTransport {
  /// A transport whose server is down for a day, and then answers with that status.
  static func downForADay(then status: Int) -> ScriptedTransport {
    let start = Time.now
    return ScriptedTransport { _, _ in
      Time.now.timeIntervalSince(start) < 86_400 ? .answer(503) : .answer(status)
    }
  }
}
