#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A value of a log record's metadata or of an event's properties.
public enum AmbientValue: Sendable {
  /// Nothing. A field whose value is null is left out, as is one of ``fields(_:)`` without any.
  case null
  /// A truth value.
  case boolean(Bool)
  /// A whole number.
  case integer(Int64)
  /// A whole number that need not fit into a signed one; equal to ``integer(_:)`` where that does.
  case unsigned(UInt64)
  /// A number; infinities and NaN are written as text.
  case double(Double)
  /// A text.
  case string(String)
  /// An instant, written in ISO 8601, in UTC; one that is NaN, or lies beyond the years 1 to 9999,
  /// as text that says so.
  case date(Date)
  /// Values in order.
  case array([AmbientValue])
  /// Named values in order.
  case fields(AmbientFields)
  /// A value that is not for everybody, shown because of ``AmbientPrivacy/isRevealing``.
  ///
  /// It equals the value, and lines show it as that. Its description, and what leaves the machine
  /// (``TrackedEvent/redacted``), have a mark in its place.
  indirect case revealed(AmbientValue, AmbientPrivacy)
}

extension AmbientValue: Hashable {
  /// Whether both are the same value; whole numbers are, whether signed or unsigned.
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

  /// Hashes the value; equal numbers alike.
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
  /// Whether a field of this value is left out; comparing would be slower than writing a value.
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

  /// The same value with all fields in the order of their names: equal ones have equal text.
  var sorted: AmbientValue {
    switch self {
    case .array(let values): .array(values.map(\.sorted))
    case .fields(let fields): .fields(fields.sorted)
    case .revealed(let value, let privacy): .revealed(value.sorted, privacy)
    default: self
    }
  }

  /// The text by which Swift describes a value that has no other form here; of one that is private
  /// by its ``AmbientValueConvertible/ambientValue``, that.
  public init(describing value: Any) {
    self = .marked(value) ?? .string(String(describing: value))
  }
}

extension AmbientValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral
{
  /// A text.
  public init(stringLiteral value: String) { self = .string(value) }

  /// A whole number.
  public init(integerLiteral value: Int64) { self = .integer(value) }

  /// A number.
  public init(floatLiteral value: Double) { self = .double(value) }

  /// A truth value.
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
}

extension AmbientValue: CustomStringConvertible {
  /// The value as text of a log has it, what is private as its mark: `42`, `"ada l"`, `["a","b"]`.
  public var description: String { redacted.shown }

  /// The same, with what is shown though it is marked: for what notes that it shows it.
  var shown: String {
    FieldBytes.with(self, depth: 0) { kind, form, value in
      LineBuffer.with { line in
        line.append(bareOrQuoted: FieldReader.Field(kind, form, value))
        return line.text
      }
    }
  }
}

extension AmbientFields: CustomStringConvertible {
  /// The fields as text of a log has them, what is private as its mark: `order=42 user="ada l"`.
  public var description: String {
    LineBuffer.with { line in
      redacted([]).read { line.append(pairs: $0) }
      // A space stands before each.
      return String(line.text.dropFirst())
    }
  }
}

extension AmbientValue: CustomReflectable {
  /// The values within, what is private as its mark.
  public var customMirror: Mirror {
    switch redacted {
    case .array(let values): Mirror(self, unlabeledChildren: values, displayStyle: .collection)
    case .fields(let fields): Mirror(self, children: fields.mirrored, displayStyle: .struct)
    default: Mirror(self, children: [:])
    }
  }
}

extension AmbientFields: CustomReflectable {
  /// The values by their names, what is private as its mark.
  public var customMirror: Mirror {
    Mirror(self, children: redacted([]).mirrored, displayStyle: .struct)
  }

  fileprivate var mirrored: [Mirror.Child] { map { ($0.name, $0.value) } }
}
