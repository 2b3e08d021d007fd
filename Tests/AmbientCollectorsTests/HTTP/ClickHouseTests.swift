// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientCollectors
import Foundation
import TestSupport
import Testing

@Suite(.quiet, .enabled(if: ClickHouse.isInstalled, "clickhouse-server is not installed"))
struct `ClickHouse server delivery` {
  private let folder = TemporaryFolder()

  private static let table = """
    CREATE TABLE events (id UUID, time String, event String, properties_thread UInt64, \
    properties_number UInt64) ENGINE = ReplacingMergeTree() ORDER BY id
    """
  private static let insert = "INSERT INTO events FORMAT JSONEachRow"

  @Test(.long, .withoutSanitizer)
  func `every event arrives once even if the ClickHouse server and the client are killed`()
    async throws
  {
    let server = try ClickHouse(folder)
    try await server.start()
    try await server.query(Self.table)
    let (threads, each) = (2, TestRun.rounds(1_000, all: 5_000, full: 10_000))
    let progress = try SharedProgress(path: folder.path("progress"), threads: threads)
    func tracked() -> Int { (0..<threads).reduce(0) { $0 + progress.count[$1] } }
    let program = try Products.program("EventTracker").path
    func client() throws -> ChildProgram {
      try ChildProgram(
        program,
        [
          server.url, Self.insert, folder.path("queue"), folder.path("progress"), "\(threads)",
          "\(each)",
        ])
    }
    var process = try client()
    // Of seven parts of all events, the server is killed after five and the client after two.
    for part in 1...7 {
      let isTimely = await Patience.waitIdly(Patience.long) {
        tracked() >= part * threads * each / 8
      }
      try #require(isTimely)
      if part == 2 || part == 5 {
        process.killed()
        process = try client()
      } else {
        server.kill()
        try await server.start()
      }
    }
    #expect(await process.end() == 0)
    #expect(tracked() == threads * each)
    #expect(progress.lost == 0)
    // What the last one could not deliver while the server was down.
    #expect(await (try client()).end() == 0)
    let distinct = try await number("SELECT uniqExact(id) FROM events", server)
    let numbered = try await number(
      "SELECT uniqExact(properties_thread, properties_number) FROM events", server)
    #expect(numbered == threads * each)
    // A client that was killed within a call has tracked that event, and does so once more.
    #expect((threads * each...threads * (each + 2)).contains(try #require(distinct)))
    #expect(try await number("SELECT count() FROM events FINAL", server) == distinct)
  }

  @Test(.long, .withoutSanitizer)
  func `ClickHouse refuses events that don't fit the table and accepts the others`() async throws {
    let reports = Reports()
    let server = try ClickHouse(folder)
    try await server.start()
    let analytics = try Diagnostics.withInstance(reports) {
      try HTTPAnalytics(
        url: server.url, queue: EventQueue(folder: folder.path("queue"), .small),
        options: HTTPOptions().with {
          $0.query = ["query": Self.insert]
          $0.properties = .flattened("_")
        }, upload: .prompt)
    }
    func track(_ number: AmbientValue) {
      analytics.track(Event("numbered", ["thread": 0, "number": number]))
    }
    for number in 0..<50 { track(.integer(Int64(number))) }
    analytics.flush()
    #expect(await Patience.waitIdly { analytics.status.trouble != nil })
    // There is no table yet: nothing is lost by that.
    #expect(analytics.status.trouble?.reason.contains("code 60") == true)
    try await server.query(Self.table)
    #expect(await analytics.isEmptied())
    track("not a number")
    analytics.track(Event("numbered", ["unknown": 1]))
    for number in 50..<100 { track(.integer(Int64(number))) }
    await analytics.finish()
    #expect(analytics.status.delivered == 100)
    #expect(analytics.status.lost == ["ClickHouse code 27": 1, "ClickHouse code 117": 1])
    #expect(try await number("SELECT uniqExact(properties_number) FROM events", server) == 100)
  }

  @Test(.long, .withoutSanitizer)
  func `a wrong ClickHouse password is reported at once with the settings to check`()
    async throws
  {
    let reports = Reports()
    let server = try ClickHouse(folder)
    try await server.start()
    let url = server.url.replacing("http://", with: "http://default:wrong-password@")
    let analytics = try Diagnostics.withInstance(reports) {
      try HTTPAnalytics(
        url: url, queue: EventQueue(folder: folder.path("queue"), .small),
        options: HTTPOptions().with { $0.query = ["query": Self.insert] }, upload: .prompt)
    }
    analytics.track(0..<3)
    analytics.flush()
    #expect(await Patience.waitIdly { !reports.all.isEmpty })
    let message = reports.messages.first ?? ""
    #expect(message.contains("ClickHouse code 193"), "\(message)")
    #expect(message.contains("check url, headers and query"), "\(message)")
    #expect(!message.contains("wrong-password"), "\(message)")
    #expect(analytics.status.waiting == 3)
    // What libcurl makes of its answer.
    let address = try #require(URL(string: server.url))
    let login = Data("default:wrong-password".utf8).base64EncodedString()
    let answer = try await CollectorClient().exchange(
      OutgoingRequest("POST", address, body: Array("SELECT 1".utf8)).with {
        $0.headers = ["Authorization": "Basic \(login)"]
      },
      .init(duration: Patience.long))
    #expect(answer.status == 401)
    #expect(answer.headers["www-authenticate"]?.hasPrefix("Basic") == true)
  }

  @Test(
    .long, .withoutSanitizer,
    arguments: [
      (
        "properties_value Enum8('a' = 1, 'b' = 2)", AmbientValue.string("a"),
        AmbientValue.string("x"), 49
      ),
      ("properties_value FixedString(3)", .string("abc"), .string("abcd"), 131),
      (
        "properties_value UInt64, share UInt64 MATERIALIZED intDiv(100, properties_value)",
        .integer(5), .integer(0), 153
      ),
    ])
  func `if one of 20 events has an invalid value, ClickHouse still stores the other 19`(
    columns: String, good: AmbientValue, bad: AmbientValue, code: Int
  ) async throws {
    let server = try ClickHouse(folder)
    try await server.start()
    try await server.query(
      "CREATE TABLE events (id UUID, time String, event String, \(columns)) ENGINE = Memory")
    let analytics = try HTTPAnalytics(
      url: server.url, queue: EventQueue(folder: folder.path("queue"), .small),
      options: HTTPOptions().with {
        $0.query = ["query": Self.insert]
        $0.properties = .flattened("_")
      }, upload: .atFlush)
    for number in 0..<20 { analytics.track(Event("valued", ["value": number == 7 ? bad : good])) }
    await analytics.finish()
    #expect(analytics.status.delivered == 19 && analytics.status.refused == 1)
    #expect(analytics.status.lost == ["ClickHouse code \(code)": 1])
    #expect(try await number("SELECT count() FROM events", server) == 19)
  }

  private func number(_ query: String, _ server: ClickHouse) async throws -> Int? {
    Int(try await server.query(query))
  }
}
