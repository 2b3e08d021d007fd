// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Ambient

@Suite struct `Named message values` {
  private enum Payment: String, AmbientValueConvertible { case card }

  private func record(_ message: LogMessage, _ metadata: AmbientFields = [:]) -> LogRecord {
    LogRecord(
      date: Date(timeIntervalSinceReferenceDate: 0), level: .info, message: message,
      metadata: metadata, source: SourcePlace(fileID: "Shop/Till.swift", line: 3))
  }

  @Test func `a named value in a log message appears in the text and as a typed field`() {
    let none: Int? = nil
    let date = Date(timeIntervalSinceReferenceDate: 0)
    let one = record(
      """
      \(42, name: "order") \("ada l", name: "user") \(19.9, name: "total") \(true, name: "gift") \
      \(date, name: "at") \(none, name: "none") \(UInt64.max, name: "big") \(Payment.card, name: "by") \
      \([1, 2], name: "list")
      """)
    #expect(
      one.message.description == """
        42 ada l 19.9 true 2001-01-01T00:00:00.000Z nil 18446744073709551615 card [1,2]
        """)
    #expect(
      one.metadata.map(\.name) == ["order", "user", "total", "gift", "at", "big", "by", "list"])
    #expect(
      one.metadata.map(\.value) == [
        42, "ada l", 19.9, true, .date(date), .unsigned(.max), "card", .array([1, 2]),
      ])
  }

  @Test func `a named value in a log message keeps its full precision as a field`() {
    let one = record("\(19.987, format: .fixed(1), name: "total")")
    #expect(one.message.description == "20.0")
    #expect(one.metadata == ["total": 19.987])
  }

  @Test func `a private named value in a log message is hidden in the text and in the fields`() {
    let card = "4111111111111111"
    let one = record(
      """
      \(card, name: "card", privacy: .private) \(card, name: "again", privacy: .sensitive(.hash)) \
      \(42, name: "number", privacy: .private) \(0.5, format: .fixed(2), name: "rate", privacy: .private)
      """)
    let mark = LogMessage("\(card, privacy: .sensitive(.hash))").description
    #expect(one.message.description == "<private> \(mark) <private> <private>")
    #expect(one.metadata["card"] == "<private>" && one.metadata["again"] == .string(mark))
    #expect(one.metadata["number"] == "<private>" && one.metadata["rate"] == "<private>")
    for layout in LogFormat.Layout.allCases {
      #expect(!LogFormat(layout).line(one).contains("4111"))
    }
  }

  @Test func `a named value in a log message overrides scope metadata but not the call's fields`() {
    let recorder = LogRecorder()
    Log.withInstance(recorder) {
      Log.metadataProvider = { ["provided": 1, "order": 3] }
      Log.withMetadata(["order": 1, "scope": 2]) {
        Log.info("\(7, name: "order") \(8, name: "total")", ["total": 9, "more": true])
      }
    }
    let fields = recorder.records[0].metadata
    #expect(fields == ["scope": 2, "provided": 1, "order": 7, "total": 9, "more": true])
    #expect(recorder.messages == ["7 8"])
  }

  @Test func `if a log message has several values with one name, the field has the last value`() {
    let one = record("\(1, name: "a") \(2, name: "b") \("x", name: "a")")
    #expect(one.metadata.map(\.name) == ["a", "b"] && one.metadata.map(\.value) == ["x", 2])
    let long = record(
      "\(1, name: "a") \(2, name: "b") \(3, name: "c") \("longer", name: "b") \("", name: "a")")
    #expect(long.metadata.map(\.name) == ["a", "b", "c"])
    #expect(long.metadata.map(\.value) == ["", "longer", 3])
    let call = record("\(1, name: "a") \(2, name: "b")", ["c": 3, "a": 4])
    #expect(call.metadata.map(\.name) == ["b", "c", "a"])
    let names: [StaticString] = [
      "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p",
    ]
    var parts = LogInterpolation(literalCapacity: 0, interpolationCount: 0)
    for index in 0..<800 { parts.appendInterpolation(index, name: names[index % 16]) }
    let many = record(LogMessage(stringInterpolation: parts))
    #expect(many.metadata.count == 16 && many.metadata["d"] == 787)
  }

  @Test func `named values appear as fields in each log format, even in long messages`() {
    let text = String(repeating: "long ", count: 1_000)
    let short = record("order \("A 1", name: "order") for \(19.5, name: "total")")
    let long = record("\(7, name: "order") \(text) \(Double.infinity, name: "total") \(text)")
    #expect(LogFormat.text.line(short).hasSuffix("order A 1 for 19.5 order=\"A 1\" total=19.5\n"))
    #expect(LogFormat.text.line(long).hasSuffix(" order=7 total=inf\n"))
    #expect(LogFormat.logfmt.line(short).hasSuffix(" order=\"A 1\" total=19.5\n"))
    #expect(
      LogFormat.json.line(short).hasSuffix(#""metadata":{"order":"A 1","total":19.5}}"# + "\n"))
    #expect(
      LogFormat.json.line(long).hasSuffix(#""metadata":{"order":7,"total":"inf"}}"# + "\n"))
  }

  @Test func `a log message that is logged twice has its named values both times`() {
    let recorder = LogRecorder()
    let message: LogMessage = "order \(7, name: "order")"
    Log.withInstance(recorder) {
      Log.info(message)
      Log.info(message, ["more": 1])
      Log.info("another \(8, name: "order")")
    }
    #expect(
      recorder.records.map(\.metadata) == [["order": 7], ["order": 7, "more": 1], ["order": 8]])
  }

  @Test func `a record made from another record's message doesn't get the message's named values`()
  {
    let recorder = LogRecorder()
    Log.withInstance(recorder) {
      Log.info("card \(4111, name: "card")")
      Log.info("card \(4111, name: "card")", ["more": 1])
      Log.info("card \(Date(timeIntervalSince1970: 0), name: "card")")
    }
    for one in recorder.records {
      var fields = one.metadata
      fields["card"] = nil
      let changed = record(one.message, fields)
      #expect(changed.metadata == fields && changed.message == one.message)
      #expect(LogFormat.json.line(record(one.message)).hasSuffix("\"\(one.message)\"}\n"))
      #expect(one.metadata["card"] != nil)
    }
  }

  @Test func `interpolating a log message adds that message's named values unless it is private`() {
    let inner: LogMessage = "order \(7, name: "order") at \(0.26, format: .fixed(1), name: "rate")"
    let outer = record("\(1, name: "a"): \(inner), \(2, name: "order")")
    #expect(outer.message.description == "1: order 7 at 0.3, 2")
    #expect(outer.metadata.map(\.name) == ["a", "order", "rate"])
    #expect(outer.metadata.map(\.value) == [1, 2, 0.26])
    let hidden = record("\(inner, privacy: .private)")
    #expect(hidden.message.description == "<private>" && hidden.metadata.isEmpty)
  }

  @Test func `a named value in a log message can have a format, and can be a Float or nil`() {
    let (none, some): (Double?, Double?) = (nil, 1.25)
    let short: Float? = 0.1
    let one = record(
      """
      \(none, format: .fixed(1), name: "none") \(some, format: .fixed(1), name: "some") \
      \(Float(0.1), format: .fixed(2), name: "float") \(short, format: .fixed(2), name: "short") \
      \(none, format: .fixed(1)) \(some, format: .fixed(1)) \(short, format: .fixed(3))
      """)
    #expect(one.message.description == "nil 1.2 0.10 0.10 nil 1.2 0.100")
    #expect(one.metadata == ["some": 1.25, "float": 0.1, "short": 0.1])
  }

  /// In a process of its own: a look for the bytes of a scalar traps.
  @Test func `the name of a named log value can be a StaticString of a single Unicode scalar`()
    async
  {
    await #expect(processExitsWith: .success) {
      let literal: StaticString = scalar()
      #expect(!literal.hasPointerRepresentation)
      var parts = LogInterpolation(literalCapacity: 0, interpolationCount: 0)
      parts.appendLiteral(literal)
      parts.appendInterpolation(1, name: literal)
      parts.appendInterpolation(2, name: "b")
      parts.appendInterpolation([3], name: literal)
      let record = LogRecord(
        date: Date(timeIntervalSinceReferenceDate: 0), level: .info,
        message: LogMessage(stringInterpolation: parts), metadata: [:],
        source: SourcePlace(fileID: "Shop/Till.swift", line: 3))
      #expect(record.message.description == "é12[3]")
      #expect(record.metadata == ["é": [3], "b": 2])
      #expect(LogMessage(stringLiteral: literal).description == "é")
    }
  }

  @Test func `named signed and unsigned integers in a log message are written correctly`() {
    let one = record(
      """
      \(0, name: "a") \(AmbientValue.unsigned(7), name: "b") \(AmbientValue.integer(-7), name: "c") \
      \(AmbientValue.unsigned(0), name: "d")
      """)
    #expect(one.message.description == "0 7 -7 0")
    #expect(one.metadata.map(\.value) == [0, 7, -7, 0])
    #expect(LogFormat.json.line(one).hasSuffix(#"{"a":0,"b":7,"c":-7,"d":0}}"# + "\n"))
  }

  @Test func `two log messages with the same text are equal even if only one has named values`() {
    #expect(LogMessage("order \(1, name: "order")") == "order 1")
    #expect(record("order \(1, name: "order")") != record("order 1"))
    #expect(record("order \(1, name: "order")") == record("order 1", ["order": UInt(1)]))
  }
}

/// Of a type of which only the protocol is known, the compiler makes the literal from a scalar.
private func scalar<Literal: ExpressibleByUnicodeScalarLiteral>() -> Literal { "é" }
