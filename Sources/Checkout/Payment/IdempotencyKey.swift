internal import Ambient
internal import Foundation

/// What tells one order from every other, so that it is placed once however often it is sent.
public struct IdempotencyKey: Hashable, Sendable, CustomStringConvertible {
  /// How long a key is remembered.
  public static let standardLength = Duration.seconds(24 * 3_600)

  /// The text.
  public let description: String

  /// A new key.
  public init() { description = Identifier.next().uuidString }

  /// The key of that text.
  ///
  /// - Throws: ``CheckoutError/badKey`` unless it has 1 to 255 bytes of UTF-8.
  public init(_ text: String) throws(CheckoutError) {
    guard (1...255).contains(text.utf8.count) else { throw .badKey }
    description = text
  }
}
