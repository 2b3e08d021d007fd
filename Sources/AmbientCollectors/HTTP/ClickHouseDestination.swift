// SPDX-License-Identifier: Apache-2.0

internal import Ambient
internal import Foundation

extension HTTPAnalytics {
  /// Creates analytics that insert a row for each event into a table of ClickHouse, over HTTP.
  ///
  /// ```swift
  /// var options = ClickHouseOptions()
  /// options.user = "shop"
  /// options.password = password
  /// Analytics.instance = try HTTPAnalytics.clickHouse(
  ///   url: "https://clickhouse.example:8443/", table: ClickHouseTable("shop.events"),
  ///   queue: EventQueue(folder: "/var/lib/shop/events"), options: options)
  /// ```
  ///
  /// Unless ``ClickHouseOptions/looksAtTable`` is false, the table's columns are read before the
  /// first event is sent, and again after the server turned events away. If a column of
  /// ``ClickHouseTable/createStatement(version:)`` other than `anonymous_id` is missing, or if one
  /// cannot take its values, it is reported by name, and events wait until the table fits. Fields
  /// without a column are left out and counted in ``QueuedAnalytics/amendments``. If the list of
  /// columns exceeds the limit of an answer's size, only the listed columns are checked, and such
  /// fields are not counted.
  ///
  /// - Parameters:
  ///   - url: The server's address for HTTP, such as `http://localhost:8123/`.
  ///   - table: The table that gets the rows; ``ClickHouseTable/createStatement(version:)`` returns
  ///     the statement that creates it.
  ///   - queue: The queue of waiting events.
  ///   - options: The user, the settings for the server, whether the table's columns are read, and
  ///     the size and compression of a request.
  ///   - upload: The times and sizes of uploads, the repetition of failed requests, and the limits
  ///     of a request.
  ///   - transport: The transport that sends the requests; nil for a new ``CollectorClient``.
  /// - Throws: ``CollectorError`` if the address, the user or the password cannot be sent, if a
  ///   collector uses this queue or has used it before, or if `transport` is nil and the program
  ///   cannot use HTTP.
  public static func clickHouse(
    url: String, table: ClickHouseTable, queue: EventQueue,
    options: ClickHouseOptions = ClickHouseOptions(), upload: UploadOptions = UploadOptions(),
    transport: (any HTTPTransport)? = nil
  ) throws(CollectorError) -> HTTPAnalytics {
    try HTTPAnalytics(
      ClickHouseDestination(url: url, table, options), queue: queue, upload: upload,
      transport: transport)
  }
}

/// Inserts rows into a table of ClickHouse.
final class ClickHouseDestination: InquiringDestination {
  private let endpoint: PostTarget
  /// The target of the request that reads the table's columns, with the settings but without a
  /// statement.
  private let reading: PostTarget
  /// The server's address and header fields, without the statement and the settings. The texts that
  /// reports must hide are taken from `server`, so reports may show the statement and the settings.
  private let server: PostTarget
  private let table: ClickHouseTable
  private let looksAtTable: Bool
  let limits: RequestLimits
  /// The names of the table's columns, escaped as in JSON; nil until they are known, or if the
  /// server's list was cut.
  private let columns = Guarded<Set<ArraySlice<UInt8>>?>(nil)
  /// Whether the server's last answer to the inquiry was that the table does not fit.
  private let isMisfit = Guarded(false)
  private let changes: Amendments

