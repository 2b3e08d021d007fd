// SPDX-License-Identifier: Apache-2.0

import Ambient
import Foundation
import TestSupport
import Testing

@testable import AmbientCollectors

@Suite struct `OpenTelemetry messages` {
  @Test func `the OTLP collectors' messages about the environment equal those in messages.txt`()
    throws
  {
    func faults(_ name: String, _ text: String) throws -> String {
      try OTLPSettings(
        OTLPOptions.test(.base("http://c:1"), ["OTEL_\(name)": text]),
        transport: ScriptedTransport([])
      ).faults.joined(separator: "\n")
    }
    func error(_ name: String, _ text: String) -> String {
      do {
        _ = try OTLPSettings(
          OTLPOptions().with { $0.environment = ["OTEL_\(name)": text] },
          transport: ScriptedTransport([]))
        return "valid"
      } catch { return "\(error)" }
    }
    var environment = OTLPEnvironment([:])
    environment.noteTwicePath("OTEL_EXPORTER_OTLP_ENDPOINT", "http://c/v1/logs/v1/logs")
    try MessageCatalog.expect(
      "Collectors, OpenTelemetry's environment",
      [
        "A malformed list": try faults("RESOURCE_ATTRIBUTES", "a=1,b"),
        "A malformed escape": try faults("RESOURCE_ATTRIBUTES", "a=%zz"),
        "No number": try faults("EXPORTER_OTLP_TIMEOUT", "soon"),
        "A protocol that is not supported": try faults("EXPORTER_OTLP_PROTOCOL", "grpc"),
        "A compression that is not supported": try faults("EXPORTER_OTLP_COMPRESSION", "zip"),
        "No truth value": try faults("SDK_DISABLED", "yes"),
        "A value of 10,000 characters":
          try faults("SDK_DISABLED", String(repeating: "да\n“”", count: 2_000)),
        "Certificates beside a transport": try faults("EXPORTER_OTLP_CERTIFICATE", "/a.pem"),
        "A base address with the path": environment.faults.joined(separator: "\n"),
        "A malformed address": error("EXPORTER_OTLP_ENDPOINT", "collector:4318"),
        "Malformed header fields": error("EXPORTER_OTLP_HEADERS", "hidden"),
        "A header field that cannot be sent": error("EXPORTER_OTLP_HEADERS", "a=x%0D%0Ay"),
      ])
  }

  @Test func `the OTLP collectors' messages about events equal those in messages.txt`() throws {
    let options = OTLPOptions.test().with {
      $0.attributeCount = 3
      $0.attributeLength = 60
    }
    func problems(_ event: Event) -> String {
      EventValidator.otlp(options).problems(in: [event]).map(\.description).joined(separator: "\n")
    }
    func parent(_ value: AmbientValue) -> String { problems(Event("a", ["traceparent": value])) }
    let long = String(repeating: "x", count: 61)
    let trace = (id: "4bf92f3577b34da6a3ce929d0e0e4736", span: "00f067aa0ba902b7")
    let old = TrackedEvent(Event("a"), id: UUID(), date: Date(timeIntervalSince1970: -1))
    try MessageCatalog.expect(
      "Collectors, OpenTelemetry",
      [
        "Limits": problems(
          Event("a", ["b": .string(long), "c": [long].ambientValue, "d": 1, "": 2])),
        "No name": problems(Event("")),
        "A time before 1970":
          EventValidator.otlp(options).problems(in: [old]).map(\.description)
          .joined(separator: "\n"),
        "A traceparent that isn't text": parent(7),
        "A traceparent of three parts": parent(.string("00-\(trace.id)-\(trace.span)")),
        "A traceparent of another version":
          parent(.string("ff-\(trace.id)-\(trace.span)-01")),
        "A malformed part of a traceparent": parent(.string("00-abc-\(trace.span)-01")),
        "A part of a traceparent of zeros":
          parent(.string("00-\(trace.id)-0000000000000000-01")),
        "A negative timeout": timeout(.seconds(-1)),
        "A warning of the server": warning("deprecated"),
      ])
  }

  private func timeout(_ timeout: Duration) -> String {
    do {
      _ = try OTLPSettings(OTLPOptions.test(.base("http://c:1")).with { $0.timeout = timeout })
      return "valid"
    } catch { return "\(error)" }
  }

  private func warning(_ text: String) -> String {
    let reports = Reports()
    Diagnostics.withInstance(reports) {
      guard let settings = try? OTLPSettings(OTLPOptions.test(.base("http://c:1"))) else { return }
      OTLPRemarks("OTLP", settings).report(text)
    }
    return reports.messages.first ?? "none"
  }
}
