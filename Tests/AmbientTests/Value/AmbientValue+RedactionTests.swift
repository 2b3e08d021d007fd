// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Ambient

/// Everything by which a record can be read, but its raw memory.
private func texts(of record: LogRecord) -> [String] {
  var dumped = ""
  dump(record, to: &dumped)
  var mirrored: [String] = []
  collect(Mirror(reflecting: record), into: &mirrored, levels: 8)
  return LogFormat.Layout.allCases.map { LogFormat($0, showsSource: true).line(record) }
    + [
      record.description, record.message.description, record.metadata.description,
      String(reflecting: record), record.message.withUTF8 { String(decoding: $0, as: UTF8.self) },
      Event("e", record.metadata).json, dumped, mirrored.joined(separator: "\n"),
    ] + record.metadata.flatMap { ["\($0)", "\($0.value)", "\([$0.value])"] }
}

private func collect(_ mirror: Mirror, into texts: inout [String], levels: Int) {
  guard levels > 0 else { return }
  for child in mirror.children {
    texts.append(String(reflecting: child.value))
    if let bytes = child.value as? [UInt8] { texts.append(String(decoding: bytes, as: UTF8.self)) }
    collect(Mirror(reflecting: child.value), into: &texts, levels: levels - 1)
  }
}

/// What of the record can be read though it is private.
private func leaks(of record: LogRecord) -> [String] {
  texts(of: record).filter { text in PrivateForms.readable.contains { text.contains($0) } }
}

/// Has texts of its own, by either protocol, or none.
private struct Named: CustomStringConvertible {
  let card = PrivateForms.Card(PrivateForms.secret)
  var description: String { "named" }
}

private struct Streamed: TextOutputStreamable {
  let card = PrivateForms.Card(PrivateForms.secret)
  func write(to target: inout some TextOutputStream) { target.write("streamed") }
}

private final class Holder {
  let card = PrivateForms.Card(PrivateForms.secret)
}

@Suite struct `Described lists` {
  private func describe(_ value: Any) -> AmbientValue { AmbientValue(describing: value) }

  private func nested(_ levels: Int, _ value: Any) -> Any {
    (0..<levels).reduce(value) { inner, _ in [inner] as [Any] }
  }

  @Test func `an array described as an AmbientValue redacts the private values inside`() {
    let fields: AmbientFields = ["a": .private("x"), "b": 2]
    #expect(describe([AmbientValue.integer(1), 2] as [Any]) == "[1, 2]")
    #expect(describe([AmbientValue.private("x"), 2] as [Any]) == "[<private>, 2]")
    #expect(describe([fields, 2] as [Any]) == "[a=<private> b=2, 2]")
  }

  @Test func `an array described as an AmbientValue hides structs that have no description`() {
    #expect(describe([Named()]) == "[named]" && describe([Streamed()]) == "[streamed]")
    #expect(describe([Holder()]) != "<private>")
    #expect(describe([PrivateForms.Card("x")] as [Any]) == "<private>")
  }

  @Test func `an array described as an AmbientValue is hidden if nested deeper than 16 levels`() {
    let shown = String(repeating: "[", count: 16) + "1" + String(repeating: "]", count: 16)
    #expect(describe(nested(16, 1)) == .string(shown))
    #expect(describe(nested(17, 1)) == "<private>")
    for levels in [1, 16, 17, 40] {
      #expect(describe(nested(levels, PrivateForms.Card("x"))) == "<private>")
    }
  }
}

@Suite struct `Redaction of private values` {
  @Test func `a private value isn't readable in any form of a log record`() {
    for form in PrivateForms.all {
      #expect(leaks(of: form.record) == [], "\(form.name)")
    }
  }

