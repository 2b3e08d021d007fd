// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Ambient

@Suite struct `Random log records` {
  private struct Maker {
    var numbers: SeededNumbers
    private let pieces =
      Hostile.texts + [
        "", " ", "=", "\"", "\\", "\n", "null", "true", "1", "-1.5e3", "ada", "a b", "é", "🛒",
        "\u{FFFD}", "\u{85}", "order", "A-17", "level", "msg", "a.b", "x\\y",
      ]

    init(_ seed: Int) { numbers = SeededNumbers(seed) }

    mutating func text() -> String {
      let count = Int.random(in: 1...3, using: &numbers)
      return (0..<count).map { _ in pieces.randomElement(using: &numbers) ?? "" }.joined()
    }

    mutating func value(_ depth: Int = 0) -> AmbientValue {
      switch Int.random(in: 0..<(depth < 3 ? 10 : 8), using: &numbers) {
      case 0: return .boolean(Bool.random(using: &numbers))
      case 1: return .integer(Int64(truncatingIfNeeded: numbers.next() >> (numbers.next() & 63)))
      case 2: return .unsigned(numbers.next())
      case 3: return .double(Double(Int.random(in: -9_999...9_999, using: &numbers)) / 64)
      case 4:
        let number = Double(bitPattern: numbers.next())
        return .double(number.isNaN ? .infinity : number)  // what is NaN never equals itself
      case 5:
        return .date(Date(timeIntervalSince1970: Double(Int32(truncatingIfNeeded: numbers.next()))))
      case 6, 7: return .string(text())
      case 8:
        return .array((0..<Int.random(in: 0...3, using: &numbers)).map { _ in value(depth + 1) })
      default: return .fields(fields(depth + 1))
      }
    }

    /// Names that stay different where characters are replaced.
    mutating func fields(_ depth: Int = 0) -> AmbientFields {
      var fields = AmbientFields()
      for index in 0..<Int.random(in: 0...5, using: &numbers) {
        fields["\(index)\(text())"] = value(depth)
      }
      return fields
    }
  }

  /// What Foundation's decoder reads: numbers in each form that they have.
  private enum Read: Decodable {
    case null
    case boolean(Bool)
    case number(Int64?, UInt64?, Double)
    case text(String)
    case list([Read])
    case group([String: Read])

    init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      if value.decodeNil() {
        self = .null
      } else if let text = try? value.decode(String.self) {
        self = .text(text)
      } else if let number = try? value.decode(Double.self) {
        self = .number(
          try? value.decode(Int64.self), try? value.decode(UInt64.self), number)
      } else if let flag = try? value.decode(Bool.self) {
        self = .boolean(flag)
      } else if let list = try? value.decode([Read].self) {
        self = .list(list)
      } else {
        self = .group(try value.decode([String: Read].self))
      }
    }
  }

  private struct Line: Decodable {
    let time: String
    let level: String
    let message: String
    let metadata: [String: Read]?
  }

  /// Whether what was read is the value that was written.
  private func isSame(_ value: AmbientValue, _ read: Read) -> Bool {
    switch (value, read) {
    case (.null, .null): true
    case (.boolean(let value), .boolean(let read)): value == read
    case (.integer(let value), .number(let read, _, _)): value == read
    case (.unsigned(let value), .number(_, let read, _)): value == read
    case (.double(let value), .number(_, _, let read)): value == read
    case (.double(let value), .text(let read)): !value.isFinite && value.description == read
    case (.string(let value), .text(let read)): value == read
    case (.date(let value), .text(let read)): value.iso8601() == read
    case (.array(let values), .list(let read)):
      values.count == read.count && zip(values, read).allSatisfy(isSame)
    case (.fields(let fields), .group(let read)):
      fields.count == read.count
        && fields.allSatisfy { field in read[field.name].map { isSame(field.value, $0) } ?? false }
    default: false
    }
  }

  /// The name as logfmt has it, by the rule of the page.
  private func written(_ name: String) -> String {
    if name.isEmpty { return "_" }
    return name.unicodeScalars.map { scalar in
      switch scalar {
      case "\u{0}"..."\u{20}", "\"", "=", "\u{7F}", "\u{FFFD}": "_"
      case "\u{80}"..."\u{9F}", "\u{61C}", "\u{200E}", "\u{200F}", "\u{2028}"..."\u{202E}",
        "\u{2066}"..."\u{2069}", "\u{200B}", "\u{200D}", "\u{2060}", "\u{FEFF}", "\u{AD}",
        "\u{FFF9}", "\u{3164}":
        "\\u" + String(format: "%04x", scalar.value)
      case "\u{E0041}": "\\u{e0041}"
      default: String(scalar)
      }
    }.joined()
  }

  /// The pairs that logfmt should hold: the names as they are written, and the text of each value.
  private func pairs(_ fields: AmbientFields, _ prefix: String = "") -> [(String, String)] {
    fields.flatMap { field -> [(String, String)] in
      let name = prefix + written(field.name)
      switch field.value {
      case .fields(let inner): return pairs(inner, name + ".")
      case .string(let text): return [(name, text)]
      case .double(let value) where !value.isFinite: return [(name, value.description)]
      default: return [(name, field.value.description)]
      }
    }
  }

  /// What is wrong with the lines of the record; nil if nothing is.
  private func fault(_ record: LogRecord, _ text: String, _ fields: AmbientFields) throws -> String?
  {
    if record.metadata != fields { return "the record's fields differ" }
    for layout in LogFormat.Layout.allCases {
      var isOneLine = false
      LogFormat(layout).withLine(record) { bytes in
        isOneLine = bytes.last == 0x0A && bytes.dropLast().allSatisfy { $0 >= 0x20 && $0 != 0x7F }
      }
      if !isOneLine { return "no single line of \(layout)" }
    }
    let json = LogFormat.json.line(record)
    let read = try JSONDecoder().decode(Line.self, from: Data(json.utf8))
    guard read.message == text, isSame(.fields(fields), .group(read.metadata ?? [:])) else {
      return json
    }
    let logfmt = LogFormat.logfmt.line(record)
    var values = try Logfmt.read(logfmt)
    for name in ["time", "level"] { values[name] = nil }
    let expected = Dictionary(pairs(fields) + [("msg", text)]) { _, last in last }
    return values == expected ? nil : logfmt
  }

  private func check(_ count: Int, seed: Int) async throws {
    var maker = Maker(seed)
    for number in 0..<count {
      // Others of the pool wait for its threads.
      if number.isMultiple(of: 20) { await Task.yield() }
      let text = maker.text()
      let fields = maker.fields()
      let record = LogRecord(
        date: Date(timeIntervalSinceReferenceDate: 0), level: .info, message: "\(text)",
        metadata: fields, source: SourcePlace(fileID: "Shop/Till.swift", line: 3))
      if let fault = try fault(record, text, fields) {
        Issue.record("\(fault) of \(fields)")
        return
      }
    }
  }

  @Test(arguments: 1...4)
  func `random log records are one line each and are parsed back unchanged`(seed: Int) async throws
  {
    try await check(250, seed: seed)
  }

  @Test(.long, .withoutSanitizer, .serialized, arguments: 11...20)
  func `ten thousand random log records are one line each and are parsed back unchanged`(seed: Int)
    async throws
  {
    try await check(TestRun.rounds(1_000, full: 10_000), seed: seed)
  }
}
