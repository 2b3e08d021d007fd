// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
  import Ambient
  import AmbientCollectors
  import Foundation
  import TestSupport
  import Testing

  @Suite(.enabled(if: TLSServer.isPossible, "there is no Python 3 with ssl"))
  struct `Certificates in OTLP variables` {
    private static let prefix = "OTEL_EXPORTER_OTLP_"

    private func options(_ server: TLSServer, _ files: [String: String]) -> OTLPOptions {
      let variables = files.map { (Self.prefix + $0, TLSServer.certificate($1)) }
      return .test(.base(server.url), Dictionary(uniqueKeysWithValues: variables))
    }

    @Test(
      arguments: OTLPSender.allCases,
      [
        [
          "CERTIFICATE": "authorities", "CLIENT_CERTIFICATE": "client", "CLIENT_KEY": "client-key",
        ],
        ["LOGS_CERTIFICATE": "authorities", "LOGS_CLIENT_CERTIFICATE": "client-and-key"],
        [
          "CERTIFICATE": "second-authority", "LOGS_CERTIFICATE": "authorities",
          "CLIENT_CERTIFICATE": "client-and-key",
        ],
      ])
    func `OTLP uses the certificate and key files named by its environment variables`(
      sender: OTLPSender, files: [String: String]
    ) async throws {
      let folder = TemporaryFolder()
      let server = try await TLSServer(
        [TLSServer.certificate("good")], clients: TLSServer.certificate("authorities"),
        bodies: folder.path("bodies"))
      let reports = Reports()
      let sending = try sender.make(
        folder, options(server, files), reports: reports, upload: .atFlush)
      sending.send("paid")
      await sending.finish()
      #expect(sending.status.delivered == 1 && reports.messages == [])
      #expect(try folder.text("bodies").isEmpty == false)
    }

    @Test func `an OTLP server isn't trusted if another authority's certificate is configured`()
      async throws
    {
      let folder = TemporaryFolder()
      let server = try await TLSServer([TLSServer.certificate("good")])
      let reports = Reports()
      let sending = try OTLPSender.analytics.make(
        folder, options(server, ["CERTIFICATE": "second-authority"]), reports: reports,
        upload: .atFlush)
      sending.send("paid")
      sending.flush()
      let untrusted = TransportError.untrusted()
      #expect(
        await Patience.waitIdly { sending.status.trouble?.reason.contains(untrusted) == true })
    }

    @Test(
      arguments: [
        (["CLIENT_KEY": "client-key"], nil),
        (["CLIENT_CERTIFICATE": "nothing"], "CLIENT_CERTIFICATE"),
        (["CLIENT_CERTIFICATE": "client", "LOGS_CLIENT_KEY": "nothing"], "LOGS_CLIENT_KEY"),
        (["CLIENT_CERTIFICATE": "client-with-password"], "CLIENT_CERTIFICATE"),
        (
          ["CLIENT_CERTIFICATE": "client", "CLIENT_KEY": "client-with-password"], "CLIENT_KEY"
        ),
      ] as [([String: String], String?)])
    func `an unusable certificate or key throws an error that names its OTLP variable`(
      files: [String: String], name: String?
    ) async throws {
      let server = try await TLSServer([TLSServer.certificate("good")])
      let options = options(server, files)
      if let name {
        let error = #expect(throws: CollectorError.self) {
          try OTLPSender.log.make(TemporaryFolder(), options)
        }
        #expect(error?.setting == Self.prefix + name)
      } else {
        #expect(throws: Never.self) { try OTLPSender.log.make(TemporaryFolder(), options) }
      }
    }

    @Test func `OTLP certificate files aren't read if OTEL_SDK_DISABLED is true`() async throws {
      let options = OTLPOptions.test(
        nil, ["OTEL_SDK_DISABLED": "true", Self.prefix + "CERTIFICATE": "/nowhere"])
      let sending = try OTLPSender.analytics.make(TemporaryFolder(), options)
      #expect(sending.status.isDisabled)
    }
  }
#endif
