internal import Ambient
internal import Foundation

/// A table of ClickHouse for events: which columns it has, and the statement that makes it.
///
/// ```swift
/// let table = try ClickHouseTable("shop.events")
/// print(table.createStatement())
/// ```
///
/// | column | of an event |
/// |---|---|
/// | `id` | its identity: one that comes twice has the same |
/// | `time`, `event` | when it happened, and its name |
/// | `anonymous_id` | the identity of a user who is not known; may be missing |
/// | `user_id`, `user_traits` | its user, if there is one: the identity, and the traits as JSON |
/// | `properties` | its properties, as JSON |
///
/// With `.flattened("_")` there is a column for each trait and each property in place of the texts,
/// as `properties_value`; with `.nested` there are `user` and `properties`, of a type that takes
/// objects.
public struct ClickHouseTable: Hashable, Sendable {
  /// The name, behind that of a database and a period if it has one.
  public let name: String
  /// How users and properties stand in columns.
  public let properties: PropertyLayout
  /// The name as a statement has it.
  let quotedName: String

  /// A table of that name, as `events`, or `shop.events` in another database than the user's.
  ///
  /// - Parameters:
  ///   - name: The name as it is, which is quoted where a statement has it.
  ///   - properties: How users and properties stand in columns.
  /// - Throws: ``CollectorError`` if no table has such a name.
  public init(_ name: String, properties: PropertyLayout = .text) throws(CollectorError) {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    let isPlain = name.unicodeScalars.allSatisfy { $0.value > 31 && $0.value != 127 }
    guard parts.count <= 2, isPlain, parts.allSatisfy({ !$0.isEmpty }) else {
      throw .invalidSetting(
        name: "table", reason: "it is not the name of a table; give one as events or shop.events")
    }
    self.name = name
    self.properties = properties
    quotedName = parts.map { Self.quoted($0) }.joined(separator: ".")
  }

  /// The statement that makes the table, if there is none of that name.
  ///
  /// An event that was sent twice is one row once the server has merged them, or is asked `FINAL`.
  ///
  /// - Parameter version: The server's (`SELECT version()`), as `18.16.1`; nil for one from 21 on.
  ///   An older server has neither fractions of seconds nor `LowCardinality`. Columns of objects
  ///   need 24.8.
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

  /// An identifier without quotation marks where it needs none.
  private static func quoted(_ name: Substring) -> String {
    let isPlain = name.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/) != nil
    if isPlain { return String(name) }
    return "`\(name.replacing("\\", with: "\\\\").replacing("`", with: "\\`"))`"
  }
}

/// The columns that the table must have.
extension ClickHouseTable {
  /// What a column takes.
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

    /// Of servers before 21.
    var oldType: String {
      switch self {
      case .time: "DateTime('UTC')"
      case .name: "String"
      case .identity, .text, .object: type
      }
    }

    /// Whether a column of that type, without `Nullable` and `LowCardinality`, takes every value.
    func fits(_ type: String) -> Bool {
      switch self {
      case .identity: ["UUID", "String", "FixedString(36)"].contains(type)
      case .time: type.hasPrefix("DateTime") || type == "String"
      case .name, .text: type == "String"
      case .object: !["String", "UUID"].contains(type)
      }
    }
  }

  /// The column that a table may lack: few queues have what it takes.
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

  /// A column of a table that is there.
  struct Column: Decodable {
    let name: String
    let type: String
    /// `MATERIALIZED` and `ALIAS` take no values.
    let defaultKind: String

    enum CodingKeys: String, CodingKey {
      case name, type
      case defaultKind = "default_type"
    }

    /// The type, without what changes none of the values that it takes.
    fileprivate var plainType: String {
      var type = self.type
      for wrapper in ["Nullable(", "LowCardinality("] + ["Nullable("] where type.hasPrefix(wrapper)
      {
        type = String(type.dropFirst(wrapper.count).dropLast())
      }
      return type
    }
  }

  /// What of these columns does not fit events, in words; empty if all fits.
  ///
  /// - Parameter isWhole: Whether the table has no others.
  func misfits(_ present: [Column], isWhole: Bool) -> [String] {
    columns.compactMap { name, kind in
      guard let column = present.first(where: { $0.name == name }) else {
        return isWhole && name != Self.optional
          ? "there is no column “\(name)”; add it as \(kind.type)"
          : nil
      }
      if ["MATERIALIZED", "ALIAS"].contains(column.defaultKind) {
        return "“\(name)” is \(column.defaultKind), and takes no values; make it a plain column"
      }
      return kind.fits(column.plainType)
        ? nil : "“\(name)” is of the type \(column.type); make it \(kind.type)"
    }
  }

  /// The row of an event's line; nil if that is no object.
  func row(of record: [UInt8]) -> [UInt8]? {
    guard properties == .text else { return properties.line(of: record) }
    guard record.first == UInt8(ascii: "{") else { return nil }
    var row: [UInt8] = []
    row.reserveCapacity(record.count + record.count / 4)
    func append(_ name: some Sequence<UInt8>, _ value: ArraySlice<UInt8>) {
      row.append(UInt8(ascii: row.isEmpty ? "{" : ","))
      row.append(UInt8(ascii: "\""))
      row += name
      row += [UInt8(ascii: "\""), UInt8(ascii: ":")]
      if value.first == UInt8(ascii: "{") { row.append(json: value) } else { row += value }
    }
    var members = JSONMembers(record[...])
    while let member = members.next() {
      guard member.name.elementsEqual("user".utf8) else {
        append(member.name, member.value)
        continue
      }
      var parts = JSONMembers(member.value)
      while let part = parts.next() { append("user_".utf8 + Array(part.name), part.value) }
      guard parts.isWhole else { return nil }
    }
    row.append(UInt8(ascii: "}"))
    return members.isWhole ? row : nil
  }
}
