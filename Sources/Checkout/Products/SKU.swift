// SPDX-License-Identifier: Apache-2.0

public import Ambient

/// A stock-keeping unit: the name of a product in a shop's stock.
public struct SKU: RawRepresentable, Hashable, Sendable, Codable, CodingKeyRepresentable,
  Comparable, ExpressibleByStringLiteral, CustomStringConvertible
{
  /// The text.
  public let rawValue: String

  /// Creates the SKU with the given name.
  ///
  /// - Parameter rawValue: The name in the stock; any text is valid.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Creates the SKU with the given name.
  ///
  /// - Parameter text: The name in the stock; any text is valid.
  public init(_ text: String) { rawValue = text }

  /// Creates the SKU with the given name.
  ///
  /// - Parameter value: The name in the stock.
  public init(stringLiteral value: String) { rawValue = value }

  /// Whether the SKU can be written on a command line and in a log: it is not empty, and contains
  /// no space, colon, control character or format character.
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

  /// Whether the text of the left SKU sorts before the text of the right SKU.
  public static func < (left: SKU, right: SKU) -> Bool { left.rawValue < right.rawValue }
}

extension SKU: AmbientValueConvertible {
  /// The text.
  public var ambientValue: AmbientValue { .string(rawValue) }
}
