// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Ambient

/// A list of names and values, as slow and plain as it can be.
private struct Model {
  private(set) var fields: [(name: String, value: AmbientValue)] = []

  /// A name that comes again keeps its place.
  mutating func put(_ name: String, _ value: AmbientValue) {
    if let place = fields.firstIndex(where: { Array($0.name.utf8) == Array(name.utf8) }) {
      fields[place].value = value
    } else {
      fields.append((name, value))
    }
  }

  /// What is left of a literal: nothing that is null, and no group without fields.
  mutating func dropAbsent() {
    fields.removeAll { field in
      if case .fields(let inner) = field.value { return inner.isEmpty }
      return field.value == .null
    }
  }

  /// Inner fields after the outer ones whose names they do not have.
  mutating func put(over inner: Model) {
    fields.removeAll { outer in
      inner.fields.contains { Array($0.name.utf8) == Array(outer.name.utf8) }
    }
    fields += inner.fields
  }
}

@Suite struct `Merged log fields` {
  private static let names: [StaticString] = [
    "a", "b", "ab", "ba", "order", "user name", "caf\u{E9}", "cafe\u{301}", "level", "q", "",
    "channel", "link", "quota", "region",
  ]
  private static let texts = [
    "", "ada", "a b", "1", "nan", "[1]", "long text that has spaces in it", "\n", "\"",
    String(repeating: "q", count: 700),
  ]

  private struct Maker {
    var numbers: SeededNumbers

    mutating func value(_ depth: Int = 0) -> AmbientValue {
      switch Int.random(in: 0..<(depth < 3 ? 9 : 7), using: &numbers) {
      case 0: return .boolean(Bool.random(using: &numbers))
      case 1: return .integer(Int64(truncatingIfNeeded: numbers.next() >> (numbers.next() & 63)))
      case 2: return .unsigned(numbers.next())
      case 3: return .double(Double(Int.random(in: -999...999, using: &numbers)) / 8)
      case 4: return .null
      case 5: return .date(Date(timeIntervalSinceReferenceDate: Double(numbers.next() >> 40)))
      case 6: return .string(texts.randomElement(using: &numbers) ?? "")
      case 7:
        return .array((0..<Int.random(in: 0...3, using: &numbers)).map { _ in value(depth + 1) })
      default: return .fields(literal(depth + 1).fields)
      }
    }

    /// Fields made as a literal makes them, and what the model says of them.
    mutating func literal(_ depth: Int = 0) -> (fields: AmbientFields, model: Model) {
      var model = Model()
      var elements: [(String, (any AmbientValueConvertible)?)] = []
      for _ in 0..<Int.random(in: 0...6, using: &numbers) {
        let name = "\(names.randomElement(using: &numbers) ?? "")"
        let isNil = Int.random(in: 0..<8, using: &numbers) == 0
        let value = isNil ? .null : value(depth)
        elements.append((name, isNil ? nil : value))
        model.put(name, value)
      }
      model.dropAbsent()
      return (AmbientFields(literal: elements), model)
    }

    /// A message with names, and what the model says of them.
    mutating func message() -> (message: LogMessage, model: Model) {
      var model = Model()
      var parts = LogInterpolation(literalCapacity: 0, interpolationCount: 0)
      for _ in 0..<Int.random(in: 0...11, using: &numbers) {
        let name = names.randomElement(using: &numbers) ?? ""
        let value = value(2)
        parts.appendLiteral(" and ")
        switch value {
        case .integer(let value): parts.appendInterpolation(Int(value), name: name)
        case .string(let value): parts.appendInterpolation(value, name: name)
        case .double(let value):
          parts.appendInterpolation(value, format: .fixed(1), name: name)
        default: parts.appendInterpolation(value, name: name)
        }
        if case .null = value { continue }
        if case .fields(let fields) = value, fields.isEmpty { continue }
        model.put("\(name)", value)
      }
      return (LogMessage(stringInterpolation: parts), model)
    }

    private let names = `Merged log fields`.names
    private let texts = `Merged log fields`.texts

    init(seed: Int) { numbers = SeededNumbers(seed) }
  }

  /// What a record lacks beside the model; nil if they are the same.
  private func fault(_ record: LogRecord, _ model: Model) -> String? {
    let found = record.metadata.map { (Array($0.name.utf8), $0.value) }
    let expected = model.fields.map { (Array($0.name.utf8), $0.value) }
    guard found.elementsEqual(expected, by: { $0.0 == $1.0 && $0.1 == $1.1 }) else {
      return "\(record.metadata)"
    }
    let plain = LogRecord(
      date: record.date, level: record.level, message: record.message,
      metadata: record.metadata, source: record.source)
    for layout in LogFormat.Layout.allCases {
      let (line, other) = (LogFormat(layout).line(record), LogFormat(layout).line(plain))
      if line != other { return "\(line)\(other)" }
    }
    return nil
  }

  @Test(arguments: 1...4)
  func `random log records merge their fields in the same way as a simple reference model`(
    seed: Int
  ) async {
    var maker = Maker(seed: seed)
    for number in 0..<300 {
      if number.isMultiple(of: 20) { await Task.yield() }
      let (scope, provided, call, message) = (
        maker.literal(), maker.literal(), maker.literal(), maker.message()
      )
      let recorder = LogRecorder()
      var model = Model()
      Log.withInstance(recorder) {
        if number.isMultiple(of: 2) {
          Log.metadataProvider = { provided.fields }
          Log.withMetadata(scope.fields) { Log.info(message.message, call.fields) }
          model = scope.model
          model.put(over: provided.model)
        } else {
          Log.info(message.message, call.fields)
        }
      }
      model.put(over: message.model)
      model.put(over: call.model)
      if let fault = fault(recorder.records[0], model) {
        Issue.record("\(number): \(fault) instead of \(model.fields)")
        return
      }
    }
  }
}
