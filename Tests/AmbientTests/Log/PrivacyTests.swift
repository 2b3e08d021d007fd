// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Ambient

@Suite struct `Private values` {
  private let card = "4111111111111111"

  private func text(_ message: LogMessage) -> String { message.description }

  @Test func `equal sensitive fields are redacted to equal hashes, regardless of their order`() {
    let fields: AmbientFields = ["a": 1, "b": ["x": 1, "y": 2] as AmbientFields]
    let others: AmbientFields = ["b": ["y": 2, "x": 1] as AmbientFields, "a": 1]
    #expect(AmbientValue.sensitive(fields) == .sensitive(others))
    #expect(AmbientValue.sensitive([fields]) == .sensitive([others]))
    #expect(AmbientValue.sensitive(fields) != .sensitive(fields.merging(["a": 2])))
  }

  @Test
  func `sensitive numbers are redacted to equal hashes only if the numbers are equal`() {
    let number = AmbientValue.sensitive([AmbientValue.unsigned(7)])
    #expect(number == .sensitive([AmbientValue.integer(7)]))
    let fields = AmbientValue.sensitive(["a": AmbientValue.unsigned(7)])
    #expect(fields == .sensitive(["a": AmbientValue.integer(7)]) && fields != number)
    #expect(AmbientValue.sensitive(0.0) == .sensitive(-0.0))
    #expect(AmbientValue.sensitive(["a": [0.0]]) == .sensitive(["a": [-0.0]]))
    let numbers = [0.0, 1, -1, 0.5].map { AmbientValue.sensitive($0) }
    #expect(Set(numbers).count == 4)
    for mark in numbers + [number, fields, .sensitive("")] {
      #expect(mark.description.wholeMatch(of: /<hash:[0-9a-f]{12}>/) != nil, "\(mark)")
    }
  }

  @Test(arguments: [64, 65])
  func `the redaction hash of a sensitive value ignores differences deeper than 64 levels`(
    levels: Int
  ) {
    let marks = [1, 2].map { number in
      AmbientValue.sensitive(
        (0..<levels).reduce(.integer(number)) { inner, _ in AmbientValue.array([inner]) })
    }
    #expect((marks[0] == marks[1]) == (levels > 64))
  }

