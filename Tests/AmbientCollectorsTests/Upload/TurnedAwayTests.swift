import Ambient
import AmbientCollectors
import Foundation
import TestSupport
import Testing

@Suite(.quiet) struct `A server that turns away` {
  private let folder = TemporaryFolder()

  /// A collector whose every request has that answer.
  private func collector(_ name: String, _ answer: ScriptedTransport.Step) throws -> QueuedAnalytics
  {
    let transport = ScriptedTransport { _, _ in answer }
    let queue = try EventQueue(folder: folder.path("queue"))
    let id = AdobeAnalytics.datastreamID
    let credentials = AdobeCredentials(token: "aaaa", apiKey: "bbbb", organization: "cccc")
    return switch name {
    case "HTTP": try HTTPAnalytics(url: "http://a.example/", queue: queue, transport: transport)
    case "Google web":
      try GoogleAnalytics(
        measurementID: "G-TEST12345", apiSecret: "aaaa", queue: queue, transport: transport)
    case "Google app":
      try GoogleAnalytics(
        firebaseAppID: "1:12:ios:a1", appInstanceID: "0123456789abcdef0123456789abcdef",
        apiSecret: "aaaa", queue: queue, transport: transport)
    case "Adobe client":
      try AdobeAnalytics(datastreamID: id, queue: queue, transport: transport)
    case "Adobe server":
      try AdobeAnalytics(
        datastreamID: id, credentials: credentials, queue: queue, transport: transport)
    case "OTLP": try OTLPAnalytics(queue: queue, options: .test(), transport: transport)
    default: try QueuedAnalytics(PlainDestination(), queue: queue, transport: transport)
    }
  }

  private func trouble(_ name: String, _ answer: ScriptedTransport.Step) async throws -> String {
    let analytics = try collector(name, answer)
    // Within the 72 hours of Google, whose session is by the clock.
    analytics.track(Event("a"))
    await analytics.finish()
    let reason = analytics.status.trouble?.reason
    #expect(EventQueue.trouble(in: folder.path("queue"))?.reason == reason)
    return reason ?? "none"
  }

  @Test(
    arguments: [
      ("HTTP", "url, headers and query"), ("Google web", "measurementID, apiSecret and endpoint"),
      ("Google app", "firebaseAppID, apiSecret and endpoint"),
      ("Adobe client", "datastreamID, endpoint and credentials, which the datastream may want"),
      ("Adobe server", "token, apiKey, organization, datastreamID and endpoint"),
      ("OTLP", "endpoint and headers (OTEL_EXPORTER_OTLP_HEADERS)"),
    ], [401, 403, 404])
  func `has its report say which settings to check`(
    form: (name: String, settings: String), status: Int
  ) async throws {
    let reason = try await trouble(form.name, .answer(status, body: "who?"))
    #expect(reason == "status \(status) (who?); check \(form.settings)")
  }

  @Test(arguments: [
    (
      [:], false, "endpoint (OTEL_EXPORTER_OTLP_ENDPOINT) and headers (OTEL_EXPORTER_OTLP_HEADERS)"
    ),
    ([:], true, "endpoint (OTEL_EXPORTER_OTLP_ENDPOINT) and headers"),
    (
      ["HEADERS": "a=b"], true,
      "endpoint (OTEL_EXPORTER_OTLP_ENDPOINT), headers and OTEL_EXPORTER_OTLP_HEADERS"
    ),
    (
      ["LOGS_ENDPOINT": "http://127.0.0.1:1", "LOGS_HEADERS": "a=b"], false,
      "OTEL_EXPORTER_OTLP_LOGS_ENDPOINT and OTEL_EXPORTER_OTLP_LOGS_HEADERS"
    ),
  ])
  func `has its report name the variables that were used`(
    variables: [String: String], hasHeaders: Bool, settings: String
  ) async throws {
    let environment = variables.map { ("OTEL_EXPORTER_OTLP_\($0.key)", $0.value) }
    let options = OTLPOptions(
      headers: hasHeaders ? ["c": "d"] : [:],
      environment: Dictionary(uniqueKeysWithValues: environment))
    let analytics = try OTLPAnalytics(
      queue: EventQueue(folder: folder.path("queue")), options: options,
      transport: ScriptedTransport { _, _ in .answer(401) })
    analytics.track(Event("a"))
    await analytics.finish()
    #expect(analytics.status.trouble?.reason == "status 401; check \(settings)")
  }

  @Test func `for a datastream that it does not know says so, too`() async throws {
    let body = #"{"type":"https://ns.adobe.com/aep/errors/EXEG-0003-400","title":"why"}"#
    let reason = try await trouble("Adobe client", .answer(400, body: body))
    #expect(reason.hasPrefix("status 400, EXEG-0003-400 (why); check datastreamID, endpoint"))
  }

  @Test func `has it say nothing of settings that nobody named`() async throws {
    #expect(try await trouble("plain", .answer(401)) == "status 401")
  }

  @Test(arguments: ["HTTP", "OTLP"])
  func `is none that is only busy`(name: String) async throws {
    #expect(try await trouble(name, .answer(503, body: "busy")) == "status 503 (busy)")
  }
}

/// A destination that says no more of itself than it must.
private struct PlainDestination: Destination {
  let name = "Plain"
  let limits = RequestLimits(events: 10, bytes: 10_000)

  func entry(for record: [UInt8], now: Date) throws(Refusal) -> Entry { Entry(record) }

  func request(_ entries: [[UInt8]], group: String) -> OutgoingRequest {
    OutgoingRequest("POST", URL(filePath: "/"), body: Array(entries.joined()))
  }
}
