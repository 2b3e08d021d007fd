public import Ambient
public import Foundation

/// Something about an event that a destination does not take as it is.
public struct EventProblem: Hashable, Sendable, CustomStringConvertible {
  /// What becomes of it.
  public enum Effect: Hashable, Sendable, CustomStringConvertible {
    /// The event is not sent.
    case refused
    /// The field is not sent.
    case leftOut
    /// This is sent in its place.
    case changed(to: String)
    /// The event is sent as if it had happened then.
    case moved(to: Date)
    /// It is sent as it is, and the destination makes less of it.
    case kept

    /// What becomes of it, in words.
    public var description: String {
      switch self {
      case .refused: "the event is not sent"
      case .leftOut: "it is left out"
      case .changed(let text): "\(text) is sent"
      case .moved(let date): "\(date.iso8601()) is sent"
      case .kept: "it is sent as it is"
      }
    }
  }

  /// The name of the event, as it was tracked.
  public let event: String
  /// Its identity.
  public let id: TrackedEvent.ID
  /// Where in the event, as `properties.items[2].price`; `event` is its name, `time` its date. Of
  /// a field to which a mapping gives another name, it is that name.
  public let field: String
  /// Which rule it breaks.
  public let rule: EventRule
  /// What the rule demands there, as `at most 100 characters`.
  public let demand: String
  /// What is there, shortened.
  public let found: String
  /// What to do.
  public let advice: String
  /// What becomes of it.
  public let effect: Effect

  /// Event, field, what is demanded and found, what becomes of it, and what to do.
  public var description: String {
    "\(Self.shown(event)), \(shownField): expected \(demand), found \(found); \(effect); \(advice)"
  }

  /// Rule, event and field, for reporting once; of bounded length. A clock that differs does so for
  /// events of all names.
  var kind: String {
    field == "time" ? "\(rule.id) time" : "\(rule.id) \(Self.shown(event)) \(fieldOfAny)"
  }

  /// The field without numbers of items, for counting.
  var fieldOfAny: String { shownField.replacing(/\[[0-9]+\]/, with: "[]") }

  /// The field as it may stand in a report: a name may have anything in it.
  var shownField: String { Self.shown(field, atMost: 100) }

  /// The beginning of a text, escaped as the log has it, in quotation marks if that is wanted.
  static func shown(_ text: String, quoted: Bool = false, atMost longest: Int = 48) -> String {
    let start = String(text.unicodeScalars.prefix(longest))
    let isCut = text.unicodeScalars.dropFirst(longest).first != nil
    let result = start.escaped + (isCut ? "…" : "")
    return quoted || result.isEmpty ? "“\(result)”" : result
  }
}

/// A rule of a destination, by a name that stays: for tests, and for what is counted.
public struct EventRule: Hashable, Sendable, CustomStringConvertible {
  /// The name, as `name-reserved`.
  public let id: String

  /// A rule of that name.
  ///
  /// - Parameter id: The name, which stays the same from version to version, since counts have it.
  public init(_ id: String) { self.id = id }

  /// The name.
  public var description: String { id }
}

/// Rules that several destinations have.
extension EventRule {
  /// A name has characters that it may not have, or begins with one.
  public static let nameMalformed = EventRule("name-malformed")
  /// The destination keeps that name, or all that begin so, for itself.
  public static let nameReserved = EventRule("name-reserved")
  /// A name is too long.
  public static let nameTooLong = EventRule("name-too-long")
  /// Two fields would have the same name.
  public static let nameTaken = EventRule("name-taken")
  /// The destination has no field of that name there.
  public static let nameUnknown = EventRule("name-unknown")
  /// A value that is not of the form that its field has.
  public static let valueMalformed = EventRule("value-malformed")
  /// There are more fields or values than may be.
  public static let tooMany = EventRule("too-many")
  /// A text is too long.
  public static let textTooLong = EventRule("text-too-long")
  /// An object, a list or nothing where only one value may be.
  public static let nested = EventRule("nested")
  /// Something else than a number.
  public static let notNumber = EventRule("not-a-number")
  /// No code of ISO 4217.
  public static let currencyUnknown = EventRule("currency-unknown")
  /// Something without which the event is not counted as what it is.
  public static let missing = EventRule("missing")
  /// An identity of another form.
  public static let identityMalformed = EventRule("identity-malformed")
  /// The event is too old.
  public static let tooOld = EventRule("too-old")
  /// The event is of the future.
  public static let inFuture = EventRule("in-future")
  /// The event is older than the one before it.
  public static let clockSteppedBack = EventRule("clock-stepped-back")
  /// The event has a time that has no text, as one of the year 10000.
  public static let unreadable = EventRule("unreadable")
  /// The event alone is larger than a request may be.
  public static let tooLarge = EventRule("too-large")
}
