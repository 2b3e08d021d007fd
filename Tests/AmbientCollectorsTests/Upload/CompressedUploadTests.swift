// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientCollectors
import Foundation
import TestSupport
import Testing

@Suite(.quiet) struct `Upload compression` {
  private let folder = TemporaryFolder()

  /// What a server got of a hundred events, when it had answered each request with 200.
  private func received(
    _ make: (LoopbackServer, EventQueue) throws -> any Sending
  ) async throws -> [LoopbackServer.Request] {
    let server = try LoopbackServer(always: .answer(200, body: "{}"))
    let sender = try make(server, EventQueue(folder: folder.path("queue")))
    for number in 0..<100 { sender.send("numbered", ["number": number]) }
    await sender.finish()
    #expect(sender.status.delivered == 100)
    return server.requests
  }

  @Test func `HTTPAnalytics compresses request bodies only if HTTPOptions.compression is gzip`()
    async throws
  {
    for compression in [nil, BodyCompression.gzip] {
      let requests = try await received { server, queue in
        if let compression {
          return try HTTPAnalytics(
            url: server.url, queue: queue,
            options: HTTPOptions().with { $0.compression = compression }, upload: .atFlush)
        }
        return try HTTPAnalytics(url: server.url, queue: queue, upload: .atFlush)
      }
      #expect(
        requests.map { $0.headers["content-encoding"] } == [compression == nil ? nil : "gzip"])
      #expect(numbers(requests.flatMap(\.lines)) == Array(0..<100))
      try FileManager.default.removeItem(atPath: folder.path("queue"))
    }
  }

  @Test func `ClickHouse rows are compressed unless ClickHouseOptions.compression is identity`()
    async throws
  {
    for compression in [nil, BodyCompression.identity] {
      let requests = try await received { server, queue in
        let table = try ClickHouseTable("events")
        if let compression {
          return try HTTPAnalytics.clickHouse(
            url: server.url, table: table, queue: queue,
            options: ClickHouseOptions().with {
              $0.looksAtTable = false
              $0.compression = compression
            }, upload: .atFlush)
        }
        return try HTTPAnalytics.clickHouse(
          url: server.url, table: table, queue: queue,
          options: ClickHouseOptions().with { $0.looksAtTable = false }, upload: .atFlush)
      }
      #expect(
        requests.map { $0.headers["content-encoding"] } == [compression == nil ? "gzip" : nil])
      #expect(requests.flatMap(\.lines).count == 100)
      try FileManager.default.removeItem(atPath: folder.path("queue"))
    }
  }

  @Test(
    arguments: [
      (nil, [:], "gzip"), (.identity, [:], nil),
      (.identity, ["OTEL_EXPORTER_OTLP_COMPRESSION": "gzip"], nil),
      (nil, ["OTEL_EXPORTER_OTLP_COMPRESSION": "none"], nil),
      (.gzip, ["OTEL_EXPORTER_OTLP_COMPRESSION": "none"], "gzip"),
    ] as [(BodyCompression?, [String: String], String?)])
  func `OTLP requests use gzip by default, and OTLPOptions override environment variables`(
    compression: BodyCompression?, environment: [String: String], encoding: String?
  ) async throws {
    for isOfLog in [false, true] {
      let requests = try await received { server, queue in
        var options = OTLPOptions.test(.base(server.url), environment)
        options.compression = compression
        if isOfLog {
          return try OTLPLog(queue: queue, level: .trace, options: options, upload: .atFlush)
        }
        return try OTLPAnalytics(queue: queue, options: options, upload: .atFlush)
      }
      #expect(requests.map { $0.headers["content-encoding"] } == [encoding])
      for request in requests {
        let body = try JSONSerialization.jsonObject(with: Data(request.body.utf8))
        #expect((body as? [String: Any])?["resourceLogs"] != nil)
        #expect(request.body.ranges(of: "log.record.uid").count == 100)
      }
      try FileManager.default.removeItem(atPath: folder.path("queue"))
    }
  }
}
