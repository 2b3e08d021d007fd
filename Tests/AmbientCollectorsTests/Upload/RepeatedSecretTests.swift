// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientCollectors
import Foundation
import TestSupport
import Testing

@Suite struct `Secrets in responses` {
  /// Something that has a secret and sends to a scripted server.
  enum Sender: CaseIterable {
    case http, google, adobe, openTelemetry, openTelemetryLog
  }

  /// How the secret stands in a server's words.
  enum Form: CaseIterable {
    case plain, slashes, allEscaped, percent, page, twice, cutByServer

    func text(_ secret: String) -> String {
      switch self {
      case .plain: secret
      case .slashes: secret.replacing("/", with: #"\/"#).replacing("+", with: #"\u002B"#)
      case .allEscaped: secret.utf8.map { #"\u00\#(String($0, radix: 16))"# }.joined()
      case .percent: secret.replacing("/", with: "%2F").replacing("+", with: "%2b")
      case .page: secret.replacing("/", with: "&#x2F;").replacing("+", with: "&#43;")
      case .twice: secret.replacing("/", with: #"\\/"#).replacing("+", with: "%252B")
      case .cutByServer: String(secret.prefix(400))
      }
    }
  }

  private let folder = TemporaryFolder()
  /// Words of which none is like another.
  private let words = (0..<60).map { "\(10_000_019 * ($0 + 7))" }
  private var long: String { words.joined(separator: "/+") }
  private var short: String { "s3%41cr/et+\(words[0])" }

  @Test(.withoutSanitizer, arguments: Sender.allCases, Form.allCases)
  func `if a response repeats a secret in any encoding, reports and files hide the secret`(
    sender: Sender, form: Form
  ) async throws {
    for (number, secret) in [long, short].enumerated() {
      let folder = folder.path("\(number)")
      let reports = Reports()
      let said = form.text(secret)
      let transport = ScriptedTransport(script(said))
      let (status, shown) = try await Diagnostics.withInstance(reports) {
        try await send(from: sender, secret, folder, transport)
      }
      #expect(status.delivered + status.lost.values.reduce(0, +) > 4)
      #expect(reports.all.count > 3)
      var all = "\(reports.all) \(status) \(shown)"
      let files = FileManager.default.enumerator(atPath: folder)?.allObjects ?? []
      for case let name as String in files {
        guard let data = FileManager.default.contents(atPath: "\(folder)/\(name)") else { continue }
        // A queue's file is mostly zeros.
        all += String(decoding: data.filter { $0 != 0 }, as: UTF8.self)
      }
      #expect(all.contains("the key"), "\(all)")
      // They are runs of digits.
      let runs = Set(all.utf8.split { !(48...57).contains($0) }.map { Substring($0) })
      let seen = words.filter { runs.contains(Substring($0)) }
      #expect(seen.isEmpty, "\(seen.count) in \(all.prefix(2_000))")
      for word in [words[0], words[25], words[59]] { #expect(!all.contains(form.text(word))) }
    }
  }

  @Test(arguments: [("a", true), ("abc", true), ("abcd", false), ("ébcd", false)])
  func `in a server's message, only secrets of at least four characters are redacted`(
    value: String, isShown: Bool
  ) async throws {
    let reports = Reports()
    let transport = ScriptedTransport([.answer(403, body: "the table \(value) abc is unknown")])
    try await Diagnostics.withInstance(reports) {
      let analytics = try HTTPAnalytics(
        url: "http://events.example/?team=\(value == "ébcd" ? "x" : value)",
        queue: EventQueue(folder: folder.path("q"), .small),
        options: HTTPOptions().with { $0.headers = ["X-Team": value] }, transport: transport)
      analytics.track(Event("a"))
      await analytics.finish()
    }
    let shown = isShown ? value : "…"
    #expect(
      reports.messages.first?.contains("the table \(shown) abc is unknown") == true,
      "\(reports.messages)")
  }

  /// Answers of all kinds that a report has words of.
  private func script(_ said: String) -> [ScriptedTransport.Step] {
    let text = "the key \(said) is wrong"
    let problem = #"{"title":"the key \#(said)","detail":"is \#(said)"}"#
    let partial = #"{"partialSuccess":{"rejectedLogRecords":"1","errorMessage":"\#(text)"}}"#
    return [
      .answer(400, body: text), .answer(403, body: text), .answer(503, body: text),
      .answer(400, body: problem), .answer(403, body: problem), .answer(503, body: problem),
      .answer(302, headers: ["location": "https://events.example/the key/\(said)"]),
      .answer(302, headers: ["location": "https://events.example/the-key/\(said)"]),
      .failure(.unsent, text), .answer(200, body: partial),
      .answer(200, body: partial.replacing(#""1""#, with: #""0""#)),
    ]
  }

  /// Sends until the script is at its end; what became of it, and what shows.
  private func send(
    from sender: Sender, _ secret: String, _ folder: String, _ transport: ScriptedTransport
  ) async throws -> (DeliveryStatus, String) {
    // Small, since its file is read whole.
    let queue = try EventQueue(folder: folder, .small)
    let upload = UploadOptions().with {
      $0.interval = .zero
      $0.backoff = .milliseconds(1)
      $0.longestBackoff = .milliseconds(2)
    }
    let url = "http://events.example/"
    let bearer = ["Authorization": "Bearer \(secret)"]
    let otlp = OTLPOptions.test(.base(url), headers: bearer)
    let analytics: QueuedAnalytics
    switch sender {
    case .http:
      analytics = try HTTPAnalytics(
        url: url, queue: queue, options: HTTPOptions().with { $0.headers = bearer }, upload: upload,
        transport: transport)
    case .google:
      analytics = try GoogleAnalytics(
        measurementID: "G-TEST12345", apiSecret: secret, queue: queue, upload: upload,
        transport: transport)
    case .adobe:
      analytics = try AdobeAnalytics(
        datastreamID: AdobeAnalytics.datastreamID,
        credentials: AdobeCredentials(apiKey: "k3y", organization: "org@AdobeOrg") { secret },
        queue: queue, upload: upload, transport: transport)
    case .openTelemetry:
      analytics = try OTLPAnalytics(
        queue: queue, options: otlp, upload: upload, transport: transport)
    case .openTelemetryLog:
      let log = try OTLPLog(
        queue: queue, level: .trace, options: otlp, upload: upload, transport: transport)
      await exhaust(transport, { log.info("number \($0)") }, log.flush)
      await log.finish()
      return (log.status, "\(log)")
    }
    await exhaust(transport, { analytics.track(Event("number", ["number": $0])) }, analytics.flush)
    await analytics.finish()
    return (analytics.status, "\(analytics) \(EventQueue.trouble(in: folder)?.reason ?? "")")
  }

  /// Sends one after another until the script is at its end. Asks for it again and again, since one
  /// that is turned away waits long.
  private func exhaust(
    _ transport: ScriptedTransport, _ send: (Int) -> Void, _ flush: () -> Void
  ) async {
    for number in 0..<12 {
      send(number)
      let isSent = await Patience.waitIdly {
        flush()
        return transport.exchanges.count > number
      }
      #expect(isSent)
    }
  }
}

@Suite struct `Secrets of custom destinations` {
  private struct Keyed: LineDestination {
    let name = "Keyed"
    let limits = RequestLimits(events: 10, bytes: 10_000)
    let key = "s3cret"
  }

  @Test func `the description, mirror and dump of a collector hide a custom destination's key`()
    throws
  {
    let folder = TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let text = shown(try QueuedAnalytics(Keyed(), ScriptedTransport([]), folder))
    #expect(text.contains("Keyed") && text.contains("…"))
    #expect(!text.contains("s3cret"), "\(text)")
  }
}
