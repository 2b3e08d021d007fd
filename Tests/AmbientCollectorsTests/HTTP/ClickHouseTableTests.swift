// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientCollectors
import AmbientTesting
import Foundation
import TestSupport
import Testing

@Suite(.quiet) struct `ClickHouse tables` {
  private let folder = TemporaryFolder()

  private static func columns(_ list: [(String, String)]) -> String {
    list.map { #"{"name":"\#($0.0)","type":"\#($0.1)","default_type":""}"# + "\n" }.joined()
  }

  private static let fitting = [
    ("id", "UUID"), ("time", "DateTime64(3, 'UTC')"), ("event", "LowCardinality(String)"),
    ("user_id", "Nullable(String)"), ("user_traits", "LowCardinality(Nullable(String))"),
    ("properties", "String"),
  ]

  /// A collector whose server describes its table so, and takes all rows.
  private func collector(
    _ transport: ScriptedTransport, _ properties: PropertyLayout = .text, looksAtTable: Bool = true,
    journal: EventQueue.Options = .small, upload: UploadOptions = .atFlush
  ) throws -> HTTPAnalytics {
    try HTTPAnalytics.clickHouse(
      url: "http://a.example/", table: ClickHouseTable("shop.events", properties: properties),
      queue: EventQueue(folder: folder.path("queue"), journal),
      options: ClickHouseOptions().with {
        $0.user = "writer"
        $0.password = "hunter-2"
        $0.looksAtTable = looksAtTable
      }, upload: upload, transport: transport)
  }

  private static func server(_ description: ScriptedTransport.Step) -> ScriptedTransport {
    ScriptedTransport { _, lines in
      lines.first?.hasPrefix("DESCRIBE") == true ? description : .answer(200)
    }
  }

  @Test func `ClickHouseTable.createStatement uses only column types that the version supports`()
    throws
  {
    let table = try ClickHouseTable("events")
    #expect(
      table.createStatement() == """
        CREATE TABLE IF NOT EXISTS events (
          id UUID,
          time DateTime64(3, 'UTC'),
          event LowCardinality(String),
          anonymous_id String,
          user_id String,
          user_traits String,
          properties String
        ) ENGINE = ReplacingMergeTree() ORDER BY (event, time, id)
        """)
    let old = table.createStatement(version: "18.16.1")
    #expect(old.contains("time DateTime('UTC'),\n  event String,"))
    #expect(table.createStatement(version: "20.12").contains("time DateTime('UTC')"))
    #expect(table.createStatement(version: "21.1.2.15") == table.createStatement())
    #expect(table.createStatement(version: "what?") == table.createStatement())
  }

  @Test func `ClickHouseTable.createStatement has the columns of the table's property layout`()
    throws
  {
    let flat = try ClickHouseTable("shop.my events", properties: .flattened("."))
    #expect(flat.createStatement().hasPrefix("CREATE TABLE IF NOT EXISTS shop.`my events` (\n"))
    #expect(flat.createStatement().contains("\n  `user.id` String\n)"))
    let nested = try ClickHouseTable("a`b\\c", properties: .nested)
    #expect(nested.createStatement().hasPrefix("CREATE TABLE IF NOT EXISTS `a\\`b\\\\c` (\n"))
    #expect(nested.createStatement().contains("  user JSON,\n  properties JSON\n)"))
  }

  @Test(arguments: [("UUID", ""), ("Nullable(UUID)", ""), ("String", "ALIAS")])
  func `the anonymous_id column of a ClickHouse table can be a UUID, nullable or computed`(
    type: String, kind: String
  ) async throws {
    let own = #"{"name":"anonymous_id","type":"\#(type)","default_type":"\#(kind)"}"#
    let transport = Self.server(.answer(200, body: Self.columns(Self.fitting) + own + "\n"))
    let analytics = try collector(transport)
    analytics.track(0..<3)
    await analytics.finish()
    #expect(analytics.status.delivered == 3)
  }

  @Test(arguments: ["", ".events", "shop.", "a.b.c", "a\nb", "a\u{1F}", "a\u{7F}"])
  func `an invalid ClickHouse table name throws a CollectorError`(name: String) {
    #expect(throws: CollectorError.self) { try ClickHouseTable(name) }
  }

