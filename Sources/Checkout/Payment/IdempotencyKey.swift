// SPDX-License-Identifier: Apache-2.0

internal import Ambient
internal import Foundation

/// A key that the sender of an order chooses. An order that is sent several times with the same key
/// is placed only once, as long as the shop keeps the key. `CheckoutTerms.keys` is that time.
public struct IdempotencyKey: Hashable, Sendable, CustomStringConvertible {
  /// The text.
  public let description: String

  /// Creates a new, unique key.
  public init() { description = AmbientIdentifier.next().uuidString }

  /// Creates a key from a text.
  ///
  /// - Parameter text: The text; a repetition of the request must use the same text.
  /// - Throws: ``CheckoutError/badKey`` unless the text has 1 to 255 bytes of UTF-8.
  public init(_ text: String) throws(CheckoutError) {
    guard (1...255).contains(text.utf8.count) else { throw .badKey }
    description = text
  }
}

extension IdempotencyKey: Codable {
  /// Reads the text.
  public init(from decoder: any Decoder) throws {
    self = try decoder.value { (text: String) throws(CheckoutError) in try IdempotencyKey(text) }
  }

  /// Writes the text.
  public func encode(to encoder: any Encoder) throws { try encoder.encode(text: description) }
}
