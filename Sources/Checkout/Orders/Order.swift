public import Foundation

/// Something that was bought.
public struct Order: Hashable, Sendable, Codable, Identifiable {
  /// What tells it from every other order.
  public let id: UUID
  /// When it was placed.
  public let placedAt: Date
  /// What was bought, and what it cost.
  public let priced: PricedBasket
  /// The name of the payment at the service that took it.
  public let payment: String
  /// The local dates between which it will be delivered, or nil if the shop does not say.
  public let delivery: DeliveryDates?

  /// What was paid.
  public var total: Money { priced.total }

  /// The goods.
  func goods() throws(CheckoutError) -> [BasketLine] {
    try priced.lines.map { line throws(CheckoutError) in try BasketLine(line.sku, line.quantity) }
  }

  /// The day to which the books count the order, in that zone.
  public func fiscalDay(in zone: Zone) -> FiscalDay { FiscalDay(of: placedAt, in: zone) }
}