  @Test func `if private values are shown on this machine, a redacted log record still hides them`()
    async throws
  {
    let result = try await #require(
      processExitsWith: .success, observing: [\.standardOutputContent]
    ) {
      AmbientPrivacy.isRevealing = true
      for form in PrivateForms.all {
        if !leaks(of: form.record.redacted).isEmpty { print("leaks: \(form.name)") }
      }
      print("forms: \(PrivateForms.all.count)")
    }
    let output = String(decoding: result.standardOutputContent, as: UTF8.self)
    #expect(!output.contains("leaks"), "\(output)")
    #expect(output.contains("forms: \(PrivateForms.all.count)"), "\(output)")
  }

  @Test func `a private value shown on this machine appears in log lines, not in descriptions`()
    async throws
  {
    let result = try await #require(
      processExitsWith: .success, observing: [\.standardOutputContent]
    ) {
      AmbientPrivacy.isRevealing = true
      for form in PrivateForms.all {
        let isShown = LogFormat.Layout.allCases.allSatisfy { layout in
          let line = LogFormat(layout).line(form.record)
          return PrivateForms.readable.contains { line.contains($0) }
        }
        if !isShown { print("hidden: \(form.name)") }
        let record = form.record
        for text in ["\(record)", "\(record.message)", "\(record.metadata)"] {
          if PrivateForms.readable.contains(where: text.contains) { print("told: \(form.name)") }
        }
      }
    }
    let output = String(decoding: result.standardOutputContent, as: UTF8.self)
    #expect(!output.contains("told"), "\(output)")
    // What became a text by Swift's descriptions shows marks.
    let hidden = output.split(separator: "\n").map { String($0.dropFirst("hidden: ".count)) }
    #expect(
      hidden == [
        "a list of messages", "a message as text", "a record", "an event", "a tuple",
        "a value as text", "an error that holds one",
        "a type whose own value lacks the private part",
        "an optional type whose own value lacks the private part",
        "a list of a type whose own value lacks the private part",
        "an error whose own value lacks the private part",
        "an error's value",
        "an error's associated value", "an error's description", "a localized error",
        "an error's message", "an error's cause", "an error in a message", "a described error",
      ])
  }

  @Test func `a randomly nested private value isn't readable in a log record`() {
    var numbers = SeededNumbers(23)
    for _ in 0..<TestRun.rounds(500, all: 3_000, full: 10_000) {
      let record = PrivateForms.nested(&numbers)
      if let leak = leaks(of: record).first {
        Issue.record("\(leak)")
        return
      }
    }
  }

  @Test func `a private nil has no field, even if private values are shown on this machine`() {
    let nothing = AmbientValue.revealed(.null, .private)
    let none = AmbientValue.revealed(.fields([:]), .sensitive(.hash))
    for value in [nothing, none, .revealed(nothing, .private)] {
      let literal: AmbientFields = ["a": value, "b": 1]
      var fields: AmbientFields = ["a": 1, "b": 1]
      fields["a"] = value
      #expect(literal.map(\.name) == ["b"] && fields.map(\.name) == ["b"])
      #expect(AmbientFields(["a": value]).isEmpty)
    }
    let shown: AmbientFields = ["a": AmbientValue.revealed(1, .private)]
    #expect(shown.map(\.name) == ["a"])
  }

  @Test(arguments: 0..<3)
  func `the first private value of a process is redacted, however its fields are created`(kind: Int)
    async
  {
    await #expect(processExitsWith: .success) { [kind] in
      let card = AmbientValue.array([.revealed("4111", .private)])
      var fields = AmbientFields()
      switch kind {
      case 0: fields = AmbientFields(["card": card])
      case 1: fields = ["card": card]
      default: fields["card"] = card
      }
      let event = TrackedEvent(Event("paid", fields), id: UUID(), date: .now).redacted.event
      precondition(event.properties["card"] == .array([.string("<private>")]))
    }
  }

  @Test func `a randomly nested private value isn't readable in a redacted log record`() async {
    await #expect(processExitsWith: .success) {
      AmbientPrivacy.isRevealing = true
      var numbers = SeededNumbers(23)
      for _ in 0..<TestRun.rounds(500, all: 3_000, full: 10_000) {
        let record = PrivateForms.nested(&numbers)
        if let leak = leaks(of: record.redacted).first { fatalError(leak) }
      }
    }
  }
}