  @Test func `DESCRIBE TABLE is sent to ClickHouse only once, before the first insert`()
    async throws
  {
    let transport = Self.server(.answer(200, body: Self.columns(Self.fitting)))
    let analytics = try collector(transport)
    Analytics.withUser(AnalyticsUser("ada", ["plan": "pro"])) {
      analytics.track(Event("paid", ["value": 12.5, "to": ["city": "Rome"]]))
    }
    #expect(await analytics.isEmptiedAfterFlush())
    analytics.track(Event("left"))
    await analytics.finish()
    #expect(analytics.status.delivered == 2)
    #expect(analytics.amendments == [:])
    let exchanges = transport.exchanges
    try #require(exchanges.count == 3)
    #expect(exchanges[0].lines == ["DESCRIBE TABLE shop.events FORMAT JSONEachRow"])
    #expect(exchanges[0].request.url.query() == nil)
    for exchange in exchanges {
      #expect(exchange.request.headers["X-ClickHouse-User"] == "writer")
      #expect(exchange.request.headers["X-ClickHouse-Key"] == "hunter-2")
    }
    let query = exchanges[1].request.url.query(percentEncoded: false) ?? ""
    #expect(
      query == """
        date_time_input_format=best_effort&input_format_skip_unknown_fields=1\
        &query=INSERT INTO shop.events FORMAT JSONEachRow
        """)
    let row = try #require(exchanges[1].lines.first)
    #expect(
      row.hasSuffix(
        #""event":"paid","user_id":"ada","user_traits":"{\"plan\":\"pro\"}","#
          + #""properties":"{\"value\":12.5,\"to\":{\"city\":\"Rome\"}}"}"#), "\(row)")
    #expect(exchanges[2].lines.first?.hasSuffix(#""event":"left","properties":"{}"}"#) == true)
  }

  @Test(.virtualTime(from: "2026-11-27T00:00:00Z", advances: .byHand), .quiet)
  func `events that become too old during a ClickHouse outage aren't inserted`() async throws {
    let time = try VirtualTime.current
    var options = EventQueue.Options.small
    options.maximumAge = .seconds(600)
    let transport = ScriptedTransport { number, lines in
      if number == 0 { return .answer(503, headers: ["retry-after": "1200"]) }
      let isInquiry = lines.first?.hasPrefix("DESCRIBE") == true
      return .answer(200, body: isInquiry ? Self.columns(Self.fitting) : "")
    }
    let analytics = try collector(transport, journal: options, upload: UploadOptions())
    analytics.track(0..<2)
    try await time.advance(by: .seconds(900))
    analytics.track(2..<3)
    try await time.advance(by: .seconds(600))
    #expect(analytics.status.lost == ["too old": 2])
    #expect(analytics.status.delivered == 1)
    #expect(transport.exchanges.count == 3)
  }

  @Test(.virtualTime(from: "2026-11-27T00:00:00Z", advances: .byHand), .quiet)
  func `a failed DESCRIBE TABLE is repeated only while events wait in the queue`() async throws {
    let time = try VirtualTime.current
    var options = EventQueue.Options.small
    options.maximumAge = .seconds(600)
    let transport = ScriptedTransport { _, _ in .answer(503) }
    let analytics = try collector(transport, journal: options, upload: UploadOptions())
    analytics.track(0..<2)
    try await time.advance(by: .seconds(4_000))
    #expect(analytics.status.lost == ["too old": 2] && analytics.status.waiting == 0)
    let count = transport.exchanges.count
    #expect(count > 1)
    try await time.advance(by: .seconds(10_000))
    #expect(transport.exchanges.count == count)
  }

  @Test(
    arguments: [
      ("id", "UInt64", "UUID"), ("time", "Date", "DateTime64(3, 'UTC')"),
      ("event", "", "LowCardinality(String)"), ("event", "FixedString(8)", "FixedString(8)"),
      ("properties", "Map(String, String)", "String"), ("user_id", "Array(String)", "String"),
      ("user_id", "", "String"),
    ])
  func `a missing or unfit column of a ClickHouse table is reported, and no events are sent`(
    name: String, type: String, advice: String
  ) async throws {
    let columns = Self.fitting.map { $0.0 == name ? (name, type) : $0 }.filter { $0.1 != "" }
    let transport = Self.server(.answer(200, body: Self.columns(columns)))
    let analytics = try collector(transport)
    analytics.track(0..<5)
    await analytics.finish()
    #expect(analytics.status.waiting == 5)
    #expect(analytics.status.lost == [:])
    let reason = analytics.status.trouble?.reason ?? ""
    #expect(reason.contains("“shop.events”") && reason.contains("“\(name)”"), "\(reason)")
    #expect(type.isEmpty || reason.contains(type), "\(reason)")
    #expect(reason.contains(advice) && reason.hasSuffix("; check table"), "\(reason)")
    #expect(!reason.contains("hunter-2"))
    #expect(transport.exchanges.allSatisfy { $0.lines.first?.hasPrefix("DESCRIBE") == true })
  }

