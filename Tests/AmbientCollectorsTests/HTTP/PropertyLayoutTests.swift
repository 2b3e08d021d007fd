// SPDX-License-Identifier: Apache-2.0

import Ambient
import Foundation
import TestSupport
import Testing

@testable import AmbientCollectors

@Suite(.quiet) struct `Property name collisions` {
  private let folder = TemporaryFolder()

  private func collector(
    _ transport: ScriptedTransport, _ layout: PropertyLayout, isClickHouse: Bool
  ) throws -> HTTPAnalytics {
    let (url, queue) = ("http://a.example/", try EventQueue(folder: folder.path("q"), .small))
    return isClickHouse
      ? try HTTPAnalytics.clickHouse(
        url: url, table: ClickHouseTable("events", properties: layout), queue: queue,
        options: ClickHouseOptions().with { $0.looksAtTable = false }, upload: .atFlush,
        transport: transport)
      : try HTTPAnalytics(
        url: url, queue: queue, options: HTTPOptions().with { $0.properties = layout },
        upload: .atFlush, transport: transport)
  }

  /// The members of a line; a name that a line has twice fails the test.
  private func members(_ line: String) throws -> [String: String] {
    var members: [String: String] = [:]
    let bytes = Array(line.utf8)
    var reader = JSONMemberReader(bytes[...])
    while let member = reader.next() {
      let name = String(decoding: member.name, as: UTF8.self)
      #expect(members[name] == nil, "\(name) in \(line)")
      members[name] = String(decoding: member.value, as: UTF8.self)
    }
    #expect(reader.isWhole)
    return members
  }

  @Test(arguments: ["_", "."], [false, true])
  func `if flattened properties share a column, the first is sent and the others are counted`(
    separator: String, isClickHouse: Bool
  ) async throws {
    let transport = ScriptedTransport([])
    let analytics = try collector(
      transport, .flattened(separator), isClickHouse: isClickHouse)
    let name = "a\(separator)b"
    for _ in 0..<2 {
      analytics.track(Event("sold", [name: 1, "a": ["b": 2, "c": 3]]))
      analytics.track(Event("sold", ["a": ["b": 2, "c": 3], name: 1]))
    }
    analytics.track(Event("sold", user: AnalyticsUser("ada", [name: 1, "a": ["b": 2]])))
    await analytics.finish()
    #expect(analytics.status.delivered == 5 && analytics.status.lost == [:])
    let lines = try transport.exchanges.flatMap(\.lines).map { try members($0) }
    let sent = ["properties", "a", "b"].joined(separator: separator)
    #expect(lines.map { $0[sent] } == ["1", "2", "1", "2", nil])
    #expect(lines.compactMap { $0[sent.dropLast() + "c"] } == ["3", "3", "3", "3"])
    #expect(lines[4][["user", "traits", "a", "b"].joined(separator: separator)] == "1")
    #expect(analytics.amendments == ["name-taken": 5])
    // One report for each path of a value that is left out: properties.a.b, properties.a_b and
    // user.traits.a.b. With a period, the first two are the same.
    #expect(Test.reports.count == (separator == "." ? 2 : 3))
    #expect(Test.reports.allSatisfy { $0.kind == .amended })
  }

  @Test func `a thousand property names that collide when flattened are reported once`()
    async throws
  {
    let transport = ScriptedTransport([])
    let analytics = try collector(transport, .flattened("_"), isClickHouse: false)
    let names = (0..<1_000).map { "x\($0)" }
    func fields(_ prefix: String) -> [AmbientFields.Field] {
      names.map { AmbientFields.Field(name: prefix + $0, value: 1) }
    }
    let nested = AmbientFields.Field(name: "p", value: .fields(AmbientFields(list: fields(""))))
    analytics.track(Event("wide", AmbientFields(list: fields("p_") + [nested])))
    await analytics.finish()
    #expect(analytics.status.delivered == 1)
    #expect(analytics.amendments == ["name-taken": 1_000])
    #expect(Test.reports.map(\.kind) == [.amended])
    let line = try members(try #require(transport.exchanges.first?.lines.first))
    #expect(line.count == 3 + 1_000)
  }

  @Test(arguments: [PropertyLayout.nested, .text], [false, true])
  func `the nested and text layouts keep properties whose names would collide if flattened`(
    layout: PropertyLayout, isClickHouse: Bool
  ) async throws {
    let transport = ScriptedTransport([])
    let analytics = try collector(transport, layout, isClickHouse: isClickHouse)
    analytics.track(
      Event("sold", ["a_b": 1, "a": ["b": 2]], user: AnalyticsUser("ada", ["id": 3, "traits": 4])))
    await analytics.finish()
    let line = try #require(transport.exchanges.first?.lines.first)
    let properties = try #require(try members(line)["properties"])
    #expect(properties.filter { "0123456789".contains($0) } == "12")
    #expect(line.contains("ada") && line.contains("traits"))
    #expect(analytics.amendments == [:])
  }

  @Test(arguments: ["_", ".", ""])
  func `flattened properties named like an event's own members keep their values`(
    separator: String
  ) async throws {
    let transport = ScriptedTransport([])
    let analytics = try collector(transport, .flattened(separator), isClickHouse: true)
    let names = ["id", "time", "event", "anonymous_id", "user", "user_id", "traits", "properties"]
    let fields = AmbientFields(list: names.map { AmbientFields.Field(name: $0, value: 1) })
    analytics.track(Event("sold", fields, user: AnalyticsUser("ada", fields)))
    await analytics.finish()
    let line = try members(try #require(transport.exchanges.first?.lines.first))
    #expect(line.count == 3 + 1 + 2 * names.count)
    #expect(analytics.amendments == [:])
  }
}