  init(
    url: String, _ table: ClickHouseTable, _ options: ClickHouseOptions
  ) throws(CollectorError) {
    let login = [("X-ClickHouse-User", options.user), ("X-ClickHouse-Key", options.password)]
    let headers = Dictionary(
      uniqueKeysWithValues: login.compactMap { name, value in value.map { (name, $0) } })
    let own = [
      "query": "INSERT INTO \(table.quotedName) FORMAT JSONEachRow",
      "date_time_input_format": "best_effort", "input_format_skip_unknown_fields": "1",
    ]
    var endpoint = try PostTarget(
      url: url, headers: headers, query: options.settings.merging(own) { $1 })
    endpoint.compression = options.compression
    self.endpoint = endpoint
    reading = try PostTarget(
      url: url, headers: headers, query: options.settings.filter { own[$0.key] == nil })
    server = try PostTarget(url: url, headers: headers, query: [:])
    self.table = table
    looksAtTable = options.looksAtTable
    limits = options.limits
    changes = Amendments("ClickHouse \(server.url.withoutSecrets) \(table.name)")
  }

  var name: String { "ClickHouse \(server.url.withoutSecrets) \(table.name)" }

  var secrets: [String] { server.secrets }

  var settingsToCheck: [String] {
    isMisfit.withLock { $0 } ? ["table"] : ["url", "table", "user", "password", "settings"]
  }

  var amendments: [String: Int] { changes.counts }

  func entry(for record: [UInt8], at date: Date, now: Date) throws(EventRefusal) -> EventEntry {
    guard let row = table.row(of: record, changes) else { throw EventRefusal.unreadable }
    if let columns = columns.withLock({ $0 }) {
      changes.note(
        leftOut: Self.strangers(in: row, to: columns), of: record, .nameUnknown,
        needs: "a column of the table \(table.name)", "add the column, or stop tracking the field")
    }
    return EventEntry(row)
  }

  func request(_ entries: [[UInt8]], group: String) -> OutgoingRequest {
    endpoint.request(posting: entries)
  }

  func verdict(on answer: HTTPAnswer, now: Date) -> DeliveryVerdict {
    .clickHouse(answer, now: now) ?? .brokenOff(answer) ?? .usual(for: answer, now: now)
  }

  // MARK: - Reading the table's columns

  var inquiry: OutgoingRequest? {
    guard looksAtTable else { return nil }
    let statement = "DESCRIBE TABLE \(table.quotedName) FORMAT JSONEachRow"
    return reading.request(posting: Array(statement.utf8))
  }

  func verdict(onInquiry answer: HTTPAnswer, now: Date) -> DeliveryVerdict {
    let verdict = verdict(on: answer, now: now)
    isMisfit.withLock { $0 = false }
    guard verdict == .accepted else { return verdict }
    // If the answer was cut, its last line may be incomplete.
    let lines = answer.body.split(separator: UInt8(ascii: "\n")).dropLast(answer.isCut ? 1 : 0)
    let decoder = JSONDecoder()
    let present = lines.compactMap {
      try? decoder.decode(ClickHouseTable.Column.self, from: Data($0))
    }
    guard present.count == lines.count, !present.isEmpty else {
      return .turnedAway(
        "the answer to DESCRIBE TABLE is not that of ClickHouse; check the address",
        detail: answer.excerpt)
    }
    let misfits = table.misfits(present, isWhole: !answer.isCut)
    guard misfits.isEmpty else {
      isMisfit.withLock { $0 = true }
      return .turnedAway(
        "the table “\(table.name)” does not fit the events",
        detail: misfits.joined(separator: "; "))
    }
    let names = answer.isCut ? nil : Set(present.map { Self.escaped($0.name) })
    columns.withLock { $0 = names }
    return .accepted
  }

  /// The members of the row that have no column in the table.
  private static func strangers(
    in row: [UInt8], to columns: Set<ArraySlice<UInt8>>
  ) -> [(field: String, found: String)] {
    var strangers: [(field: String, found: String)] = []
    var members = JSONMemberReader(row[...])
    while let member = members.next() {
      guard !columns.contains(member.name) else { continue }
      strangers.append((String(decoding: member.name, as: UTF8.self), "none"))
    }
    return strangers
  }

  private static func escaped(_ name: String) -> ArraySlice<UInt8> {
    var text: [UInt8] = []
    text.append(unquoted: name)
    return text[...]
  }
}
