// SPDX-License-Identifier: Apache-2.0

import Ambient
import TestSupport
import Testing

@testable import AmbientCollectors

@Suite(.quiet) struct `OTLP server and setting warnings` {
  private func remarks(_ environment: [String: String] = [:]) throws -> OTLPRemarks {
    OTLPRemarks(
      "OTLP",
      try OTLPSettings(
        OTLPOptions.test(.base("http://c:1"), environment), transport: ScriptedTransport([])))
  }

  @Test func `OTLPRemarks reports each remark of a server once, and at most 16 remarks`()
    throws
  {
    let remarks = try remarks()
    for _ in 0..<2 { for number in 0..<20 { remarks.report("remark \(number)") } }
    let ends = Test.reports.compactMap { $0.message.split(separator: ": ").last.map(String.init) }
    #expect(ends == (0..<16).map { "remark \($0)" })
    #expect(Test.reports.allSatisfy { $0.kind == .warned && $0.source == "OTLP" })
  }

  @Test func `OTLPRemarks reports each ignored OTEL variable once`() throws {
    let remarks = try remarks([
      "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc", "OTEL_EXPORTER_OTLP_CERTIFICATE": "a",
      "OTEL_EXPORTER_OTLP_CLIENT_KEY": "b", "OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE": "c",
      "OTEL_EXPORTER_OTLP_TIMEOUT": "soon", "OTEL_SDK_DISABLED": "maybe",
      "OTEL_EXPORTER_OTLP_COMPRESSION": "zip", "OTEL_RESOURCE_ATTRIBUTES": "x",
      "OTEL_ATTRIBUTE_COUNT_LIMIT": "-1", "OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT": "long",
    ])
    for _ in 0..<2 { remarks.reportFaults() }
    let names = Test.reports.compactMap { report in
      report.message.split { $0 == " " || $0 == ":" }.first { $0.hasPrefix("OTEL_") }
    }
    #expect(
      names.sorted() == [
        "OTEL_ATTRIBUTE_COUNT_LIMIT", "OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT",
        "OTEL_EXPORTER_OTLP_CERTIFICATE", "OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE",
        "OTEL_EXPORTER_OTLP_CLIENT_KEY", "OTEL_EXPORTER_OTLP_COMPRESSION",
        "OTEL_EXPORTER_OTLP_PROTOCOL", "OTEL_EXPORTER_OTLP_TIMEOUT", "OTEL_RESOURCE_ATTRIBUTES",
        "OTEL_SDK_DISABLED",
      ])
    #expect(Test.reports.allSatisfy { $0.kind == .invalidSetting })
  }

  @Test(
    arguments: [
      ("0", 0), ("2147483647", 2_147_483_647), ("2147483648", nil), ("-1", nil), ("-0", 0),
    ] as [(String, Int?)])
  func `numeric OTEL variables accept 0 to 2147483647`(text: String, number: Int?) {
    var environment = OTLPEnvironment([
      "OTEL_ATTRIBUTE_COUNT_LIMIT": text, "OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT": text,
      "OTEL_EXPORTER_OTLP_TIMEOUT": text,
    ])
    let (count, length) = (environment.attributeCount, environment.attributeLength)
    #expect(count == number && length == number)
    let (timeout, endless) = (environment.timeout, Duration.seconds(864_000))
    #expect(timeout == number.map { $0 == 0 ? endless : .milliseconds($0) })
    #expect(environment.faults.count == (number == nil ? 3 : 0))
  }

  @Test func `an invalid general OTEL variable isn't reported if a variable for logs overrides it`()
    throws
  {
    let remarks = try remarks([
      "OTEL_EXPORTER_OTLP_TIMEOUT": "soon", "OTEL_EXPORTER_OTLP_LOGS_TIMEOUT": "1",
      "OTEL_ATTRIBUTE_COUNT_LIMIT": "few", "OTEL_LOGRECORD_ATTRIBUTE_COUNT_LIMIT": "5",
      "OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT": "short",
      "OTEL_LOGRECORD_ATTRIBUTE_VALUE_LENGTH_LIMIT": "9",
    ])
    remarks.reportFaults()
    #expect(Test.reports.isEmpty)
  }

  @Test func `OTLPOptions override the attribute limits of the environment variables`() throws {
    var options = OTLPOptions.test(
      .base("http://c:1"),
      ["OTEL_ATTRIBUTE_COUNT_LIMIT": "2", "OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT": "3"])
    #expect(OTLPSettings.limits(options).count == 2 && OTLPSettings.limits(options).length == 3)
    (options.attributeCount, options.attributeLength) = (4, 5)
    let limits = try OTLPSettings(options).limits
    #expect(limits.count == 4 && limits.length == 5)
    (options.attributeCount, options.attributeLength) = (-1, -1)
    #expect(OTLPSettings.limits(options).count == 0 && OTLPSettings.limits(options).length == 0)
    let usual = OTLPSettings.limits(.test())
    #expect(usual.count == 128 && usual.length == nil)
    #expect(OTLPLimits.request == RequestLimits(events: 10_000, bytes: 4_000_000))
  }
}
