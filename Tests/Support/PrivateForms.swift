// SPDX-License-Identifier: Apache-2.0

package import Ambient
internal import Foundation

/// The ways in which a private value can enter a record: each way alone, and nested at random.
package enum PrivateForms {
  /// A part of every private text, so that a test can search the output for any of them.
  package static let secret = "s3cr3t"

  /// One way: its name, and a record that contains a private value in that way.
  package struct Form: Sendable {
    package let name: String
    package let record: LogRecord
  }

  /// A type whose `ambientValue` is private, without a mark at the place of use.
  package struct Card: AmbientValueConvertible, Codable, Hashable, Sendable {
    let number: String

    package init(_ number: String) { self.number = number }

    package var ambientValue: AmbientValue { .private(number) }
  }

  private struct Order: Codable, Sendable {
    var id = 7
    var card: Card
    var cards: [Card]
  }

  private struct Holding: Error {
    let value: AmbientValue
  }

  private struct Parcel {
    let order: [Order]
  }

  private enum Declined: Error {
    case card(Card)
  }

  private enum Refused: Error {
    case card(AmbientValue)
    case by(any Error)
  }

  private struct Described: Error, CustomStringConvertible {
    let value: AmbientValue
    var description: String { "refused \(value)" }
  }

  private struct Localized: LocalizedError {
    let fields: AmbientFields
    var errorDescription: String? { "refused \(fields)" }
  }

  private struct Private: Error, AmbientValueConvertible {
    let number: String
    var ambientValue: AmbientValue { .fields(["number": .private(number)]) }
  }

  /// An error whose own value leaves the private part out. Swift's description shows that part.
  private struct Summarized: Error, AmbientValueConvertible {
    let card: Card
    var ambientValue: AmbientValue { "declined" }
  }

  private struct Quoting: Error {
    let message: LogMessage
  }

  /// A record with that message and metadata.
  package static func record(_ message: LogMessage, _ metadata: AmbientFields = [:]) -> LogRecord {
    LogRecord(
      date: Date(timeIntervalSince1970: 1_800_000_000), level: .info, message: message,
      metadata: metadata, source: SourcePlace(fileID: "Shop/Till.swift", function: "pay()", line: 3)
    )
  }

  /// All ways, each once.
  package static var all: [Form] {
    let text = secret
    let hidden = AmbientValue.private(text)
    let hashed = AmbientValue.sensitive(text)
    let card = Card(text)
    let some: Card? = card
    let fields: AmbientFields = [
      "a": .private(text), "b": ["c": .sensitive(text)] as AmbientFields,
    ]
    let inner: LogMessage = "inner \(text, privacy: .private)"
    let named: LogMessage = "inner \(hidden, name: "inner")"
    let optional: LogMessage? = named
    let date = Date(timeIntervalSince1970: 1_234_567_890)
    let messages: String = "\(inner) \(named)"
    let values: String = "\(hidden) \(fields) \([hidden])"
    var forms: [Form] = []
    func add(_ name: String, _ message: LogMessage, _ metadata: AmbientFields = [:]) {
      forms.append(Form(name: name, record: record(message, metadata)))
    }
    add("a text", "\(text, privacy: .private)")
    add("a hashed text", "\(text, privacy: .sensitive(.hash))")
    add("a marked value", "\(hidden)")
    add("a hashed value", "\(hashed)")
    add("a whole number", "\(987_654_321, privacy: .private)")
    add("a rounded number", "\(987_654_321.25, format: .fixed(2), privacy: .private)")
    add("an optional", "\(text as String?, privacy: .private)")
    add("bytes", "\(utf8: Array(text.utf8), privacy: .private)")
    add("a list", "\([text], privacy: .private)")
    add("a type that is private", "\(card)")
    add("an optional type that is private", "\(some)")
    add("a list of such a type", "\([card])")
    add("a dictionary of such a type", "\(["card": card])")
    add("a list of marked values", "\([hidden])")
    add("a dictionary of marked values", "\(["a": hidden])")
    add("fields", "\(fields)")
    add("a group", "\(AmbientValue.fields(fields))")
    add("the scope's metadata", Log.withMetadata(fields) { "\(Log.metadata)" })
    add("a message", "outer \(inner)")
    add("a message with a named value", "outer \(named)")
    add("a message that is private", "outer \("inner \(text)" as LogMessage, privacy: .private)")
    add("an optional message", "outer \(optional)")
    add("a list of messages", "outer \([named])")
    add("a message as text", LogMessage(messages))
    add("a record", "outer \(record(inner, fields))")
    add("an event", "outer \(Event("a", fields, user: AnalyticsUser("u", fields)))")
    add("a tuple", "\((1, hidden))")
    add("a tuple of a type that is private", "\((1, card))")
    add("a list of any that holds such a type", "\([1, card] as [Any])")
    add("a set of such a type", "\(Set([card]))")
    add("a type that holds such a type", "\(Parcel(order: [Order(card: card, cards: [])]))")
    add(
      "a description of such a holder", "\(AmbientValue(describing: Order(card: card, cards: [])))")
    add("an error that holds such a type", "\(Declined.card(card))")
    add("an error's fields", "failed", AmbientFields(Declined.card(card)))
    add("a message that is private, with names", "outer \(named, privacy: .private)")
    add(
      "a message that is private, with a name that is not",
      "outer \("inner \(text, name: "n")" as LogMessage, privacy: .private)")
    add("a value as text", LogMessage(values))
    add("a described value", "\(AmbientValue(describing: hidden))")
    add("a description of fields", "\(AmbientValue(describing: [fields]))")
    add("a description of a type", "\(AmbientValue(describing: card))")
    add("an error that holds one", "\(Holding(value: hidden))")
    add("an error that is private", "\(Private(number: text))")
    let summarized: Summarized? = Summarized(card: card)
    add("a type whose own value lacks the private part", "\(Summarized(card: card))")
    add("an optional type whose own value lacks the private part", "\(summarized)")
    add("a list of a type whose own value lacks the private part", "\([Summarized(card: card)])")
    add(
      "an error whose own value lacks the private part", "m",
      AmbientFields(Summarized(card: card)))
    add("a dictionary's values", "\(["card": card].values)")
    add("a named text", "\(text, name: "n", privacy: .private)")
    add("a named value", "\(hidden, name: "n")")
    add("a named hashed value", "\(hashed, name: "n")")
    add("a named value, marked twice", "\(hashed, name: "n", privacy: .private)")
    add("a named type that is private", "\(card, name: "n")")
    add("a named optional", "\(some, name: "n")")
    add("a named list", "\([hidden], name: "n")")
    add("a named dictionary", "\(["a": hidden], name: "n")")
    add("named fields", "\(fields, name: "n")")
    add("named fields, marked", "\(fields, name: "n", privacy: .private)")
    add("a named date", "\(date, name: "n", privacy: .private)")
    add(
      "a named rounded number", "\(987_654_321.25, format: .fixed(1), name: "n", privacy: .private)"
    )
    add("a name that comes again", "\(1, name: "n") \(hidden, name: "n")")
    add("a name that was private", "\(hidden, name: "n") \("shown", name: "n")")
    add(
      "the tenth name",
      """
      \(1, name: "a") \(2, name: "b") \(3, name: "c") \(4, name: "d") \(5, name: "e") \
      \(6, name: "f") \(7, name: "g") \(8, name: "h") \(9, name: "i") \(hidden, name: "j")
      """)
    add("metadata", "m", ["a": .private(text), "b": .sensitive(text)])
    add("metadata of a type that is private", "m", ["a": card, "b": [card], "c": ["d": card]])
    add("metadata in groups and lists", "m", ["a": [fields, fields], "b": fields])
    add("metadata in a dictionary", "m", AmbientFields(["a": hidden]))
    add("metadata beside names", "\(1, name: "a") \(named)", ["b": hidden])
    add("an error's value", "m", ["a": .error(Holding(value: hidden))])
    add("an error's associated value", "m", ["a": .error(Refused.card(hidden))])
    add("an error's description", "m", ["a": .error(Described(value: hidden))])
    add("a localized error", "m", ["a": .error(Localized(fields: fields))])
    add("an error's message", "m", ["a": .error(Quoting(message: inner))])
    add("an error that is private, as a value", "m", ["a": .error(Private(number: text))])
    add("an error's cause", "m", AmbientFields(Refused.by(Holding(value: hidden))))
    add("an error in a message", "\(AmbientFields(Described(value: hidden)))")
    add("a described error", "m", ["a": AmbientValue(describing: Holding(value: hidden))])
    let order = Order(card: card, cards: [card])
    add("an encoded value", "m", (try? AmbientFields(encoding: order)) ?? [:])
    add("merged fields", "m", fields.merging(["c": hidden]))
    var assigned = AmbientFields()
    for field in fields { assigned[field.name] = field.value }
    add("assigned fields", "m", assigned)
    return forms
  }

  /// The texts by which a private value of ``all`` would be recognized in any output format; each is
  /// so long that a hash, which differs in each process, does not contain it by chance.
  package static let readable = [secret, "987654321", "0x3ade68b1", "2009-02-13T23:31:30"]

  /// A record in which private texts are wrapped in several of the ways, nested at random.
  package static func nested(_ numbers: inout some RandomNumberGenerator) -> LogRecord {
    var message: LogMessage = "plain"
    var metadata: AmbientFields = ["plain": 1]
    for place in 0..<Int.random(in: 1...3, using: &numbers) {
      let value = value(depth: Int.random(in: 0...4, using: &numbers), &numbers)
      switch Int.random(in: 0..<9, using: &numbers) {
      case 0: message = "\(message) \(value)"
      case 1: message = "\(message) \(value, name: "named")"
      case 2: message = "\(message) \(value, name: "named", privacy: .private)"
      case 3: message = "\(message) \(value, privacy: .sensitive(.hash))"
      case 4:
        let text: String = "\(message) \(value)"
        message = LogMessage(text)
      case 5: message = "\(message as LogMessage?) \([value]) \(["a": value], name: "listed")"
      case 6: message = "\(message) \(AmbientFields(Holding(value: value)))"
      case 7: metadata = metadata.merging(["f\(place)": value])
      default: metadata["f\(place)"] = value
      }
    }
    return Log.withMetadata(["scope": value(depth: 1, &numbers)]) {
      record(message, Log.metadata.merging(metadata))
    }
  }

  private static func value(
    depth: Int, _ numbers: inout some RandomNumberGenerator
  ) -> AmbientValue {
    let text = "\(secret)-\(numbers.next() & 0xFF)"
    guard depth > 0 else {
      switch Int.random(in: 0..<4, using: &numbers) {
      case 0: return .private(text)
      case 1: return .sensitive(text)
      case 2: return Card(text).ambientValue
      default: return .private(["deep": [text]])
      }
    }
    let inner = value(depth: depth - 1, &numbers)
    switch Int.random(in: 0..<12, using: &numbers) {
    case 0: return .array([inner, 1, .null])
    case 1: return .fields(["inner": inner, "plain": "text"])
    case 2: return AmbientValue(describing: inner)
    case 3: return AmbientValue(describing: [inner] as [Any])
    case 4: return .error(Holding(value: inner))
    case 5: return .error(Refused.by(Described(value: inner)))
    case 6: return .string("\(inner)")
    case 7: return .private(inner)
    case 8: return .sensitive(inner)
    case 9: return AmbientValue(describing: "\(inner) \(inner, name: "n")" as LogMessage)
    case 10: return ["key": Optional(inner)].ambientValue
    default: return AmbientValue(describing: record("\(inner)", ["field": inner]))
    }
  }
}
