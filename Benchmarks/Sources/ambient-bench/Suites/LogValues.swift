// SPDX-License-Identifier: Apache-2.0

internal import Ambient

/// What values cost, beside the same message without any.
func measureValues(_ bench: Bench) async throws {
  for (name, format) in [("text", LogFormat.text), ("JSON", .json), ("logfmt", .logfmt)] {
    try await bench.measure(
      "values, \(name)", floor: logging("the message alone", format) { logOrder($0) },
      [
        logging("two values by the literal", format) { logTwo($0) },
        logging("five values by the literal", format) { logFive($0) },
        logging("its two values by name", format) { logNamed($0) },
        logging("a truth value by name, and one by the literal", format) { logBoth($0) },
      ])
  }
}

/// What names cost whose hashes set the same bit of 64, beside as many of the same lengths whose do
/// not.
func measureNames(_ bench: Bench) async throws {
  try await bench.measure(
    "names, text", floor: logging("the message alone", .text) { _ in Log.info("order placed") },
    [
      logging("five names", .text) { value in
        Log.info(
          "order placed",
          ["company": value, "method": value, "kind": value, "target": value, "code": value])
      },
      logging("five names that share a bit", .text) { value in
        Log.info(
          "order placed",
          ["channel": value, "region": value, "size": value, "source": value, "task": value])
      },
      logging("eight names", .text) { value in
        Log.info(
          "order placed",
          [
            "company": value, "gift": value, "order": value, "method": value, "kind": value,
            "target": value, "value": value, "code": value,
          ])
      },
      logging("eight names that share a bit", .text) { value in
        Log.info(
          "order placed",
          [
            "channel": value, "link": value, "quota": value, "region": value, "size": value,
            "source": value, "table": value, "task": value,
          ])
      },
    ])
  let names = (0..<10_000).map { "name \($0)" }
  func filling<Values: Sequence>(
    _ name: String, _ empty: Values, _ set: @escaping @Sendable (inout Values, String) -> Void
  ) -> Case where Values: Sendable {
    Case(name, calls: 1, allowance: .infinity) { count in
      for _ in 0..<count {
        var values = empty
        for name in names { set(&values, name) }
        withExtendedLifetime(values) {}
      }
      return count
    }
  }
  try await bench.measure(
    "10,000 names",
    floor: filling("a dictionary by subscript", [String: AmbientValue]()) { $0[$1] = 1 },
    [filling("fields by subscript", AmbientFields()) { $0[$1] = 1 }])
}

/// What a scope's metadata and a provider's cost, beside the message alone.
func measureScopedValues(_ bench: Bench) async throws {
  // Outside, since a scope keeps the memory of what it is given, and the thread makes another.
  let request: AmbientFields = ["request": 4_711]
  func scoped(_ name: String, _ call: @escaping @Sendable (Int) -> Void) -> Case {
    let log = BlockLog(.text)
    return Case(name) { count in
      use(log)
      Log.withMetadata(request) { for value in 0..<count { call(value) } }
      return count
    }
  }
  func provided(_ name: String, _ call: @escaping @Sendable (Int) -> Void) -> Case {
    let log = BlockLog(.text)
    return Case(name) { count in
      use(log)
      Log.metadataProvider = { ["trace": customer] }
      for value in 0..<count { call(value) }
      Log.metadataProvider = nil
      return count
    }
  }
  Log.withMetadata([:]) {}
  try await bench.measure(
    "values, after a scope", floor: logging("the message alone", .text) { logOrder($0) },
    [
      logging("two values by the literal", .text) { logTwo($0) },
      scoped("scoped metadata") { logOrder($0) },
      scoped("scoped metadata and two values") { logTwo($0) },
      provided("a provider") { logOrder($0) },
      provided("a provider and two values") { logTwo($0) },
    ])
}

@inline(never)
func logTwo(_ value: Int) {
  Log.info(
    "order \(100_000 + value % 1_000) placed by \(customer) with a message long enough for a line of 133 bytes",
    ["total": value, "currency": "EUR"])
}

@inline(never)
private func logFive(_ value: Int) {
  Log.info(
    "order \(100_000 + value % 1_000) placed by \(customer) with a message long enough for a line of 133 bytes",
    ["total": value, "currency": "EUR", "items": 3, "gift": value & 1 == 0, "customer": customer])
}

@inline(never)
private func logNamed(_ value: Int) {
  Log.info(
    "order \(100_000 + value % 1_000, name: "order") placed by \(customer, name: "customer") with a message long enough for a line of 133 bytes"
  )
}

@inline(never)
private func logBoth(_ value: Int) {
  Log.info(
    "order \(100_000 + value % 1_000) placed by \(customer) with a message long enough for a line: \(value & 1 == 0, name: "gift")",
    ["total": value])
}