  @Test func `a private value in a log message is replaced by a placeholder`() {
    #expect(text("card \(card, privacy: .private).") == "card <private>.")
    #expect(text("\(42, privacy: .private) \(0.5, privacy: .private)") == "<private> <private>")
    #expect(
      text("\(Date(), privacy: .private) \(true, privacy: .private)") == "<private> <private>")
    #expect(
      text("\([1], privacy: .private) \(utf8: [1], privacy: .private)") == "<private> <private>")
    #expect(text("\(nil as Int?, privacy: .private)") == "<private>")
    #expect(text("\(card, privacy: .public)") == card)
  }

  @Test func `equal sensitive values are redacted to equal hashes`() throws {
    let mark = text("\(card, privacy: .sensitive(.hash))")
    #expect(mark.wholeMatch(of: /<hash:[0-9a-f]{12}>/) != nil)
    #expect(mark == text("\(String(card.reversed().reversed()), privacy: .sensitive(.hash))"))
    #expect(mark != text("\(card + "1", privacy: .sensitive(.hash))"))
    let long = String(repeating: card, count: 100)
    #expect(
      text("\(long, privacy: .sensitive(.hash))") == text("\(long, privacy: .sensitive(.hash))"))
    let fields: AmbientFields = ["card": .sensitive(card), "number": .sensitive(42)]
    #expect(fields["card"] == .string(mark))
    let date = Date(timeIntervalSinceReferenceDate: 0)
    let dated: AmbientFields = ["date": .sensitive(date)]
    #expect(dated["date"] == .string(text("\(date, privacy: .sensitive(.hash))")))
    #expect(fields["number"] == .string(text("\(42, privacy: .sensitive(.hash))")))
  }

  /// Checks that the value has one mark, with a name and without, and among the fields.
  private func checkMarks(of value: some AmbientValueConvertible) {
    let record = LogRecord(
      date: Date(), level: .info,
      message:
        "\(value, name: "named", privacy: .sensitive(.hash)) \(value, privacy: .sensitive(.hash))",
      metadata: ["field": .sensitive(value)], source: SourcePlace(fileID: "a", line: 1))
    let marks = record.message.description.split(separator: " ")
      .map { AmbientValue.string(String($0)) }
    #expect(record.metadata.map(\.value) + marks == Array(repeating: marks[0], count: 4))
    #expect(record.message.description.hasPrefix("<hash:"))
  }

  @Test
  func `a sensitive value has the same hash in text and fields, in any number format`() {
    checkMarks(of: [1, 2])
    checkMarks(of: Duration.milliseconds(1_500))
    checkMarks(of: Double.infinity)
    checkMarks(of: Float(0.1))
    checkMarks(of: AmbientValue.null)
    checkMarks(of: ["b": 1, "a": 2])
    checkMarks(of: Optional<Int>.none)
    checkMarks(of: true)
    checkMarks(of: URL(filePath: "/a"))
    let mark = text("\(19.987, privacy: .sensitive(.hash))")
    #expect(mark == text("\(19.987, format: .fixed(1), privacy: .sensitive(.hash))"))
    #expect(
      mark == text("\(19.987, format: .fixed(1), name: "a", privacy: .sensitive(.hash))"))
    for format in [LogFloatFormat.shortest, .fixed(1)] {
      #expect(text("\(Float(0.1), format: format, privacy: .private)") == "<private>")
      #expect(text("\(0.1, format: format, privacy: .private)") == "<private>")
    }
    #expect(
      text("\(-0.0, privacy: .sensitive(.hash))") == text("\(0.0, privacy: .sensitive(.hash))"))
    #expect(
      text("\(-7, privacy: .sensitive(.hash))")
        == (["a": .sensitive(-7)] as AmbientFields)["a"]?.description)
  }

  @Test func `a private optional does not reveal whether it is nil`() {
    let (none, some): (Int?, Int?) = (nil, 7)
    for value in [none, some] {
      let record = LogRecord(
        date: Date(), level: .info,
        message: "\(value, name: "p", privacy: .private) \(value, privacy: .private)",
        metadata: ["q": .private(value)], source: SourcePlace(fileID: "a", line: 1))
      #expect(record.message.description == "<private> <private>")
      #expect(record.metadata == ["p": "<private>", "q": "<private>"])
    }
  }

  @Test func `a private value in log metadata is replaced by a placeholder`() {
    let fields: AmbientFields = [
      "card": .private(card), "order": 42, "nested": ["pin": .private(1234)] as AmbientFields,
    ]
    #expect(fields["card"] == "<private>")
    #expect(fields["nested"] == .fields(["pin": "<private>"]))
    #expect(fields["order"] == 42)
  }

  @Test(arguments: LogFormat.Layout.allCases)
  func `a private value never reaches a log line`(layout: LogFormat.Layout) {
    let record = LogRecord(
      date: Date(timeIntervalSinceReferenceDate: 0), level: .info,
      message: "card \(card, privacy: .private) \(card, privacy: .sensitive(.hash))",
      metadata: ["card": .private(card), "again": .sensitive(card)],
      source: SourcePlace(fileID: "Shop/Till.swift", function: "pay()", line: 3))
    let line = LogFormat(layout).line(record)
    #expect(!line.contains("4111"))
    #expect(line.contains("<private>") && line.contains("<hash:"))
  }

  @Test func `setting LOG_PRIVATE to show reveals private values`() async throws {
    let result = try await #require(
      processExitsWith: .success, observing: [\.standardOutputContent]
    ) {
      setenv("LOG_PRIVATE", "show", 1)
      Log.instance = StdoutLog()
      let card = "4111111111111111"
      Log.info(
        "\(card, privacy: .private) \(card, privacy: .sensitive(.hash))",
        ["card": .private(card), "again": .sensitive(card)])
      AmbientPrivacy.isRevealing = false
      Log.info("\(card, privacy: .private)")
    }
    let card = "4111111111111111"
    let output = String(decoding: result.standardOutputContent, as: UTF8.self)
    #expect(
      output.contains(
        "info     \(card) \(card) card=\"\(card)\" again=\"\(card)\"\n"), "\(output)")
    #expect(output.contains("info     <private>\n"), "\(output)")
  }

  @Test func `a redacted log record hides private values even if they are shown on this machine`()
    async
  {
    await #expect(processExitsWith: .success) {
      AmbientPrivacy.isRevealing = true
      let card = "4111111111111111"
      func redacted(_ message: LogMessage, _ metadata: AmbientFields = [:]) -> LogRecord {
        LogRecord(
          date: Date(), level: .info, message: message, metadata: metadata,
          source: SourcePlace(fileID: "a", line: 1)
        ).redacted
      }
      precondition(redacted("card \(card, privacy: .private)").message == "<private>")
      let inner: LogMessage = "\(card, privacy: .sensitive(.hash))"
      precondition(redacted("paid: \(inner)").message == "<private>")
      precondition(redacted("plain", ["card": .private(card)]).message == "plain")
      let named = redacted(
        """
        \(card, name: "card", privacy: .private) \(7, name: "pin", privacy: .private) \
        \(1.5, format: .fixed(1), name: "limit", privacy: .private) \("ada", name: "who")
        """, ["again": .private(card), "order": 1])
      precondition(named.message == "<private>")
      precondition(
        named.metadata == [
          "card": "<private>", "pin": "<private>", "limit": "<private>", "who": "ada",
          "again": "<private>", "order": 1,
        ])
      precondition(redacted("\(card, name: "card")").metadata == ["card": card])
    }
  }
}
