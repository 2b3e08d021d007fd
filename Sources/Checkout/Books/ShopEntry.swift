// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// An event in a shop, as the shop's store records it.
///
/// The store's state is computed from its entries: each entry is applied when the event happens,
/// and all are applied again, in the same order, at the next start.
enum ShopEntry: Sendable, Codable {
  /// The name of the shop to which all entries of the file belong, and the version of the file's
  /// format. This is the first entry of each file.
  case shop(name: String, version: Int)
  /// The numbers of items in stock, which replace all earlier numbers.
  case levels([SKU: Int])
  /// Goods were added to the stock.
  case restocked([BasketLine])
  case reserved(Reservation)
  case released(reservation: UUID)
  /// Goods were taken out of stock for a purchase, before its charge. If the purchase is already
  /// recorded, the entry only updates it.
  case agreed(Purchase)
  /// The purchase ended without an order: the payment was not made, was refunded, or had paid
  /// another order. The goods are back in stock, reserved until their reservation lapses.
  case abandoned(IdempotencyKey)
  case placed(OrderAccount)
  /// A refund was recorded, before it is paid. A second entry records the same refund as paid.
  case refund(order: UUID, Refund)
  /// The payment service refused a refund.
  case refundRefused(order: UUID, refund: UUID)
}
