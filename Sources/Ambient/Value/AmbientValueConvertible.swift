// SPDX-License-Identifier: Apache-2.0

public import AmbientSystem

/// A type whose values a log record's metadata or an event's properties can hold.
///
/// Conform your own type by returning its ``AmbientValue``; a type with a raw value needs only the
/// conformance:
///
/// ```swift
/// enum Payment: String, AmbientValueConvertible { case card, invoice }
///
/// extension Size: AmbientValueConvertible {
///   public var ambientValue: AmbientValue {
///     .fields(["width": width, "height": height])
///   }
/// }
/// ```
///
/// To log an error, write `["refused": .error(error)]`. To log a value whose type cannot conform,
/// write `["value": AmbientValue(describing: value)]`. A `Set` does not conform, because it has no
/// order, so that equal sets would give different texts: write `["tags": tags.sorted()]`.
public protocol AmbientValueConvertible: SendableMetatype {
  /// The value that is logged or tracked.
  var ambientValue: AmbientValue { get }
}

extension AmbientValue: AmbientValueConvertible {
  /// The value itself.
  public var ambientValue: AmbientValue { self }
}

/// Static members that create an ``AmbientValue`` in a literal of fields, such as
/// `["tags": .array(["new", 7])]`.
///
/// These members are disfavoured overloads. Where the type is known to be ``AmbientValue``, a name
/// such as `.array` therefore means the case, and not the static member.
extension AmbientValueConvertible where Self == AmbientValue {
  /// The null value; a field with this value is left out.
  @_disfavoredOverload
  public static var null: AmbientValue { .null }

  /// Returns a Boolean value.
  ///
  /// - Parameter value: The truth value, which JSON shows as `true` or `false`.
  @_disfavoredOverload
  public static func boolean(_ value: Bool) -> AmbientValue { .boolean(value) }

  /// Returns an integer value.
  ///
  /// - Parameter value: The number, whose digits are all kept.
  @_disfavoredOverload
  public static func integer(_ value: Int64) -> AmbientValue { .integer(value) }

  /// Returns an unsigned integer value, for numbers that may be too large for `Int64`.
  ///
  /// - Parameter value: The number, whose digits are all kept.
  @_disfavoredOverload
  public static func unsigned(_ value: UInt64) -> AmbientValue { .unsigned(value) }

  /// Returns a floating-point value.
  ///
  /// - Parameter value: The number. An infinite number or a NaN is shown as text.
  @_disfavoredOverload
  public static func double(_ value: Double) -> AmbientValue { .double(value) }

  /// Returns a text value.
  ///
  /// - Parameter value: The text, which is kept as it is and escaped when it is shown.
  @_disfavoredOverload
  public static func string(_ value: String) -> AmbientValue { .string(value) }

  /// Returns a date value.
  ///
  /// - Parameter value: The instant, which is shown in ISO 8601. NaN, and years outside 1 to 9999,
  ///   are shown as a text that says so.
  @_disfavoredOverload
  public static func date(_ value: Date) -> AmbientValue { .date(value) }

  /// Returns an array value.
  ///
  /// - Parameter values: The values, which keep their order. Private values remain private, and
  ///   sensitive values remain sensitive.
  @_disfavoredOverload
  public static func array(_ values: [AmbientValue]) -> AmbientValue { .array(values) }

  /// Returns an array of nested fields, such as `["items": .array([["item_id": id, "price": 5]])]`.
  ///
  /// It is generic so that `.array([])` means an array of values.
  ///
  /// - Parameter values: The fields of each element.
  @_disfavoredOverload
  public static func array(_ values: some Sequence<AmbientFields>) -> AmbientValue {
    .array(values.map(AmbientValue.fields))
  }

  /// Returns one nested value that consists of fields.
  ///
  /// - Parameter fields: The fields, which keep their order.
  @_disfavoredOverload
  public static func fields(_ fields: AmbientFields) -> AmbientValue { .fields(fields) }
}

extension AmbientValueConvertible
where Self: RawRepresentable, RawValue: AmbientValueConvertible {
  /// The raw value.
  public var ambientValue: AmbientValue { rawValue.ambientValue }
}

extension String: AmbientValueConvertible {
  /// The text.
  public var ambientValue: AmbientValue { .string(self) }
}

