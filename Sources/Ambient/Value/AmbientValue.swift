// SPDX-License-Identifier: Apache-2.0

public import AmbientSystem

/// A value of a log record's metadata or of an event's properties.
///
/// A part of a value that is nested deeper than 64 levels is written as null.
@nonexhaustive
public enum AmbientValue: _Nonisolated, Sendable {
  /// No value.
  ///
  /// ``AmbientFields`` leaves out a field whose value is null or is a group without fields.
  case null
  /// A truth value.
  case boolean(Bool)
  /// A whole number.
  case integer(Int64)
  /// A whole number that is not negative, of up to 64 bits.
  ///
  /// It equals an ``integer(_:)`` with the same number.
  case unsigned(UInt64)
  /// A number; infinities and NaN are written as text.
  case double(Double)
  /// A text.
  case string(String)
  /// An instant, written in ISO 8601, in UTC, to the millisecond.
  ///
  /// NaN, and years outside 1 to 9999, are written as a text that says so.
  case date(Date)
  /// Values in order.
  case array([AmbientValue])
  /// Named values in order.
  case fields(AmbientFields)
  /// A hidden value that is shown because ``AmbientPrivacy/isRevealing`` is true.
  ///
  /// A revealed value equals the plain value, and lines show the plain value. Its description, its
  /// mirror, its `json` and copies that leave the machine (``LogRecord/redacted``,
  /// ``TrackedEvent/redacted``) show a mark instead.
  indirect case revealed(AmbientValue, AmbientPrivacy)
}

extension AmbientValue: Hashable {
  /// Whether the two values are equal.
  ///
  /// An `.integer` and an `.unsigned` with the same number are equal; a `.double` never equals
  /// either. A NaN equals no value, and a revealed value equals the plain value.
  public static func == (left: AmbientValue, right: AmbientValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.boolean(let left), .boolean(let right)): left == right
    case (.integer(let left), .integer(let right)): left == right
    case (.unsigned(let left), .unsigned(let right)): left == right
    case (.integer(let left), .unsigned(let right)): left == right
    case (.unsigned(let left), .integer(let right)): left == right
    case (.double(let left), .double(let right)): left == right
    case (.string(let left), .string(let right)): left == right
    case (.date(let left), .date(let right)): left == right
    case (.array(let left), .array(let right)): left == right
    case (.fields(let left), .fields(let right)): left == right
    case (.revealed(let left, _), _): left == right
    case (_, .revealed(let right, _)): left == right
    default: false
    }
  }

  /// Hashes the value; equal values have equal hashes.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .boolean(let value): hasher.combine(value)
    case .integer(let value): hasher.combine(UInt64(truncatingIfNeeded: value))
    case .unsigned(let value): hasher.combine(value)
    case .double(let value): hasher.combine(value)
    case .string(let value): hasher.combine(value)
    case .date(let value): hasher.combine(value)
    case .array(let value): hasher.combine(value)
    case .fields(let value): hasher.combine(value)
    case .revealed(let value, _): value.hash(into: &hasher)
    }
  }
}

extension AmbientValue {
  /// Whether a field with this value is left out. Uses a switch, since `==` costs more than writing
  /// a value.
  @inline(__always)
  var isAbsent: Bool {
    switch self {
    case .null: true
    case .fields, .revealed: hasNothing
    default: false
    }
  }

  @inline(never)
  private var hasNothing: Bool {
    switch self {
    case .fields(let fields): fields.isEmpty
    case .revealed(let value, _): value.isAbsent
    default: false
    }
  }

  /// The same value with all fields sorted by name and 0.0 for -0.0, so that equal values have
  /// equal texts.
  var canonical: AmbientValue {
    switch self {
    case .array(let values): .array(values.map(\.canonical))
    case .fields(let fields): .fields(fields.canonical)
    case .revealed(let value, let privacy): .revealed(value.canonical, privacy)
    case .double(0): .double(0)
    default: self
    }
  }

  /// Describes a value by `String(describing:)`, for types that are not `AmbientValueConvertible`.
  ///
  /// If the value's own ``AmbientValueConvertible/ambientValue`` has a private or sensitive part,
  /// the result is that value. If Swift's text of the value would show a part of a private type, or
  /// if the value is nested deeper than 16 levels, the whole text is private.
  ///
  /// - Parameter value: A value of any type, of which `String(describing:)` makes a text.
  public init(describing value: Any) {
    self = .marked(value) ?? .string(String(describing: value))
  }
}

extension AmbientValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral
{
  /// Creates a text.
  ///
  /// - Parameter value: The literal's text, which is kept as it is.
  public init(stringLiteral value: String) { self = .string(value) }

  /// Creates a whole number.
  ///
  /// - Parameter value: The literal's number, of 64 bits with a sign.
  public init(integerLiteral value: Int64) { self = .integer(value) }

  /// Creates a number.
  ///
  /// - Parameter value: The literal's number, as the nearest double.
  public init(floatLiteral value: Double) { self = .double(value) }

  /// Creates a truth value.
  ///
  /// - Parameter value: The literal's `true` or `false`.
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
}

extension AmbientValue: CustomStringConvertible {
  /// The value as a log's text shows it, with marks for hidden values: `42`, `"ada l"`,
  /// `["a","b"]`.
  public var description: String { redacted.shown }

  /// The text of ``description``, with revealed values instead of marks. The caller must record by
  /// `noteRevealed` that it shows them.
  var shown: String {
    FieldBytes.with(self) { field in
      LineBuffer.with { line in
        line.append(bareOrQuoted: field)
        return line.text
      }
    }
  }
}

extension AmbientFields: CustomStringConvertible {
  /// The fields as a log's text shows them, with marks in place of hidden values:
  /// `order=42 user="ada l"`.
  public var description: String {
    LineBuffer.with { line in
      redacted([]).read { line.append(pairs: $0) }
      // Each pair begins with a space.
      return String(line.text.dropFirst())
    }
  }
}

extension AmbientValue: CustomReflectable {
  /// A mirror of the contained values, with marks in place of hidden values.
  public var customMirror: Mirror {
    switch redacted {
    case .array(let values): Mirror(self, unlabeledChildren: values, displayStyle: .collection)
    case .fields(let fields): Mirror(self, children: fields.mirrored, displayStyle: .struct)
    default: Mirror(self, children: [:])
    }
  }
}

extension AmbientFields: CustomReflectable {
  /// A mirror of the values by name, with marks in place of hidden values.
  public var customMirror: Mirror {
    Mirror(self, children: redacted([]).mirrored, displayStyle: .struct)
  }

  fileprivate var mirrored: [Mirror.Child] { map { ($0.name, $0.value) } }
}
