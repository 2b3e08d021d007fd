// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientCollectors
import AmbientTesting
import Foundation
import TestSupport
import Testing

@Suite(.frozen(at: "2026-11-27T05:00:00.125Z")) struct `OTLP event encoding` {
  private let folder = TemporaryFolder()
  private let time =
    #""timeUnixNano":"1795755600125000000","observedTimeUnixNano":"1795755600125000000""#
  private let id = #"{"key":"log.record.uid","value":{"stringValue":"ID"}}"#

  @Test func `an OTLP event is posted as JSON with the configured headers, resource and scope`()
    async throws
  {
    let transport = ScriptedTransport([])
    let options = OTLPOptions().with {
      $0.endpoint = .base("https://collector.example:4318/")
      $0.headers = ["Authorization": "Bearer t0ken"]
      $0.resource = ["service.name": "shop", "answer": 42]
      $0.scopeName = "desk"
      $0.scopeVersion = "2.1"
      $0.environment = [:]
    }
    let analytics = try OTLPAnalytics(transport, folder, options)
    analytics.track(Event("sign_up"))
    await analytics.finish()
    let request = try #require(transport.exchanges.first?.request)
    #expect(request.url.absoluteString == "https://collector.example:4318/v1/logs")
    #expect(request.method == "POST")
    #expect(
      request.headers == [
        "Content-Type": "application/json", "Authorization": "Bearer t0ken",
        "User-Agent": "Ambient-OTLP-Exporter-Swift/\(AmbientVersion.current)",
      ])
    let body = try #require(transport.bodies.first)
    #expect(body.hasPrefix(#"{"resourceLogs":[{"resource":{"attributes":[{"key":"service.name","#))
    #expect(body.contains(#"{"key":"service.name","value":{"stringValue":"shop"}}"#))
    #expect(body.contains(#"{"key":"answer","value":{"intValue":"42"}}"#))
    #expect(body.contains(#"{"key":"telemetry.sdk.language","value":{"stringValue":"swift"}}"#))
    #expect(body.contains(#"{"key":"telemetry.sdk.name","value":{"stringValue":"ambient"}}"#))
    let version = AmbientVersion.current
    #expect(
      body.contains(#"{"key":"telemetry.sdk.version","value":{"stringValue":"\#(version)"}}"#))
    #expect(body.contains(#"{"key":"host.name","value":{"stringValue":""#))
    #expect(
      body.contains(#"]},"scopeLogs":[{"scope":{"name":"desk","version":"2.1"},"logRecords":[{"#))
    #expect(body.hasSuffix("}]}]}]}"))
  }

  @Test func `an event becomes an OTLP log record with a name and an ID`() async throws {
    #expect(
      try await records(of: [Event("sign_up")]) == [
        #"{\#(time),"severityNumber":9,"eventName":"sign_up","attributes":[\#(id)]}"#
      ])
  }

  @Test func `each type of event property is encoded as the expected OTLP value`() async throws {
    let event = Event(
      "mixed",
      [
        "text": "a \"b\" \\ \n é 🏳️‍🌈", "count": -3, "large": UInt64.max, "price": 12.5,
        "whole": 12.0, "yes": true, "when": Date(timeIntervalSince1970: 0), "none": nil as String?,
        "nan": Double.nan, "list": [AmbientValue.integer(1), "two", .null].ambientValue,
        "at": ["city": "Rome", "of": ["x": 1] as AmbientFields] as AmbientFields,
        "card": .private("4111"),
      ])
    let record = try #require(try await records(of: [event]).first)
    let start = try #require(record.range(of: "\(id),")?.upperBound)
    let expected = [
      #"{"key":"text","value":{"stringValue":"a \"b\" \\ \n é 🏳️‍🌈"}}"#,
      #"{"key":"count","value":{"intValue":"-3"}}"#,
      #"{"key":"large","value":{"stringValue":"18446744073709551615"}}"#,
      #"{"key":"price","value":{"doubleValue":12.5}}"#,
      #"{"key":"whole","value":{"doubleValue":12.0}}"#,
      #"{"key":"yes","value":{"boolValue":true}}"#,
      #"{"key":"when","value":{"stringValue":"1970-01-01T00:00:00.000Z"}}"#,
      #"{"key":"nan","value":{"stringValue":"nan"}}"#,
      #"{"key":"list","value":{"arrayValue":{"values":[{"intValue":"1"},{"stringValue":"two"},{}]}}}"#,
      #"{"key":"at","value":{"kvlistValue":{"values":[{"key":"city","value":{"stringValue":"Rome"}},"#
        + #"{"key":"of","value":{"kvlistValue":{"values":[{"key":"x","value":{"intValue":"1"}}]}}}]}}}"#,
      #"{"key":"card","value":{"stringValue":"<private>"}}"#,
    ]
    #expect(record[start...] == expected.joined(separator: ",") + "]}")
  }

  @Test func `a user's ID and traits are sent under OpenTelemetry's attribute names`() async throws
  {
    let user = AnalyticsUser("ada", ["email": "a@b.example", "user.roles": ["admin"].ambientValue])
    let record = try #require(try await records(of: [Event("login", user: user)]).first)
    #expect(
      record.hasSuffix(
        [
          #"{"key":"user.id","value":{"stringValue":"ada"}}"#,
          #"{"key":"user.email","value":{"stringValue":"a@b.example"}}"#,
          #"{"key":"user.roles","value":{"arrayValue":{"values":[{"stringValue":"admin"}]}}}]}"#,
        ].joined(separator: ",")))
  }

  @Test func `a traceparent property becomes the trace ID and the span ID of an OTLP record`()
    async throws
  {
    let header = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
    #expect(
      try await records(of: [Event("paid", ["traceparent": header, "a": true])]) == [
        #"{\#(time),"severityNumber":9,"eventName":"paid","flags":1,"#
          + #""traceId":"4bf92f3577b34da6a3ce929d0e0e4736","spanId":"00f067aa0ba902b7","#
          + #""attributes":[\#(id),{"key":"a","value":{"boolValue":true}}]}"#
      ])
  }

  @Test func `EventStage.enriching adds the named values of a scope's log metadata to OTLP events`()
    async throws
  {
    let transport = ScriptedTransport([])
    let otlp = try OTLPAnalytics(transport, folder)
    let analytics = otlp.through(.enriching(fromLog: "traceparent", "request", "absent"))
    Log.withMetadata([
      "traceparent": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00", "request": 7,
      "other": 1,
    ]) {
      analytics.track(Event("paid", ["a": 1]))
    }
    analytics.track(Event("outside"))
    await otlp.finish()
    #expect(transport.records.count == 2)
    #expect(
      transport.records[0].contains(#""flags":0,"traceId":"4bf92f3577b34da6a3ce929d0e0e4736""#))
    #expect(transport.records[0].contains(#"{"key":"request","value":{"intValue":"7"}}"#))
    #expect(!transport.records[0].contains("other"))
    #expect(!transport.records[1].contains("traceId"))
  }

  @Test func `OTLP events of different users share one request`() async throws {
    let transport = ScriptedTransport([])
    let analytics = try OTLPAnalytics(transport, folder)
    for number in 0..<30 {
      analytics.track(Event("n", ["number": number], user: AnalyticsUser("u\(number % 3)")))
    }
    await analytics.finish()
    #expect(transport.exchanges.count == 1)
    #expect(transport.records.count == 30)
  }

  @Test func `the otlpShop mapping prefixes shop names with checkout and sends amounts as doubles`()
    async throws
  {
    let items: [AmbientFields] = [
      ["item_id": "mug", "price": 7, "quantity": 2],
      ["item_id": "cup", "price": 7.5, "quantity": 1],
    ]
    let event = Event(
      "purchase",
      [
        "transaction_id": "A-17", "value": 21, "currency": "EUR", "items": items.ambientValue,
        "app.screen": "till",
      ])
    let record = try #require(
      try await records(of: [event], .test(mapping: .otlpShop)).first)
    #expect(record.contains(#""eventName":"checkout.purchase""#))
    #expect(record.contains(#"{"key":"checkout.value","value":{"doubleValue":21.0}}"#))
    #expect(record.contains(#"{"key":"app.screen","#))
    #expect(record.contains(#"{"key":"price","value":{"doubleValue":7.0}}"#))
    #expect(record.contains(#"{"key":"quantity","value":{"intValue":"2"}}"#))
    let both = Event(
      "purchase", ["value": 21, "checkout.value": "mine", "checkout.tax": 1, "tax": 2])
    let kept = try #require(try await records(of: [both], .test(mapping: .otlpShop)).first)
    #expect(kept.contains(#"{"key":"checkout.value","value":{"stringValue":"mine"}}"#))
    #expect(kept.contains(#"{"key":"value","value":{"doubleValue":21.0}}"#))
    #expect(kept.contains(#"{"key":"checkout.tax","value":{"intValue":"1"}}"#))
    #expect(kept.contains(#"{"key":"tax","value":{"doubleValue":2.0}}"#))
    let other = try await records(of: [Event("sign_up", ["value": 1])], .test(mapping: .otlpShop))
    #expect(other.first?.contains(#""eventName":"sign_up""#) == true)
    #expect(other.first?.contains(#"{"key":"value","value":{"intValue":"1"}}"#) == true)
  }

  @Test func `the otlpShop mapping renames every property of an event with 4,000 properties`() {
    let many = AmbientFields(
      Dictionary(uniqueKeysWithValues: (0..<4_000).map { ("p\($0)", $0) }))
    let event = Event("purchase", many.merging(["items": [many].ambientValue, "value": 1]))
    let properties = EventMapping.otlpShop(event).properties
    #expect(properties.count == 4_002)
    #expect(properties["checkout.p3999"] == 3_999)
    #expect(properties["checkout.value"] == .double(1))
    #expect(properties["checkout.items"] == [many].ambientValue)
  }
}
