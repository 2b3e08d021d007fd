// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientCollectors
import Foundation
import TestSupport

extension AdobeAnalytics {
  static var datastreamID: String { "ebebf826-a01f-4458-8cec-ef61de241c93" }

  /// A collector whose requests a script answers.
  static func to(
    _ transport: ScriptedTransport, _ folder: TemporaryFolder,
    _ options: AdobeOptions = AdobeOptions(), credentials: AdobeCredentials? = nil,
    reports: Diagnostics = .calling { _ in }, upload: UploadOptions = .unhurried
  ) throws -> AdobeAnalytics {
    try Diagnostics.withInstance(reports) {
      try AdobeAnalytics(
        datastreamID: datastreamID, credentials: credentials,
        queue: EventQueue(
          folder: folder.path("queue"), EventQueue.Options().with { $0.clientID = "12.34" }),
        options: options,
        upload: upload, transport: transport)
    }
  }

  /// A collector at a server.
  static func to(
    _ server: LoopbackServer, _ folder: TemporaryFolder, _ options: AdobeOptions = AdobeOptions(),
    credentials: AdobeCredentials? = nil, reports: Diagnostics = .calling { _ in }
  ) throws -> AdobeAnalytics {
    var options = options
    options.endpoint = .url("\(server.url)ee/v2/collect")
    return try Diagnostics.withInstance(reports) {
      try AdobeAnalytics(
        datastreamID: datastreamID, credentials: credentials,
        queue: EventQueue(
          folder: folder.path("queue"), EventQueue.Options().with { $0.clientID = "12.34" }),
        options: options,
        upload: .atFlush)
    }
  }

  /// The identity that the client of these tests has at Adobe.
  static var device: String { "f9e121ee-2c09-48cd-85a2-68286070c888" }
}

/// What the collector sends of the events at that instant, request by request; identities of events
/// are `ID`.
func bodies(of events: [Event], _ options: AdobeOptions) async throws -> [String] {
  let folder = TemporaryFolder()
  defer { withExtendedLifetime(folder) {} }
  let transport = ScriptedTransport([])
  let analytics = try AdobeAnalytics.to(transport, folder, options)
  for event in events { analytics.track(event) }
  await analytics.finish()
  return transport.bodies.map { $0.replacing(/"_id":"[0-9a-f-]{36}"/, with: #""_id":"ID""#) }
}

/// What stands in `data.__adobe.analytics` of the one event.
func variables(of event: Event, _ options: AdobeOptions = AdobeOptions()) async throws -> String? {
  let body = try await bodies(of: [event], options).first
  guard let body, let start = body.range(of: #""analytics":"#)?.upperBound else { return nil }
  return String(body[start...].dropLast("}}}]}".count))
}

/// What stands in `xdm` of the one event.
func xdm(of event: Event, _ options: AdobeOptions = AdobeOptions()) async throws -> String? {
  let body = try await bodies(of: [event], options).first
  guard let body, let end = body.range(of: #","data":"#)?.lowerBound else { return nil }
  return String(body[..<end].dropFirst(#"{"events":[{"xdm":"#.count))
}

/// The rules that the event breaks at Adobe, each with its field.
func broken(_ event: Event, _ options: AdobeOptions = AdobeOptions()) -> [String] {
  EventValidator.adobe(options).problems(in: [event]).map { "\($0.rule) \($0.field)" }
}

/// Options with a mapping of these.
func mapped(
  _ variables: [String: [AdobeVariable]] = [:], events: [String: [AdobeMetric]] = [:],
  products: AdobeProducts? = nil, policy: RulePolicy = .lenient
) throws -> AdobeOptions {
  try AdobeOptions().with {
    $0.policy = policy
    $0.mapping = try AdobeMapping(events: events, variables: variables, products: products)
  }
}
