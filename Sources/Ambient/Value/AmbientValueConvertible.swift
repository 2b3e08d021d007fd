#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Something that can stand in a log record's metadata or in an event's properties.
///
/// Conform a type of your own by saying which AmbientValue it is:
///
/// ```swift
/// extension OrderID: AmbientValueConvertible {
///   public var ambientValue: AmbientValue { .string(rawValue) }
/// }
/// ```
public protocol AmbientValueConvertible {
  /// The value that is logged or tracked.
  var ambientValue: AmbientValue { get }
}

extension AmbientValue: AmbientValueConvertible {
  /// The value itself.
  public var ambientValue: AmbientValue { self }
}

extension String: AmbientValueConvertible {
  /// The text.
  public var ambientValue: AmbientValue { .string(self) }
}

extension Substring: AmbientValueConvertible {
  /// The text.
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
  public var ambientValue: AmbientValue { .array(map(\.ambientValue)) }
}

extension Dictionary: AmbientValueConvertible
where Key == String, Value: AmbientValueConvertible {
  /// The values with their names, in the order of the names.
  public var ambientValue: AmbientValue {
    var fields = AmbientFields()
    for (name, value) in sorted(by: { $0.key < $1.key }) { fields[name] = value.ambientValue }
    return .fields(fields)
  }
}

extension URL: AmbientValueConvertible {
  /// The address as text.
  public var ambientValue: AmbientValue { .string(absoluteString) }
}
