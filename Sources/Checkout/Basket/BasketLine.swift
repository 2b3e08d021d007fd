// SPDX-License-Identifier: Apache-2.0

/// A product and the number of its items.
public struct BasketLine: Hashable, Sendable {
  /// The largest number of items of one product in a basket.
  public static let limit = 1_000_000

  /// The product.
  public let sku: SKU
  /// The number of items, 1 to ``limit``.
  public let quantity: Int

  /// Creates a line with a number of items of a product.
  ///
  /// - Parameters:
  ///   - sku: The product; whether a shop has it is checked when the line is priced.
  ///   - quantity: The number of items, from 1 to the limit of a line.
  /// - Throws: ``CheckoutError/quantityNotPositive(_:_:)`` or
  ///   ``CheckoutError/quantityTooLarge(_:limit:)``.
  public init(_ sku: SKU, _ quantity: Int = 1) throws(CheckoutError) {
    guard quantity > 0 else { throw .quantityNotPositive(sku, quantity) }
    guard quantity <= Self.limit else { throw .quantityTooLarge(sku, limit: Self.limit) }
    self.sku = sku
    self.quantity = quantity
  }

  /// Returns this line with `count` more items.
  func adding(_ count: Int) throws(CheckoutError) -> BasketLine {
    let (sum, overflow) = quantity.addingReportingOverflow(count)
    guard !overflow else { throw .quantityTooLarge(sku, limit: Self.limit) }
    return try BasketLine(sku, sum)
  }

  /// Returns this line with `count` fewer items, or nil if none are left.
  func subtracting(_ count: Int) -> BasketLine? {
    count < quantity ? try? BasketLine(sku, quantity - count) : nil
  }
}

extension BasketLine: Codable {
  private enum CodingKeys: String, CodingKey { case sku, quantity }

  /// Reads the fields.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    let sku = try fields.decode(SKU.self, forKey: .sku)
    let quantity = try fields.decode(WholeNumber.self, forKey: .quantity).value
    do throws(CheckoutError) { try self.init(sku, quantity) } catch { throw decoder.fault(error) }
  }
}
