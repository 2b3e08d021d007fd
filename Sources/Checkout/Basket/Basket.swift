internal import Ambient
public import Foundation

/// What somebody wants to buy: lines of products, and a coupon.
public struct Basket: Hashable, Sendable, Codable, Identifiable {
  /// What tells it from every other basket.
  public let id: UUID
  /// How often it was changed: of two copies, the one with the higher revision is the newer.
  public private(set) var revision: Int
  /// The lines in the order in which their products were first added, one for each product.
  public private(set) var lines: [BasketLine]
  /// The code of the coupon, in capitals.
  public private(set) var coupon: String?

  /// An empty basket with an identity of its own.
  public init() {
    id = Identifier.next()
    revision = 0
    lines = []
  }

  /// Whether it holds nothing.
  public var isEmpty: Bool { lines.isEmpty }

  /// Adds a line, to that of the same product if there is one.
  ///
  /// - Throws: ``CheckoutError/quantityTooLarge(_:)`` if the sum is more than the limit.
  public mutating func add(_ line: BasketLine) throws(CheckoutError) {
    if let index = lines.firstIndex(where: { $0.sku == line.sku }) {
      lines[index] = try lines[index].adding(line.quantity)
    } else {
      lines.append(line)
    }
    changed()
  }

  /// Removes the line of that product and returns it, or nil if there was none.
  @discardableResult
  public mutating func remove(_ sku: SKU) -> BasketLine? {
    guard let index = lines.firstIndex(where: { $0.sku == sku }) else { return nil }
    changed()
    return lines.remove(at: index)
  }

  /// Puts a coupon in, or takes it out with nil.
  public mutating func use(coupon code: String?) {
    coupon = code?.uppercased()
    changed()
  }

  /// Takes everything out; the identity stays.
  public mutating func clear() {
    lines = []
    coupon = nil
    changed()
  }

  private mutating func changed() { revision &+= 1 }
}
