public import Ambient

/// The name by which a shop keeps a product: a stock-keeping unit.
public struct SKU: RawRepresentable, Hashable, Sendable, Codable, CodingKeyRepresentable,
  Comparable, ExpressibleByStringLiteral, CustomStringConvertible
{
  /// The text.
  public let rawValue: String

  /// The unit of that name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The unit of that name.
  public init(_ text: String) { rawValue = text }

  /// The unit of that name.
  public init(stringLiteral value: String) { rawValue = value }

  /// The text.
  public var description: String { rawValue }

  /// Whether the left comes first in the order of the text.
  public static func < (left: SKU, right: SKU) -> Bool { left.rawValue < right.rawValue }
}

extension SKU: AmbientValueConvertible {
  /// The text.
  public var ambientValue: AmbientValue { .string(rawValue) }
}
