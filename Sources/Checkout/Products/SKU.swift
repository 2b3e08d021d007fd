public import Ambient

/// The name by which a shop keeps a product: a stock-keeping unit.
public struct SKU: RawRepresentable, Hashable, Sendable, Codable, CodingKeyRepresentable,
  Comparable, ExpressibleByStringLiteral, CustomStringConvertible
{
  /// The text.
  public let rawValue: String

  /// The unit of that name.
  ///
  /// - Parameter rawValue: The name in the stock; any text is one.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The unit of that name.
  ///
  /// - Parameter text: The name in the stock; any text is one.
  public init(_ text: String) { rawValue = text }

  /// The unit of that name.
  ///
  /// - Parameter value: The name in the stock, as the literal has it.
  public init(stringLiteral value: String) { rawValue = value }

  /// Whether it can be written on a command line and in a log: it has a character, and no space,
  /// colon or control character.
  var isWritable: Bool {
    !rawValue.isEmpty
      && rawValue.unicodeScalars.allSatisfy { scalar in
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator: false
        default: scalar != ":"
        }
      }
  }

  /// The text.
  public var description: String { rawValue }

  /// Whether the left comes first in the order of the text.
  public static func < (left: SKU, right: SKU) -> Bool { left.rawValue < right.rawValue }
}

extension SKU: AmbientValueConvertible {
  /// The text.
  public var ambientValue: AmbientValue { .string(rawValue) }
}
