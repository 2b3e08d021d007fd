// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientCollectors
import AmbientVirtualTime
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

extension CollectorError {
  /// The setting that is wrong; nil of another error.
  var setting: String? {
    let start = "invalid setting “"
    guard description.hasPrefix(start) else { return nil }
    return String(description.dropFirst(start.count).prefix { $0 != "”" })
  }
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

  /// Sends what waits at once; whether nothing waits any more within the limit for waits.
  func isEmptiedAfterFlush() async -> Bool {
    flush()
    return await isEmptied()
  }

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

/// A collector of that name, which sends at a flush or at its end, and whose requests a script
/// answers.
func collector(
  _ name: String, _ transport: ScriptedTransport, _ folder: TemporaryFolder
) throws -> any Sending {
  let queue = try EventQueue(folder: folder.path("queue"), .small)
  let url = "http://events.example/"
  let id = AdobeAnalytics.datastreamID
  let credentials = AdobeCredentials(apiKey: "bbbb", organization: "cccc") { "aaaa" }
  switch name {
  case "HTTP":
    return try HTTPAnalytics(url: url, queue: queue, upload: .atFlush, transport: transport)
  case "HTTP in columns":
    return try HTTPAnalytics(
      url: url, queue: queue, options: HTTPOptions().with { $0.properties = .flattened("_") },
      upload: .atFlush, transport: transport)
  case "ClickHouse":
    return try HTTPAnalytics.clickHouse(
      url: url, table: ClickHouseTable("events"), queue: queue,
      options: ClickHouseOptions().with { $0.looksAtTable = false }, upload: .atFlush,
      transport: transport)
  case "Google web":
    return try GoogleAnalytics(
      measurementID: "G-TEST12345", apiSecret: "aaaa", queue: queue, upload: .atFlush,
      transport: transport)
  case "Google app":
    return try GoogleAnalytics(
      firebaseAppID: "1:12:ios:a1", appInstanceID: "0123456789abcdef0123456789abcdef",
      apiSecret: "aaaa", queue: queue, upload: .atFlush, transport: transport)
  case "Adobe client":
    return try AdobeAnalytics(
      datastreamID: id, queue: queue, upload: .atFlush, transport: transport)
  case "Adobe server":
    return try AdobeAnalytics(
      datastreamID: id, credentials: credentials, queue: queue, upload: .atFlush,
      transport: transport)
  case "OTLP":
    return try OTLPAnalytics(
      queue: queue, options: .test(), upload: .atFlush, transport: transport)
  default:
    return try OTLPLog(
      queue: queue, level: .trace, options: .test(), upload: .atFlush, transport: transport)
  }
}
