import Foundation
import Testing

@testable import Ambient

@Suite struct `A value with a name in a message` {
  private enum Payment: String, AmbientValueConvertible { case card }

  private func record(_ message: LogMessage, _ metadata: AmbientFields = [:]) -> LogRecord {
    LogRecord(
      date: Date(timeIntervalSinceReferenceDate: 0), level: .info, message: message,
      metadata: metadata, source: SourcePlace(fileID: "Shop/Till.swift", line: 3))
  }

  @Test func `stands in the text and, with its type, among the fields`() {
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

  @Test func `has the whole number where the text has a rounded one`() {
    let one = record(
      "\(19.987, format: .fixed(1), name: "total") \(255, format: .hex(), name: "mask")")
    #expect(one.message.description == "20.0 0xff")
    #expect(one.metadata == ["total": 19.987, "mask": 255])
  }

  @Test func `is as private among the fields as in the text`() {
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

  @Test func `gives way to the call's of that name, and wins over a scope's`() {
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

  @Test func `of a name that comes again is the last`() {
    let one = record("\(1, name: "a") \(2, name: "b") \("x", name: "a")")
    #expect(one.metadata == ["b": 2, "a": "x"] && one.metadata.count == 2)
    let names: [StaticString] = [
      "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p",
    ]
    var parts = LogInterpolation(literalCapacity: 0, interpolationCount: 0)
    for index in 0..<800 { parts.appendInterpolation(index, name: names[index % 16]) }
    let many = record(LogMessage(stringInterpolation: parts))
    #expect(many.metadata.count == 16 && many.metadata["d"] == 787)
  }

  @Test func `stands in a line of each format, however long the text around it`() {
    let text = String(repeating: "long ", count: 1_000)
    let short = record("order \("A 1", name: "order") for \(19.5, name: "total")")
    let long = record("\(7, name: "order") \(text) \(Double.infinity, name: "total") \(text)")
    #expect(LogFormat.text.line(short).hasSuffix("order A 1 for 19.5 order=\"A 1\" total=19.5\n"))
    #expect(LogFormat.text.line(long).hasSuffix(#" order=7 total="inf""# + "\n"))
    #expect(LogFormat.logfmt.line(short).hasSuffix(" order=\"A 1\" total=19.5\n"))
    #expect(
      LogFormat.json.line(short).hasSuffix(#""metadata":{"order":"A 1","total":19.5}}"# + "\n"))
    #expect(
      LogFormat.json.line(long).hasSuffix(#""metadata":{"order":7,"total":"inf"}}"# + "\n"))
  }

  @Test func `stays with a message that is logged twice, and with its record`() {
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

  @Test func `leaves messages of the same text equal`() {
    #expect(LogMessage("order \(1, name: "order")") == "order 1")
    #expect(record("order \(1, name: "order")") != record("order 1"))
    #expect(record("order \(1, name: "order")") == record("order 1", ["order": UInt(1)]))
  }
}
