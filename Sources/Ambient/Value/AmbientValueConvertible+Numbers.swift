#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension BinaryInteger {
  /// The whole number; one that does not fit into 64 bits with a sign is written as text.
  public var ambientValue: AmbientValue {
    Int64(exactly: self).map(AmbientValue.integer) ?? .string(String(self))
  }
}

extension Int: AmbientValueConvertible {}
extension Int8: AmbientValueConvertible {}
extension Int16: AmbientValueConvertible {}
extension Int32: AmbientValueConvertible {}
extension Int64: AmbientValueConvertible {}
extension UInt: AmbientValueConvertible {}
extension UInt8: AmbientValueConvertible {}
extension UInt16: AmbientValueConvertible {}
extension UInt32: AmbientValueConvertible {}
extension UInt64: AmbientValueConvertible {}

extension Double: AmbientValueConvertible {
  /// The number.
  public var ambientValue: AmbientValue { .double(self) }
}

extension Float: AmbientValueConvertible {
  /// The number with the digits that the shorter type shows: 0.1, not 0.10000000149011612.
  public var ambientValue: AmbientValue { .double(Double(description) ?? Double(self)) }
}

extension Decimal: AmbientValueConvertible {
  /// The number as text, since a binary fraction would change it.
  public var ambientValue: AmbientValue { .string(description) }
}
