// SPDX-License-Identifier: Apache-2.0

internal import Ambient
internal import Foundation

/// A table of ClickHouse for events: its columns, and the statement that creates it.
///
/// ```swift
/// let table = try ClickHouseTable("shop.events")
/// print(table.createStatement())
/// ```
///
/// | column | content |
/// |---|---|
/// | `id` | the event's identity, which does not change if the event is sent twice |
/// | `time`, `event` | the event's time and name |
/// | `anonymous_id` | the anonymous identity, if the event has one; the table may lack the column |
/// | `user_id`, `user_traits` | the user's identity, and the traits as JSON, if there is a user |
/// | `properties` | the event's properties, as JSON |
///
/// With `.flattened("_")`, the table has no columns of JSON. Instead, each trait and each property
/// has a column of its own, such as `properties_value` for the property `value`. With `.nested`,
/// the table has the columns `user` and `properties`, of a type that takes objects.
public struct ClickHouseTable: Hashable, Sendable {
  /// The table's name, preceded by the database's name and a period if a database was given.
  package let name: String
  /// The layout of users and properties in columns.
  package let properties: PropertyLayout
  /// The name, quoted for a statement.
  let quotedName: String

  /// Creates the description of a table, such as `events`, or `shop.events` in a database other
  /// than the user's default.
  ///
  /// - Parameters:
  ///   - name: The table's name without quotation marks; statements quote it.
  ///   - properties: The layout of users and properties in columns.
  /// - Throws: ``CollectorError`` if the name has more than one period, an empty part, or a
  ///   character that is invisible or steers a terminal.
  public init(_ name: String, properties: PropertyLayout = .text) throws(CollectorError) {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, name.escaped == name, parts.allSatisfy({ !$0.isEmpty }) else {
      throw .invalidSetting(
        name: "table", reason: "it is not a table name; use one such as events or shop.events")
    }
    self.name = name
    self.properties = properties
    quotedName = parts.map { Self.quoted($0) }.joined(separator: ".")
  }

  /// The statement that creates the table unless a table of that name exists.
  ///
  /// With ``PropertyLayout/flattened(_:)``, the statement has no columns for properties and traits;
  /// add a column for each one to keep. If an event was sent twice, its two rows become one when
  /// the server merges rows, or in a query with `FINAL`.
  ///
  /// - Parameter version: The server's version, as `SELECT version()` returns it, such as
  ///   `18.16.1`; nil for version 21 or later. For servers before version 21, the statement uses
  ///   neither fractions of seconds nor `LowCardinality`. The type `JSON`, for columns of objects,
  ///   needs version 24.8. The first part between periods that is a number decides; without one,
  ///   the version counts as 21.
  public func createStatement(version: String? = nil) -> String {
    let parts = (version ?? "21").split(separator: ".").compactMap { Int($0) }
    let isOld = parts.first.map { $0 < 21 } ?? false
    let lines = columns.map {
      "  \(Self.quoted($0.name[...])) \(isOld ? $0.kind.oldType : $0.kind.type)"
    }
    return """
      CREATE TABLE IF NOT EXISTS \(quotedName) (
      \(lines.joined(separator: ",\n"))
      ) ENGINE = ReplacingMergeTree() ORDER BY (event, time, id)
      """
  }

  /// The name as an identifier in SQL: between backticks, unless the name consists of ASCII
  /// letters, digits and underscores, and does not begin with a digit.
  private static func quoted(_ name: Substring) -> String {
    let isPlain = name.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/) != nil
    if isPlain { return String(name) }
    return "`\(name.replacing("\\", with: "\\\\").replacing("`", with: "\\`"))`"
  }
}

/// The columns that the table must have, and the row of an event.
extension ClickHouseTable {
  /// The kind of values that a column takes.
  private enum Kind {
    case identity, time, name, text, object

    var type: String {
      switch self {
      case .identity: "UUID"
      case .time: "DateTime64(3, 'UTC')"
      case .name: "LowCardinality(String)"
      case .text: "String"
      case .object: "JSON"
      }
    }

    /// The type for servers before version 21.
    var oldType: String {
      switch self {
      case .time: "DateTime('UTC')"
      case .name: "String"
      case .identity, .text, .object: type
      }
    }

    /// The types to choose from, in words. If older servers need another type, the advice also
    /// names it, because a table's columns do not reveal the server's version.
    var advice: String { type == oldType ? type : "\(type) (before version 21: \(oldType))" }

    /// Whether a column of the type `type` takes values of this kind. For objects, only `String`
    /// and `UUID` are excluded, since many other types may take an object.
    ///
    /// - Parameter type: A column's `plainType`, without `Nullable` and `LowCardinality`.
    func fits(_ type: String) -> Bool {
      switch self {
      case .identity: ["UUID", "String", "FixedString(36)"].contains(type)
      case .time: type.hasPrefix("DateTime") || type == "String"
      case .name, .text: type == "String"
      case .object: !["String", "UUID"].contains(type)
      }
    }
  }

  /// The column that a table may lack, since few queues have anonymous identities.
  private static var optional: String { "anonymous_id" }

  private var columns: [(name: String, kind: Kind)] {
    let own: [(String, Kind)] = [
      ("id", .identity), ("time", .time), ("event", .name), (Self.optional, .text),
    ]
    return switch properties {
    case .text: own + [("user_id", .text), ("user_traits", .text), ("properties", .text)]
    case .flattened(let separator): own + [("user\(separator)id", .text)]
    case .nested: own + [("user", .object), ("properties", .object)]
    }
  }

  /// A column of the server's table, as `DESCRIBE TABLE` lists it.
  struct Column: Decodable {
    let name: String
    let type: String
    /// The kind of the default value: `MATERIALIZED` and `ALIAS` columns take no values.
    let defaultKind: String

    enum CodingKeys: String, CodingKey {
      case name, type
      case defaultKind = "default_type"
    }

    /// The type without the wrappers `Nullable` and `LowCardinality`: with them, a column takes all
    /// values that it takes without them.
    fileprivate var plainType: String {
      var type = self.type
      for wrapper in ["Nullable(", "LowCardinality("] + ["Nullable("] where type.hasPrefix(wrapper)
      {
        type = String(type.dropFirst(wrapper.count).dropLast())
      }
      return type
    }
  }

  /// The faults of the table's columns, in words; empty if events fit the table.
  ///
  /// - Parameter isWhole: Whether `present` contains all columns of the table.
  func misfits(_ present: [Column], isWhole: Bool) -> [String] {
    columns.compactMap { name, kind in
      let isOptional = name == Self.optional
      guard let column = present.first(where: { $0.name == name }) else {
        return isWhole && !isOptional
          ? "column “\(name)” is missing; add it as \(kind.advice)"
          : nil
      }
      if ["MATERIALIZED", "ALIAS"].contains(column.defaultKind) {
        return isOptional
          ? nil
          : "column “\(name)” is \(column.defaultKind) and accepts no values; make it a plain column"
      }
      // Anonymous identities are UUIDs, so their column may also have the type `UUID`.
      return (isOptional ? Kind.identity : kind).fits(column.plainType)
        ? nil : "column “\(name)” has the type \(column.type); change it to \(kind.advice)"
    }
  }

  /// The row for an event's line; nil if the line is not one complete JSON object. Values without a
  /// name of their own are noted in `amendments`.
  func row(of record: [UInt8], _ amendments: Amendments) -> [UInt8]? {
    properties.line(of: record, splitsUser: true, amendments)
  }
}