  @Test func `if a required column of a ClickHouse table is computed, no events are sent`()
    async throws
  {
    let columns = Self.columns(Self.fitting)
      .replacing(#""String","default_type":"""#, with: #""String","default_type":"MATERIALIZED""#)
    let analytics = try collector(Self.server(.answer(200, body: columns)))
    analytics.track(0..<1)
    await analytics.finish()
    #expect(analytics.status.waiting == 1)
    let reason = analytics.status.trouble?.reason ?? ""
    #expect(reason.contains("“properties”") && reason.contains("MATERIALIZED"), "\(reason)")
  }

  @Test func `DESCRIBE TABLE is sent to ClickHouse with the settings of the inserts`() async throws
  {
    let transport = Self.server(.answer(200, body: Self.columns(Self.fitting)))
    let analytics = try HTTPAnalytics.clickHouse(
      url: "http://c:8123/", table: ClickHouseTable("events"),
      queue: EventQueue(folder: folder.path("settings"), .small),
      options: ClickHouseOptions().with { $0.settings = ["database": "shop", "query": "DROP"] },
      upload: .prompt, transport: transport)
    analytics.track(Event("paid"))
    await analytics.finish()
    let queries = transport.exchanges.map { $0.request.url.query(percentEncoded: false) ?? "" }
    try #require(queries.count == 2)
    #expect(queries[0] == "database=shop")
    #expect(queries[1].contains("database=shop&") && queries[1].hasSuffix("FORMAT JSONEachRow"))
  }

  @Test func `DESCRIBE TABLE isn't sent to ClickHouse if looksAtTable is false`() async throws {
    let transport = Self.server(.answer(404, body: "Code: 60, e.displayText() = DB::Exception"))
    let analytics = try collector(transport, looksAtTable: false)
    analytics.track(0..<5)
    await analytics.finish()
    #expect(analytics.status.delivered == 5)
    #expect(transport.exchanges.count == 1)
  }

  @Test(
    arguments: [
      (404, "Code: 60, e.displayText() = DB::Exception: Table x doesn't exist.", "code 60"),
      (500, "Code: 497, e.displayText() = DB::Exception: Not enough privileges", "code 497"),
      (200, "<html><body>Log in</body></html>", "a web page"), (200, "Ok.", "DESCRIBE TABLE"),
      (200, "", "DESCRIBE TABLE"),
      (400, "no", "status 400"), (413, "no", "status 413"),
    ])
  func `events stay in the queue if ClickHouse doesn't properly answer DESCRIBE TABLE`(
    status: Int, body: String, words: String
  ) async throws {
    let transport = Self.server(.answer(status, body: body))
    let analytics = try collector(transport)
    analytics.track(0..<5)
    await analytics.finish()
    #expect(analytics.status.waiting == 5)
    #expect(analytics.status.lost == [:])
    let reason = analytics.status.trouble?.reason ?? ""
    #expect(reason.contains(words), "\(reason)")
    #expect(reason.contains("check url, table, user, password and settings"), "\(reason)")
  }

  @Test(
    .virtualTime(from: "2026-11-27T00:00:00Z", advances: .byHand), .quiet,
    arguments: [
      (60, "Table shop.events doesn't exist", true), (81, "Database shop doesn't exist", true),
      (164, "Cannot insert into table in readonly mode", true),
      (242, "Table is in readonly mode", false), (497, "Not enough privileges", true),
      (516, "Authentication failed", true), (193, "Wrong password for user", true),
      (115, "Unknown setting async", true),
      (243, "Cannot reserve 1.00 MiB, not enough space", false),
      (252, "Too many parts", false), (241, "Memory limit exceeded", false),
    ])
  func `if a ClickHouse insert fails, the events are kept and the error is reported`(
    code: Int, words: String, isSetUp: Bool
  ) async throws {
    let time = try VirtualTime.current
    let transport = ScriptedTransport { _, lines in
      lines.first?.hasPrefix("DESCRIBE") == true
        ? .answer(200, body: Self.columns(Self.fitting))
        : .answer(500, body: "Code: \(code), e.displayText() = DB::Exception: \(words)")
    }
    let analytics = try collector(transport)
    analytics.track(0..<5)
    analytics.flush()
    // Some attempts: they are milliseconds apart.
    try await time.advance(by: .milliseconds(100))
    #expect(analytics.status.waiting == 5 && analytics.status.lost == [:])
    let reason = analytics.status.trouble?.reason ?? ""
    #expect(reason.hasPrefix("ClickHouse code \(code) ("), "\(reason)")
    #expect(reason.contains(words), "\(reason)")
    #expect(reason.contains("; check url, table, user, password and settings") == isSetUp)
  }

  @Test(.virtualTime(from: "2026-11-27T00:00:00Z"), .quiet)
  func `DESCRIBE TABLE is repeated until it succeeds, and sent again after a refused insert`()
    async throws
  {
    let columns = Self.columns(Self.fitting)
    let steps = Guarded<[ScriptedTransport.Step]>([
      .failure(.unsent, "no network"), .answer(503), .answer(200, body: columns),
      .answer(404, body: "Code: 60, e.displayText() = DB::Exception: Table x doesn't exist."),
      .answer(200, body: columns), .answer(200),
    ])
    let transport = ScriptedTransport { _, _ in steps.withLock { $0.removeFirst() } }
    let analytics = try collector(transport)
    analytics.track(0..<3)
    analytics.flush()
    try await Time.sleep(for: .seconds(600))
    #expect(analytics.status.delivered == 3)
    #expect(
      transport.exchanges.map { $0.lines.count == 1 }
        == [true, true, true, false, true, false])
    await analytics.finish()
  }