extension Substring: AmbientValueConvertible {
  /// The text.
  public var ambientValue: AmbientValue { .string(String(self)) }
}

extension Character: AmbientValueConvertible {
  /// The character as text.
  public var ambientValue: AmbientValue { .string(String(self)) }
}

extension Bool: AmbientValueConvertible {
  /// The truth value.
  public var ambientValue: AmbientValue { .boolean(self) }
}

extension Date: AmbientValueConvertible {
  /// The instant.
  public var ambientValue: AmbientValue { .date(self) }
}

extension UUID: AmbientValueConvertible {
  /// The identifier as text, in capitals.
  public var ambientValue: AmbientValue { .string(uuidString) }
}

extension Duration: AmbientValueConvertible {
  /// The duration in seconds.
  public var ambientValue: AmbientValue { .double(self / .seconds(1)) }
}

extension Optional: AmbientValueConvertible where Wrapped: AmbientValueConvertible {
  /// The value, or null.
  public var ambientValue: AmbientValue { self?.ambientValue ?? .null }
}

extension Array: AmbientValueConvertible where Element: AmbientValueConvertible {
  /// The values in order.
  // `map` gets a closure, because a key path of a generic type is created at run time, which takes
  // thousands of instructions.
  public var ambientValue: AmbientValue { .array(map { $0.ambientValue }) }
}

extension ArraySlice: AmbientValueConvertible where Element: AmbientValueConvertible {
  /// The values in order.
  public var ambientValue: AmbientValue { .array(map { $0.ambientValue }) }
}

extension Range: AmbientValueConvertible where Bound: AmbientValueConvertible {
  /// An array of the lower and the upper bound, as `JSONEncoder` writes a range.
  public var ambientValue: AmbientValue {
    .array([lowerBound.ambientValue, upperBound.ambientValue])
  }
}

extension ClosedRange: AmbientValueConvertible where Bound: AmbientValueConvertible {
  /// An array of the lower and the upper bound, as `JSONEncoder` writes a range.
  public var ambientValue: AmbientValue {
    .array([lowerBound.ambientValue, upperBound.ambientValue])
  }
}

extension Data: AmbientValueConvertible {
  /// The bytes in Base64, as `JSONEncoder` writes data.
  public var ambientValue: AmbientValue { .string(base64EncodedString()) }
}

extension Dictionary: AmbientValueConvertible
where Key == String, Value: AmbientValueConvertible {
  /// The values with their names, sorted by name, without null values and empty groups.
  public var ambientValue: AmbientValue { .fields(AmbientFields(self)) }
}

extension URL: AmbientValueConvertible {
  /// The address as text.
  public var ambientValue: AmbientValue { .string(absoluteString) }
}

extension AmbientValueConvertible where Self: BinaryInteger {
  /// The number as an integer value; a number that fits neither `Int64` nor `UInt64` becomes a
  /// text.
  public var ambientValue: AmbientValue {
    Int64(exactly: self).map(AmbientValue.integer)
      ?? UInt64(exactly: self).map(AmbientValue.unsigned) ?? .string(String(self))
  }
}

extension Int: AmbientValueConvertible {}
extension Int8: AmbientValueConvertible {}
extension Int16: AmbientValueConvertible {}
extension Int32: AmbientValueConvertible {}
extension Int64: AmbientValueConvertible {}
extension Int128: AmbientValueConvertible {}
extension UInt: AmbientValueConvertible {}
extension UInt8: AmbientValueConvertible {}
extension UInt16: AmbientValueConvertible {}
extension UInt32: AmbientValueConvertible {}
extension UInt64: AmbientValueConvertible {}
extension UInt128: AmbientValueConvertible {}

extension Double: AmbientValueConvertible {
  /// The number.
  public var ambientValue: AmbientValue { .double(self) }
}

extension Float: AmbientValueConvertible {
  /// The number with the digits of a `Float`: 0.1, not 0.10000000149011612.
  public var ambientValue: AmbientValue { .double(Double(description) ?? Double(self)) }
}

extension Decimal: AmbientValueConvertible {
  /// The number as text, since a double could change it.
  public var ambientValue: AmbientValue { .string(description) }
}
