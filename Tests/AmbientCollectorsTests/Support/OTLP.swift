// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientCollectors
import Foundation
import TestSupport

extension OTLPOptions {
  /// Options of a test: nothing of the environment, and a small resource.
  static func test(
    _ endpoint: CollectorEndpoint<OTLPOptions>? = .base("http://collector.example:4318"),
    headers: [String: String] = [:], policy: RulePolicy = .lenient, mapping: EventMapping = .none,
    _ environment: [String: String] = [:]
  ) -> OTLPOptions {
    OTLPOptions().with {
      $0.endpoint = endpoint
      $0.headers = headers
      $0.resource = ["service.name": "shop", "host.name": "h"]
      $0.policy = policy
      $0.mapping = mapping
      $0.environment = environment
    }
  }
}

extension OTLPAnalytics {
  /// A collector whose requests a script answers.
  convenience init(
    _ transport: ScriptedTransport, _ folder: TemporaryFolder, _ options: OTLPOptions = .test(),
    upload: UploadOptions = UploadOptions()
  ) throws {
    try self.init(
      queue: EventQueue(folder: folder.path("queue"), .small), options: options, upload: upload,
      transport: transport)
  }
}

/// What sends by OTLP: events, or the records of a log.
enum OTLPSender: String, CaseIterable {
  case analytics, log

  /// What reports call what it sends.
  var noun: String { self == .log ? "record" : "event" }

  /// What sends to a transport, or else the network.
  func make(
    _ folder: TemporaryFolder, _ options: OTLPOptions = .test(),
    journal: EventQueue.Options = .small, transport: (any HTTPTransport)? = nil,
    reports: Diagnostics = .calling { _ in }, upload: UploadOptions = .unhurried
  ) throws -> any Sending {
    try Diagnostics.withInstance(reports) {
      let queue = try EventQueue(folder: folder.path("queue"), journal)
      return switch self {
      case .analytics:
        try OTLPAnalytics(queue: queue, options: options, upload: upload, transport: transport)
      case .log:
        try OTLPLog(
          queue: queue, level: .trace, options: options, upload: upload, transport: transport)
      }
    }
  }

  /// What sends to a server.
  func make(
    _ folder: TemporaryFolder, to server: LoopbackServer, headers: [String: String] = [:],
    reports: Diagnostics = .calling { _ in }
  ) throws -> any Sending {
    try make(folder, .test(.base(server.url), headers: headers), reports: reports, upload: .atFlush)
  }
}

extension ScriptedTransport {
  /// The records of all requests, as they stand in `logRecords`.
  var records: [String] {
    bodies.flatMap { body in
      body.range(of: #""logRecords":["#).map {
        String(body[$0.upperBound...].dropLast(6)).replacing("},{\"time", with: "}\n{\"time")
          .components(separatedBy: "\n")
      } ?? []
    }
  }
}

/// The records that are sent of these events, with `ID` in place of identities.
func records(of events: [Event], _ options: OTLPOptions = .test()) async throws -> [String] {
  let transport = ScriptedTransport([])
  let folder = TemporaryFolder()
  // Else it is removed before the queue is made, which makes it again.
  defer { withExtendedLifetime(folder) {} }
  let analytics = try OTLPAnalytics(
    queue: EventQueue(folder: folder.path("queue")), options: options,
    transport: transport)
  for event in events { analytics.track(event) }
  await analytics.finish()
  return transport.records.map(withoutID)
}

/// The records that are sent of what a log is given, with `ID` in place of identities.
func records(
  _ options: OTLPOptions = .test(), logging body: (OTLPLog) -> Void
) async throws -> [String] {
  let transport = ScriptedTransport([])
  let folder = TemporaryFolder()
  defer { withExtendedLifetime(folder) {} }
  let log = try OTLPLog(
    queue: EventQueue(folder: folder.path("queue")), level: .trace, options: options,
    transport: transport)
  body(log)
  await log.finish()
  return transport.records.map(withoutID)
}

private func withoutID(_ record: String) -> String {
  record.replacing(/[0-9A-F]{8}-[0-9A-F]{4}-7[0-9A-F-]{21}/, with: "ID")
}