  @Test func `a property without a ClickHouse column is left out and counted once per event`()
    async throws
  {
    let columns = Self.columns(
      Self.fitting.prefix(4) + [("properties_value", "Float64"), ("properties_ü", "String")])
    let transport = Self.server(.answer(200, body: columns))
    let reports = Reports()
    let analytics = try Diagnostics.withInstance(reports) {
      try collector(transport, .flattened("_"))
    }
    for number in 0..<4 {
      analytics.track(Event("paid", ["value": 1, "ü": "x", "colour": .integer(Int64(number))]))
    }
    await analytics.finish()
    #expect(analytics.status.delivered == 4)
    #expect(analytics.amendments == ["name-unknown": 4])
    let words = "paid, properties_colour: expected a column of the table shop.events, found none"
    #expect(reports.messages.filter { $0.contains(words) }.count == 1, "\(reports.messages)")
  }

  @Test func `a truncated answer to DESCRIBE TABLE doesn't prevent ClickHouse inserts`()
    async throws
  {
    let many = (0..<2_000).map { ("column\($0)", "String") }
    let whole = Self.columns(many + Self.fitting)
    let server = try LoopbackServer { _, request in
      .answer(200, body: request.body.hasPrefix("DESCRIBE") ? whole : "")
    }
    let analytics = try HTTPAnalytics.clickHouse(
      url: server.url, table: ClickHouseTable("events"),
      queue: EventQueue(folder: folder.path("queue"), .small), upload: .atFlush)
    analytics.track(0..<3)
    await analytics.finish()
    #expect(analytics.status.delivered == 3)
    #expect(analytics.amendments == [:])
    // It is looked at unless the program says otherwise.
    #expect(server.requests.map { $0.body.hasPrefix("DESCRIBE") } == [true, false])
  }

