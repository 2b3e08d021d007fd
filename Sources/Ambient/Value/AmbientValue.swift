#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A value of a log record's metadata or of an event's properties.
public enum AmbientValue: Hashable, Sendable {
  /// Nothing. A field whose value is null is left out, as is one of ``fields(_:)`` without any.
  case null
  /// A truth value.
  case boolean(Bool)
  /// A whole number.
  case integer(Int64)
  /// A number; infinities and NaN are written as text.
  case double(Double)
  /// A text.
  case string(String)
  /// An instant, written in ISO 8601, in UTC.
  case date(Date)
  /// Values in order.
  case array([AmbientValue])
  /// Named values in order.
  case fields(AmbientFields)
}

extension AmbientValue {
  /// Whether a field of this value is left out; comparing would be slower than writing a value.
  var isAbsent: Bool {
    switch self {
    case .null: true
    case .fields(let fields): fields.isEmpty
    default: false
    }
  }

  /// The same value with all fields in the order of their names: equal ones have equal text.
  var sorted: AmbientValue {
    switch self {
    case .array(let values): .array(values.map(\.sorted))
    case .fields(let fields): .fields(fields.sorted)
    default: self
    }
  }

  /// The text by which Swift describes a value that has no other form here, an error for example.
  public init(describing value: Any) { self = .string(String(describing: value)) }
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
  /// The value as text of a log has it: `42`, `ada`, `"ada l"`, `["a","b"]`.
  public var description: String {
    LineBuffer.with { line in
      line.append(bareOrQuoted: self)
      return line.text
    }
  }
}

extension AmbientFields: CustomStringConvertible {
  /// The fields as text of a log has them: `order=42 user="ada l"`.
  public var description: String {
    LineBuffer.with { line in
      line.append(pairs: self)
      return line.text
    }
  }
}
