// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientCollectors
import Foundation
import TestSupport

extension GoogleAnalytics {
  /// A collector for a web stream whose requests a script answers.
  static func to(
    _ transport: ScriptedTransport, _ folder: TemporaryFolder,
    _ options: GoogleOptions = GoogleOptions(), reports: Diagnostics = .calling { _ in },
    upload: UploadOptions = .unhurried
  ) throws -> GoogleAnalytics {
    try Diagnostics.withInstance(reports) {
      try GoogleAnalytics(
        measurementID: "G-TEST12345", apiSecret: Self.secret,
        queue: EventQueue(
          folder: folder.path("queue"), EventQueue.Options().with { $0.clientID = "12.34" }),
        options: options,
        upload: upload, transport: transport)
    }
  }

  /// A collector for a web stream at a server.
  static func to(
    _ server: LoopbackServer, _ folder: TemporaryFolder, reports: Diagnostics = .calling { _ in }
  ) throws -> GoogleAnalytics {
    try Diagnostics.withInstance(reports) {
      try GoogleAnalytics(
        measurementID: "G-TEST12345", apiSecret: Self.secret,
        queue: EventQueue(
          folder: folder.path("queue"), EventQueue.Options().with { $0.clientID = "12.34" }),
        options: GoogleOptions().with { $0.endpoint = .url("\(server.url)mp/collect") },
        upload: .atFlush)
    }
  }

  /// A secret that stands otherwise in an address.
  static var secret: String { "s3cr+t/of=the_stream" }
}

extension ScriptedTransport {
  /// The bodies of all requests, in order.
  var bodies: [String] { exchanges.map { String(decoding: $0.request.body, as: UTF8.self) } }
}

extension TrackedEvent {
  /// An event of that time.
  init(_ event: Event, at date: String) throws {
    self.init(event, id: AmbientIdentifier.next(), date: try Date(iso8601: date))
  }
}

/// What the collector sends of the events at that instant, request by request.
func bodies(
  of events: [Event],
  _ options: GoogleOptions = GoogleOptions().with {
    $0.session = .none
    $0.engagement = nil
  }
) async throws -> [String] {
  let folder = TemporaryFolder()
  defer { withExtendedLifetime(folder) {} }
  let transport = ScriptedTransport([])
  let analytics = try GoogleAnalytics.to(transport, folder, options)
  for event in events { analytics.track(event) }
  await analytics.finish()
  return transport.bodies
}

/// What stands in `params` of the one event.
func parameters(of event: Event) async throws -> String? {
  let body = try await bodies(of: [event]).first
  let start = body?.range(of: #""params":"#)?.upperBound
  let end = body?.range(of: #","timestamp_micros""#)?.lowerBound
  guard let body, let start, let end else { return nil }
  return String(body[start..<end])
}