  @Test(arguments: [
    (PropertyLayout.text, "id", "String", true), (.text, "id", "FixedString(36)", true),
    (.text, "id", "FixedString(16)", false), (.text, "time", "DateTime", true),
    (.text, "time", "DateTime64(6)", true), (.text, "time", "String", true),
    (.text, "time", "Date32", false), (.text, "event", "Nullable(String)", true),
    (.text, "event", "UUID", false), (.text, "properties", "UUID", false),
    (.text, "anonymous_id", "FixedString(36)", true), (.text, "anonymous_id", "UInt8", false),
    (.flattened("_"), "user_id", "String", true), (.flattened("_"), "user_id", "JSON", false),
    (.nested, "user", "JSON", true), (.nested, "user", "Map(String, String)", true),
    (.nested, "user", "String", false), (.nested, "properties", "UUID", false),
    (.nested, "properties", "Nullable(String)", false),
  ])
  func `a ClickHouse column is accepted only if its type fits the values`(
    layout: PropertyLayout, name: String, type: String, fits: Bool
  ) async throws {
    var columns = ["id": "UUID", "time": "DateTime", "event": "String"]
    switch layout {
    case .text: for own in ["user_id", "user_traits", "properties"] { columns[own] = "String" }
    case .flattened: columns["user_id"] = "String"
    case .nested: for own in ["user", "properties"] { columns[own] = "JSON" }
    }
    columns[name] = type
    let text = Self.columns(columns.map { ($0.key, $0.value) })
    let analytics = try collector(Self.server(.answer(200, body: text)), layout)
    analytics.track(0..<1)
    await analytics.finish()
    #expect(analytics.status.delivered == (fits ? 1 : 0))
    #expect((analytics.status.trouble == nil) == fits)
  }

  @Test(.virtualTime(from: "2026-11-27T00:00:00Z", advances: .byHand), .quiet)
  func `a successful DESCRIBE TABLE doesn't end the backoff after a refused insert`() async throws {
    let time = try VirtualTime.current
    let columns = Self.columns(Self.fitting)
    let refused = "Code: 497, e.displayText() = DB::Exception: Not enough privileges."
    let transport = ScriptedTransport { _, lines in
      lines[0].hasPrefix("DESCRIBE") ? .answer(200, body: columns) : .answer(403, body: refused)
    }
    // A batch is complete, so only the pauses after failures are left.
    let analytics = try collector(transport, upload: UploadOptions().with { $0.events = 10 })
    analytics.track(0..<10)
    try await time.advance(by: .seconds(3_600))
    let rows = transport.exchanges.filter { !$0.lines[0].hasPrefix("DESCRIBE") }
    #expect((10...100).contains(rows.count), "\(rows.count) requests")
    #expect(analytics.status.waiting == 10)
  }

  @Test(.virtualTime(from: "2026-11-27T00:00:00Z", advances: .byHand), .quiet)
  func `failed attempts of DESCRIBE TABLE don't lengthen the backoff of inserts`()
    async throws
  {
    let time = try VirtualTime.current
    let start = Time.now
    let columns = Self.columns(Self.fitting)
    let transport = ScriptedTransport { _, lines in
      guard lines[0].hasPrefix("DESCRIBE") else { return .answer(503) }
      return Time.now.timeIntervalSince(start) < 3_600 ? .answer(503) : .answer(200, body: columns)
    }
    let analytics = try collector(transport, upload: .unhurried)
    analytics.track(0..<1)
    try await time.advance(by: .seconds(4_000))
    let rows = transport.exchanges.filter { !$0.lines[0].hasPrefix("DESCRIBE") }.map(\.date)
    try #require(rows.count > 2)
    #expect(rows[1].timeIntervalSince(rows[0]) <= 1 && rows[2].timeIntervalSince(rows[1]) <= 2)
  }
}

@Suite(.quiet, .enabled(if: ClickHouse.isInstalled, "clickhouse-server is not installed"))
struct `ClickHouse server tables` {
  private let folder = TemporaryFolder()

  private func collector(
    _ server: ClickHouse, _ properties: PropertyLayout = .text, settings: [String: String] = [:],
    hasAnonymousID: Bool = false
  ) throws -> HTTPAnalytics {
    try HTTPAnalytics.clickHouse(
      url: server.url, table: ClickHouseTable("events", properties: properties),
      queue: EventQueue(
        folder: folder.path("queue"),
        EventQueue.Options.small.with { $0.hasAnonymousID = hasAnonymousID }),
      options: ClickHouseOptions().with { $0.settings = settings }, upload: .prompt)
  }

