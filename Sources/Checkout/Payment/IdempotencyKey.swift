internal import Ambient
internal import Foundation

/// A sender's name for an order: however often the order is sent with it, it is placed once.
public struct IdempotencyKey: Hashable, Sendable, CustomStringConvertible {
  /// The text.
  public let description: String

  /// Creates a new key.
  public init() { description = Identifier.next().uuidString }

  /// Creates the key of that text.
  ///
  /// - Parameter text: The text, which the caller keeps for a repetition of the request.
  /// - Throws: ``CheckoutError/badKey`` unless it has 1 to 255 bytes of UTF-8.
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
