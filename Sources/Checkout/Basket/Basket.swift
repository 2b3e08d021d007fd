// SPDX-License-Identifier: Apache-2.0

internal import Ambient
public import Foundation

/// A buyer's basket: one line for each chosen product, and a coupon.
public struct Basket: Hashable, Sendable, Codable, Identifiable {
  /// The basket's unique identity.
  public let id: UUID
  /// The lines, one for each product, in the order in which the lines were added.
  public private(set) var lines: [BasketLine] = []
  /// The code of the coupon, in capitals; nil if there is none.
  public private(set) var coupon: String?

  /// Creates an empty basket with a new identity.
  public init() { self.init(id: AmbientIdentifier.next()) }

  /// Creates an empty basket.
  ///
  /// - Parameter id: The identity, for a service's copy of a basket that has it.
  public init(id: UUID) { self.id = id }

  /// Whether the basket has no lines; it may have a coupon.
  public var isEmpty: Bool { lines.isEmpty }

  /// Adds a line. If the basket has a line of the same product, adds the quantity to that line
  /// instead.
  ///
  /// - Parameter line: The product and the number of items to add.
  /// - Throws: ``CheckoutError/quantityTooLarge(_:limit:)`` if the sum exceeds the limit.
  public mutating func add(_ line: BasketLine) throws(CheckoutError) {
    if let index = lines.firstIndex(where: { $0.sku == line.sku }) {
      lines[index] = try lines[index].adding(line.quantity)
    } else {
      lines.append(line)
    }
  }

  /// Removes the line of a product and returns the line. Returns nil if the basket has no such
  /// line.
  ///
  /// - Parameter sku: The product, all items of which are removed.
  @discardableResult
  public mutating func remove(_ sku: SKU) -> BasketLine? {
    lines.firstIndex { $0.sku == sku }.map { lines.remove(at: $0) }
  }

  /// Removes the goods. If the basket has fewer items of a product than `goods` has, removes all of
  /// the product's items.
  ///
  /// - Parameter goods: The products and the numbers of items to remove.
  public mutating func subtract(_ goods: [BasketLine]) {
    for line in goods {
      guard let index = lines.firstIndex(where: { $0.sku == line.sku }) else { continue }
      if let rest = lines[index].subtracting(line.quantity) {
        lines[index] = rest
      } else {
        lines.remove(at: index)
      }
    }
  }

  /// Sets the coupon, or removes it if `code` is nil.
  ///
  /// - Parameter code: The code as it was typed. This method does not check that a shop has the
  ///   coupon.
  public mutating func use(coupon code: String?) { coupon = code?.uppercased() }

  /// Removes all lines and the coupon; the identity stays.
  public mutating func clear() {
    lines = []
    coupon = nil
  }

  /// Returns the goods that this basket has and the other one lacks.
  package func goods(missingIn other: Basket) -> [BasketLine] {
    lines.compactMap { line in
      let count = other.lines.first { $0.sku == line.sku }?.quantity ?? 0
      return count == 0 ? line : line.subtracting(count)
    }
  }

  private enum CodingKeys: String, CodingKey { case id, lines, coupon }

  /// Decodes a basket. Throws an error if the identity is not a UUID, or a product has more than
  /// one line.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    guard let id = UUID(uuidString: try fields.decode(String.self, forKey: .id)) else {
      throw decoder.fault(ShopProblem.wrongType(expected: "a UUID"), in: CodingKeys.id)
    }
    self.id = id
    lines = try fields.decode([BasketLine].self, forKey: .lines)
    coupon = try fields.decodeIfPresent(String.self, forKey: .coupon)?.uppercased()
    var seen: Set<SKU> = []
    for line in lines where !seen.insert(line.sku).inserted {
      throw decoder.fault(ShopProblem.duplicate("\(line.sku)"), in: CodingKeys.lines)
    }
  }
}
