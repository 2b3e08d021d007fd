// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientCollectors
import Foundation
import TestSupport
import Testing

@Suite struct `OTLP secrets` {
  private let folder = TemporaryFolder()

  @Test(arguments: OTLPSender.allCases)
  func `OTLP secrets don't appear in reports, status, descriptions, mirrors or files`(
    sender: OTLPSender
  )
    async throws
  {
    let reports = Reports()
    let server = try LoopbackServer { number, request in
      let said = "no \(request.headers["authorization"] ?? "") \(request.headers["api-key"] ?? "")"
      let partial = #"{"partialSuccess":{"rejectedLogRecords":"0","errorMessage":"\#(said)"}}"#
      return switch number {
      case 0: .answer(400, body: said)
      case 1: .answer(200, body: partial)
      case 2: .answer(200, body: partial.replacing(#""0""#, with: #""1""#))
      case 3: .answer(500, body: said)
      case 4: .answer(403, body: said)
      default: .answer(503, body: said)
      }
    }
    let options = OTLPOptions().with {
      $0.endpoint = .base(server.url)
      $0.headers = ["Authorization": "Bearer s3cret"]
      $0.environment = [
        "OTEL_EXPORTER_OTLP_HEADERS": "api-key=h1dden%20t0ken",
        "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc",
      ]
    }
    let sending = try sender.make(folder, options, reports: reports, upload: .prompt)
    for number in 0...5 {
      sending.send("number \(number)")
      sending.flush()
      #expect(await Patience.waitIdly { server.requests.count > number })
    }
    await sending.finish()
    #expect(server.requests.first?.headers["api-key"] == "h1dden t0ken")
    #expect(reports.all.contains { $0.kind == .warned })
    #expect(reports.all.contains { $0.kind == .undelivered })
    let all = shown(sending, reports, folder) + shown(options)
    for secret in ["s3cret", "h1dden", "t0ken"] { #expect(!all.contains(secret), "\(secret)") }
  }

  @Test(arguments: [nil, "shop 1.0 of-mine"])
  func `reports show the default OTLP User-Agent but hide a custom User-Agent`(
    own: String?
  ) async throws {
    let reports = Reports()
    let server = try LoopbackServer { _, request in
      .answer(403, body: "who is \(request.headers["user-agent"] ?? "")?")
    }
    let sending = try OTLPSender.analytics.make(
      folder, to: server, headers: own.map { ["User-Agent": $0] } ?? [:], reports: reports)
    sending.send("a")
    await sending.finish()
    let shown = own == nil ? "Ambient-OTLP-Exporter-Swift/\(AmbientVersion.current)" : "…"
    #expect(reports.messages.first?.contains("who is \(shown)?") == true, "\(reports.messages)")
  }

  @Test(arguments: ["CERTIFICATE", "LOGS_CLIENT_KEY", "CLIENT_CERTIFICATE"])
  func `with a custom transport, a private key in an OTLP certificate variable stays hidden`(
    name: String
  ) async throws {
    let variable = "OTEL_EXPORTER_OTLP_\(name)"
    let options = OTLPOptions().with {
      $0.environment = [variable: "-----BEGIN PRIVATE KEY----- MC4CAQ"]
    }
    let reports = Reports()
    let folder = TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let sending = try OTLPSender.log.make(
      folder, options, transport: ScriptedTransport([]), reports: reports)
    sending.send("a")
    await sending.finish()
    #expect(reports.all.map(\.kind) == [.invalidSetting])
    #expect(reports.messages.first?.contains(" \(variable): ") == true, "\(reports.messages)")
    #expect(reports.messages.first?.contains("MC4CAQ") == false)
  }

  #if !canImport(Darwin)
    @Test(arguments: OTLPSender.allCases, ["CERTIFICATE", "LOGS_CLIENT_CERTIFICATE"])
    func `a private key in an OTLP certificate variable throws an error that hides the key`(
      sender: OTLPSender, name: String
    ) throws {
      let variable = "OTEL_EXPORTER_OTLP_\(name)"
      let options = OTLPOptions().with {
        $0.environment = [variable: "-----BEGIN PRIVATE KEY----- MC4CAQ"]
      }
      let error = #expect(throws: CollectorError.self) {
        try sender.make(TemporaryFolder(), options)
      }
      #expect(error?.setting == variable)
      #expect(error?.description.contains("MC4CAQ") == false)
    }
  #endif
}
