// SPDX-License-Identifier: Apache-2.0

import AmbientCollectors

extension Command {
  private static let table = Option(
    "TABLE[@VERSION]",
    help: """
      The table, such as events or shop.events; for a server before version 21, with its version, \
      such as events@18.16.
      """)

  static let createTable = Command(
    name: "create-table",
    summary: "Print the statement that creates a ClickHouse table.",
    details: "The table takes events that --analytics http:URL sends to ClickHouse.",
    examples: ["create-table shop.events | clickhouse-client"],
    operand: table.required,
    prepare: { arguments in
      let statement = try statement(for: arguments[table] ?? "")
      return Run { output in try output.write("\(statement);\n") }
    })

  /// Returns the SQL statement that creates a ClickHouse table. `text` is the table's name,
  /// optionally followed by `@` and the version of the server.
  private static func statement(for text: String) throws(UsageError) -> String {
    let parts = text.parts(at: "@")
    let version = parts.count > 1 ? parts[1] : nil
    if let version, version.wholeMatch(of: /[0-9]+(\.[0-9]+)*/) == nil {
      throw .invalidValue(
        table.name, reason: "“\(version)” is not a version; use one such as shop.events@18.16")
    }
    do throws(CollectorError) {
      return try ClickHouseTable(parts[0]).createStatement(version: version)
    } catch {
      throw .invalidValue(
        table.name, reason: "“\(parts[0])” is not a table name; use one such as shop.events")
    }
  }
}
