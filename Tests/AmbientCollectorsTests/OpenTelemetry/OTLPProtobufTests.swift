// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientCollectors
import AmbientTesting
import Foundation
import TestSupport
import Testing

/// OpenTelemetry's own messages, in Python, as `.ci/run` installs them.
enum OTLPProtobuf {
  private static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: ".build/python")
  private static let python = folder.appending(path: "bin/python").path

  static var isInstalled: Bool {
    let versions = try? FileManager.default.contentsOfDirectory(
      atPath: folder.appending(path: "lib").path)
    return versions?.contains { version in
      let path = folder.appending(path: "lib/\(version)/site-packages/opentelemetry/proto")
      return FileManager.default.fileExists(atPath: path.path)
    } == true
  }

  /// Reads the body of a request strictly, and writes one line for each thing in it.
  ///
  /// The package's reader of JSON takes ids as base64, where OTLP has hexadecimal digits.
  private static let reader = """
    import base64, json, sys
    from google.protobuf import json_format
    from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest

    body = json.load(open(sys.argv[1]))
    for resource in body["resourceLogs"]:
        for scope in resource["scopeLogs"]:
            for record in scope["logRecords"]:
                for name in ("traceId", "spanId"):
                    if name in record:
                        digits = bytes.fromhex(record[name])
                        record[name] = base64.b64encode(digits).decode()

    def text(value):
        kind = value.WhichOneof("value")
        if kind == "array_value":
            return "[" + ",".join(map(text, value.array_value.values)) + "]"
        if kind == "kvlist_value":
            return "{" + ",".join(v.key + "=" + text(v.value) for v in value.kvlist_value.values) + "}"
        return "none" if kind is None else kind.split("_")[0] + ":" + str(getattr(value, kind))

    message = json_format.ParseDict(body, ExportLogsServiceRequest())
    for resource in message.resource_logs:
        for a in resource.resource.attributes:
            print("resource", a.key, text(a.value))
        for scope in resource.scope_logs:
            print("scope", scope.scope.name, scope.scope.version)
            for r in scope.log_records:
                print("record", r.event_name or "-", r.time_unix_nano, r.observed_time_unix_nano,
                      r.severity_number, r.severity_text or "-", r.flags,
                      r.trace_id.hex() or "-", r.span_id.hex() or "-", r.dropped_attributes_count)
                if r.HasField("body"):
                    print("body", text(r.body))
                for a in r.attributes:
                    print("attribute", a.key, text(a.value))
    """

  /// The lines of a body, but for identities, and what differs between machines.
  static func lines(of body: [UInt8], _ folder: TemporaryFolder) async throws -> [String] {
    let path = folder.path("body.json")
    try Data(body).write(to: URL(filePath: path))
    let command = try await Command.run(python, "-c", reader, path)
    guard command.status == 0 else { throw Unreadable(output: command.output) }
    return command.output.split(separator: "\n").map(String.init).filter {
      !$0.hasPrefix("attribute log.record.uid string:")
    }
  }

  struct Unreadable: Error { let output: String }
}

@Suite(
  .frozen(at: "2026-11-27T05:00:00.125Z"), .quiet,
  .enabled(
    if: OTLPProtobuf.isInstalled, "opentelemetry-proto is not installed in .build/python"))
struct `OTLP protobuf messages` {
  private let folder = TemporaryFolder()
  private let header = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
  private let head = [
    "resource service.name string:shop", "resource telemetry.sdk.language string:swift",
    "resource telemetry.sdk.name string:ambient",
    "resource telemetry.sdk.version string:\(AmbientVersion.current)",
    "resource host.name string:h", "scope Ambient ",
  ]

  @Test func `OpenTelemetry's protobuf parser reads the values of events that OTLPAnalytics sends`()
    async throws
  {
    let transport = ScriptedTransport([])
    let analytics = try OTLPAnalytics(transport, folder, .test(mapping: .otlpShop))
    analytics.track(
      Event(
        "mixed",
        [
          "text": "é 🏳️‍🌈 \u{1F}", "least": Int64.min, "large": UInt64.max, "price": 12.5,
          "yes": false, "list": [AmbientValue.integer(1), .null, "x"].ambientValue,
          "at": ["city": "Rome"] as AmbientFields, "traceparent": header,
        ], user: AnalyticsUser("ada", ["email": "a@b.example"])))
    analytics.track(Event("refund", ["value": 7, "currency": "EUR"]))
    await analytics.finish()
    let lines = try await OTLPProtobuf.lines(
      of: try #require(transport.exchanges.first?.request.body), folder)
    let time = "1795755600125000000 1795755600125000000"
    #expect(
      lines == head + [
        "record mixed \(time) 9 - 1 4bf92f3577b34da6a3ce929d0e0e4736 00f067aa0ba902b7 0",
        "attribute user.id string:ada", "attribute user.email string:a@b.example",
        "attribute text string:é 🏳️‍🌈 \u{1F}", "attribute least int:-9223372036854775808",
        "attribute large string:18446744073709551615", "attribute price double:12.5",
        "attribute yes bool:False", "attribute list [int:1,none,string:x]",
        "attribute at {city=string:Rome}",
        "record checkout.refund \(time) 9 - 0 - - 0",
        "attribute checkout.value double:7.0", "attribute checkout.currency string:EUR",
      ])
  }

  @Test func `OpenTelemetry's protobuf parser reads the values of records that OTLPLog sends`()
    async throws
  {
    let transport = ScriptedTransport([])
    let log = try OTLPLog(
      queue: EventQueue(folder: folder.path("queue"), .small), level: .trace, options: .test(),
      transport: transport)
    Log.withMetadata(["traceparent": header]) {
      log.warning(
        "paid \(19.5, name: "total")", ["card": .private("4111")], fileID: "Shop/Desk.swift",
        function: "pay()", line: 7)
    }
    await log.finish()
    let lines = try await OTLPProtobuf.lines(
      of: try #require(transport.exchanges.first?.request.body), folder)
    #expect(
      lines == head + [
        "record - 1795755600125000000 1795755600125000000 13 warning 1 "
          + "4bf92f3577b34da6a3ce929d0e0e4736 00f067aa0ba902b7 0",
        "body string:paid 19.5", "attribute code.file.path string:Shop/Desk.swift",
        "attribute code.line.number int:7", "attribute code.function.name string:pay()",
        "attribute total double:19.5", "attribute card string:<private>",
      ])
  }

  @Test func `OpenTelemetry's protobuf parser refuses a log record with an unknown field`()
    async throws
  {
    await #expect(throws: OTLPProtobuf.Unreadable.self) {
      try await OTLPProtobuf.lines(
        of: Array(#"{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"event":"x"}]}]}]}"#.utf8),
        folder)
    }
  }
}