  @Test(.long, .withoutSanitizer)
  func `a ClickHouse table made by createStatement() stores each event value in its column`()
    async throws
  {
    let server = try ClickHouse(folder)
    try await server.start()
    let table = try ClickHouseTable("events")
    try await server.query(
      table.createStatement(version: try await server.query("SELECT version()")))
    let analytics = try collector(server, hasAnonymousID: true)
    let user = AnalyticsUser("ada", ["plan": "pro"])
    let paid = TrackedEvent(
      Event("paid", ["value": 12.5]), id: UUID(),
      date: try Date(iso8601: "2026-11-20T17:00:00.500Z"), user: user)
    analytics.record(paid)
    analytics.record(paid)
    analytics.track(Event("left"))
    await analytics.finish()
    #expect(analytics.status.delivered == 3)
    #expect(analytics.status.lost == [:])
    #expect(
      try await server.query("SELECT * FROM events FINAL WHERE event = 'paid'") == """
        \(paid.id.uuidString.lowercased())\t2026-11-20 17:00:00\tpaid\t\tada\t{"plan":"pro"}\t{"value":12.5}
        """)
    let anonymousID = try #require(analytics.queue.anonymousID)
    #expect(
      try await server.query("SELECT anonymous_id FROM events FINAL WHERE event = 'left'")
        == anonymousID)
    #expect(try await server.query("SELECT count() FROM events FINAL") == "2")
  }

  @Test(
    .long, .withoutSanitizer,
    arguments: [
      (
        "id UUID, time DateTime, event String, user_id String, user_traits String",
        "“properties”", "ALTER TABLE events ADD COLUMN properties String"
      ),
      (
        "id UUID, time Date, event String, user_id String, user_traits String, properties String",
        "“time”", "ALTER TABLE events MODIFY COLUMN time DateTime"
      ),
      (
        "id UInt64, time DateTime, event String, user_id String, user_traits String, properties String",
        "“id”", "ALTER TABLE events MODIFY COLUMN id String"
      ),
    ])
  func `events wait while a ClickHouse column doesn't fit, and arrive after ALTER TABLE`(
    columns: String, words: String, mend: String
  ) async throws {
    let server = try ClickHouse(folder)
    try await server.start()
    try await server.query(
      "CREATE TABLE events (\(columns), other UInt8) ENGINE = MergeTree() ORDER BY other")
    let analytics = try collector(server)
    analytics.track(0..<20)
    analytics.flush()
    #expect(await Patience.waitIdly { analytics.status.trouble != nil })
    let reason = analytics.status.trouble?.reason ?? ""
    #expect(reason.contains(words), "\(reason)")
    #expect(analytics.status.waiting == 20)
    try await server.query(mend)
    #expect(await analytics.isEmptied())
    #expect(analytics.status.delivered == 20)
    #expect(analytics.status.lost == [:])
    #expect(try await server.query("SELECT count() FROM events") == "20")
    await analytics.finish()
  }

  @Test(.long, .withoutSanitizer)
  func `events wait while the ClickHouse table is missing or read-only, and arrive later`()
    async throws
  {
    let server = try ClickHouse(folder)
    try await server.start()
    func trouble(_ analytics: HTTPAnalytics) async -> String {
      analytics.track(0..<20)
      await analytics.finish()
      #expect(analytics.lostEvents == 0)
      return analytics.status.trouble?.reason ?? "none"
    }
    let missing = await trouble(try collector(server))
    #expect(missing.hasPrefix("ClickHouse code 60 (") && missing.contains("check url, table"))
    let version = try await server.query("SELECT version()")
    try await server.query(try ClickHouseTable("events").createStatement(version: version))
    let readOnly = await trouble(try collector(server, settings: ["readonly": "1"]))
    #expect(readOnly.hasPrefix("ClickHouse code 164 ("), "\(readOnly)")
    #expect(readOnly.contains("check url, table, user, password and settings"), "\(readOnly)")
    #expect(await trouble(try collector(server)) == "none")
    #expect(try await server.query("SELECT count() FROM events") == "60")
  }

  @Test(.long, .withoutSanitizer)
  func `a ClickHouse server stores events without the properties that have no column`()
    async throws
  {
    let server = try ClickHouse(folder)
    try await server.start()
    try await server.query(
      """
      CREATE TABLE events (id UUID, time DateTime, event String, user_id String, \
      properties_number UInt64) ENGINE = MergeTree() ORDER BY time
      """)
    let analytics = try collector(server, .flattened("_"))
    for number in 0..<10 {
      analytics.track(Event("numbered", ["number": .integer(Int64(number)), "unknown": ["a": 1]]))
    }
    await analytics.finish()
    #expect(analytics.status.delivered == 10)
    #expect(analytics.amendments == ["name-unknown": 10])
    #expect(try await server.query("SELECT sum(properties_number) FROM events") == "45")
  }
}
