// SPDX-License-Identifier: Apache-2.0

import Ambient
import Foundation
import TestSupport
import Testing

@testable import AmbientCollectors

@Suite(.quiet) struct `Uploads with the verdict turnedAway` {
  private let folder = TemporaryFolder()

  private func trouble(_ name: String, _ answer: ScriptedTransport.Step) async throws -> String {
    let analytics = try collector(name, ScriptedTransport { _, _ in answer }, folder)
    // Within the 72 hours of Google, whose session is by the clock.
    analytics.send("a")
    await analytics.finish()
    let reason = analytics.status.trouble?.reason
    #expect(EventQueue.trouble(in: folder.path("queue"))?.reason == reason)
    return reason ?? "none"
  }

  @Test(
    arguments: [
      ("HTTP", "url, headers and query"), ("Google web", "measurementID, apiSecret and endpoint"),
      ("Google app", "firebaseAppID, apiSecret and endpoint"),
      ("Adobe client", "datastreamID, endpoint and credentials, which the datastream may require"),
      ("Adobe server", "token, apiKey, organization, datastreamID and endpoint"),
      ("OTLP", "endpoint and headers (OTEL_EXPORTER_OTLP_HEADERS)"),
    ], [401, 403, 404])
  func `a 401, 403 or 404 is reported with the settings to check`(
    form: (name: String, settings: String), status: Int
  ) async throws {
    let reason = try await trouble(form.name, .answer(status, body: "who?"))
    #expect(reason == "status \(status) (who?); check \(form.settings)")
  }

  @Test(
    arguments: ["HTTP", "Google web", "Google app", "Adobe client", "Adobe server", "OTLP"])
  func `a content type in a server's message isn't redacted in the report`(
    name: String
  ) async throws {
    let body = "neither application/json nor application/x-ndjson"
    let reason = try await trouble(name, .answer(403, body: body))
    #expect(reason.hasPrefix("status 403 (\(body)); check "), "\(reason)")
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
  func `the report of a 401 from an OTLP server names the environment variables in use`(
    variables: [String: String], hasHeaders: Bool, settings: String
  ) async throws {
    let environment = variables.map { ("OTEL_EXPORTER_OTLP_\($0.key)", $0.value) }
    let options = OTLPOptions().with {
      $0.headers = hasHeaders ? ["c": "d"] : [:]
      $0.environment = Dictionary(uniqueKeysWithValues: environment)
    }
    let transport = ScriptedTransport { _, _ in .answer(401) }
    let analytics = try OTLPAnalytics(transport, folder, options)
    analytics.track(Event("a"))
    await analytics.finish()
    #expect(analytics.status.trouble?.reason == "status 401; check \(settings)")
  }

  @Test func `an unknown Adobe datastream is reported with the settings to check`() async throws {
    let body = #"{"type":"https://ns.adobe.com/aep/errors/EXEG-0003-400","title":"why"}"#
    let reason = try await trouble("Adobe client", .answer(400, body: body))
    #expect(reason.hasPrefix("status 400, EXEG-0003-400 (why); check datastreamID, endpoint"))
  }

  @Test func `a 401 is reported without settings to check if the destination lists none`()
    async throws
  {
    let transport = ScriptedTransport { _, _ in .answer(401) }
    let analytics = try QueuedAnalytics(PlainDestination(), transport, folder, upload: .atFlush)
    analytics.send("a")
    await analytics.finish()
    #expect(analytics.status.trouble?.reason == "status 401")
    #expect(EventQueue.trouble(in: folder.path("queue"))?.reason == "status 401")
  }

  @Test(
    arguments: ["HTTP", "Google web", "Adobe client", "OTLP"],
    [300, 304, 402, 405, 406, 407, 410, 411, 412, 414, 415, 416, 417, 421, 423, 424, 426, 428]
      + [431, 451, 511])
  func `after a turnedAway verdict, events are kept, and cause and settings are reported`(
    name: String, status: Int
  ) async throws {
    let transport = ScriptedTransport { _, _ in .answer(status, body: "no") }
    let analytics = try collector(name, transport, folder)
    for number in 0..<20 { analytics.send("a", ["number": number]) }
    await analytics.finish()
    #expect(analytics.status.waiting == 20)
    #expect(analytics.status.lost == [:])
    let trouble = try #require(EventQueue.trouble(in: folder.path("queue")))
    #expect(trouble.reason.hasPrefix("status \(status), "), "\(trouble.reason)")
    #expect(trouble.reason.contains("; check "), "\(trouble.reason)")
  }

  @Test(
    arguments: ["HTTP", "Google web", "Adobe client", "OTLP"],
    [
      ["proxy-status": "edge; error=http_request_error"], ["x-squid-error": "ERR_INVALID_REQ 0"],
      ["proxy-authenticate": "Basic"],
    ])
  func `a 400 from a proxy is reported as the proxy's response`(
    name: String, headers: [String: String]
  ) async throws {
    let reason = try await trouble(name, .answer(400, headers: headers, body: "no"))
    #expect(reason.hasPrefix("status 400, "), "\(reason)")
    #expect(reason.contains("proxy (no); check "), "\(reason)")
  }

  @Test(
    arguments: ["HTTP", "Google web", "Adobe client", "OTLP"],
    [
      ([:], "\u{FEFF}<!DOCTYPE html>"), ([:], "<html lang=\"en\">"),
      (["content-type": "text/html"], "<!-- login --><head>"),
    ] as [([String: String], String)])
  func `a web page with status 200 or 207 is reported as a web page`(
    name: String, page: ([String: String], String)
  ) async throws {
    for status in [200, 207] {
      let reason = try await trouble(name, .answer(status, headers: page.0, body: page.1))
      #expect(reason.hasPrefix(DeliveryVerdict.webPage), "\(reason)")
    }
  }

  @Test func `a 200 response with plain text counts as accepted even if its content type is HTML`()
    async throws
  {
    let headers = ["content-type": "text/html; charset=UTF-8"]
    #expect(try await trouble("HTTP", .answer(200, headers: headers, body: "ok")) == "none")
  }

  @Test(arguments: [300, 304, 305, 306, 399])
  func `a redirect status other than 301, 302, 303, 307 and 308 isn't followed`(
    status: Int
  ) async throws {
    let server = try LoopbackServer { _, request in
      request.target == "/new" ? .answer(200) : .answer(status, headers: ["Location": "/new"])
    }
    let analytics = try HTTPAnalytics(server, folder, upload: .atFlush)
    analytics.track(0..<3)
    await analytics.finish()
    #expect(server.requests.map(\.target) == ["/"])
    #expect(analytics.status.waiting == 3)
  }

  @Test(arguments: ["HTTP", "OTLP"])
  func `a 503 is reported without settings to check`(name: String) async throws {
    #expect(try await trouble(name, .answer(503, body: "busy")) == "status 503 (busy)")
  }
}

/// A destination that says no more of itself than it must.
private struct PlainDestination: LineDestination {
  let name = "Plain"
  let limits = RequestLimits(events: 10, bytes: 10_000)
}
