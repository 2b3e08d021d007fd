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

@Suite struct `A private value` {
  @Test func `is nowhere to be read, in whatever way it enters a record`() {
    for form in PrivateForms.all {
      #expect(leaks(of: form.record) == [], "\(form.name)")
    }
  }

  @Test func `is nowhere to be read after redaction, though this machine shows it`() async throws {
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

  @Test func `is shown in lines alone where this machine shows it, in most ways`() async throws {
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
        "a value as text", "an error that holds one", "an error's value",
        "an error's associated value", "an error's description", "a localized error",
        "an error's message", "an error's cause", "an error in a message", "a described error",
      ])
  }

  @Test func `nested at random is nowhere to be read`() {
    var numbers = SeededNumbers(23)
    for _ in 0..<Thorough.nestings {
      let record = PrivateForms.nested(&numbers)
      if let leak = leaks(of: record).first {
        Issue.record("\(leak)")
        return
      }
    }
  }

  @Test func `that is nil leaves its field out where this machine shows it`() {
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
  func `that is the first of a process is redacted in fields of each kind`(kind: Int) async {
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

  @Test func `nested at random is nowhere to be read after redaction`() async {
    await #expect(processExitsWith: .success) {
      AmbientPrivacy.isRevealing = true
      var numbers = SeededNumbers(23)
      for _ in 0..<Thorough.nestings {
        let record = PrivateForms.nested(&numbers)
        if let leak = leaks(of: record.redacted).first { fatalError(leak) }
      }
    }
  }
}
