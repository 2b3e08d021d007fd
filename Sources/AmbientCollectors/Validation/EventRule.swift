// SPDX-License-Identifier: Apache-2.0

/// A rule of a destination, identified by a stable name under which problems are counted.
public struct EventRule: Hashable, Sendable, CustomStringConvertible {
  /// The name, such as `name-reserved`.
  public let id: String

  /// Creates a rule.
  ///
  /// - Parameter id: The name, which must stay the same in all versions, since problems are
  ///   counted under this name.
  package init(_ id: String) { self.id = id }

  /// The name.
  public var description: String { id }
}

/// The rules that several destinations have in common.
extension EventRule {
  /// A name is empty, contains a character that is not allowed, or does not begin with a letter.
  package static let nameMalformed = EventRule("name-malformed")
  /// The destination reserves the name, or a prefix with which the name begins.
  package static let nameReserved = EventRule("name-reserved")
  /// A name is too long.
  package static let nameTooLong = EventRule("name-too-long")
  /// Two fields would have the same name.
  package static let nameTaken = EventRule("name-taken")
  /// The destination has no field of that name, for example no such column in its table.
  package static let nameUnknown = EventRule("name-unknown")
  /// A value does not have the form that its field demands.
  package static let valueMalformed = EventRule("value-malformed")
  /// The number of fields or values exceeds the limit.
  package static let tooMany = EventRule("too-many")
  /// A text is too long.
  package static let textTooLong = EventRule("text-too-long")
  /// The value is an object, a list or null where the destination takes a single value.
  package static let nested = EventRule("nested")
  /// The value is not a number.
  package static let notNumber = EventRule("not-a-number")
  /// The value is not a currency code of ISO 4217.
  package static let currencyUnknown = EventRule("currency-unknown")
  /// A value is missing that the destination needs, for example to count the event as a purchase.
  package static let missing = EventRule("missing")
  /// An identity does not have the form that the destination demands.
  package static let identityMalformed = EventRule("identity-malformed")
  /// The event is too old.
  package static let tooOld = EventRule("too-old")
  /// The event's time is in the future.
  package static let inFuture = EventRule("in-future")
  /// The event is older than the event before it.
  package static let clockSteppedBack = EventRule("clock-stepped-back")
  /// The event's time is outside the range of times that the queue or the destination can
  /// represent, for example in the year 10000.
  package static let unreadable = EventRule("unreadable")
  /// The event alone is larger than a request may be.
  package static let tooLarge = EventRule("too-large")
}
