// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// An order that was placed and paid.
public struct Order: Hashable, Sendable, Codable, Identifiable {
  /// The identity of the order.
  public let id: UUID
  /// The instant at which the order was placed.
  public let placedAt: Date
  /// The bought goods with their prices.
  public let priced: PricedBasket
  /// The payment service's name for the payment; nil for an order that cost nothing.
  public let payment: String?
  /// The local date on which the order would be shipped if it needed no days of processing, or nil
  /// if the shop states no terms of shipping or the date is after the year 9999.
  public let shipDate: LocalDate?
  /// The local dates between which the order arrives, or nil if the shop states no terms of
  /// shipping or the dates are after the year 9999.
  public let delivery: DeliveryDates?
  /// The dates on which each subscription in the order is billed again, keyed by its SKU.
  public let billing: [SKU: BillingSchedule]

  /// The bought goods.
  var lines: [BasketLine] { priced.lines.compactMap { try? BasketLine($0.sku, $0.quantity) } }

  /// The amount that was paid.
  public var total: Money { priced.total }

  /// The order's date in the shop's books: the local date of ``placedAt``.
  ///
  /// - Parameter zone: The zone in which the books are kept.
  public func fiscalDay(in zone: Zone) -> FiscalDay { FiscalDay(of: placedAt, in: zone) }
}
