internal import Foundation

/// An event in a shop, as its store keeps it.
///
/// The store's state results from its entries alone: they are applied when they happen, and again,
/// in the same order, at the next start.
enum ShopEntry: Sendable, Codable {
  /// The shop of the entries; always the first entry.
  case shop(name: String, version: Int)
  /// The goods in stock.
  case levels([SKU: Int])
  /// Goods were added to the stock.
  case restocked([BasketLine])
  case reserved(Reservation)
  case released(reservation: UUID)
  /// Goods were taken out of stock, and their payment is asked for now; or a purchase under way was
  /// changed.
  case agreed(Purchase)
  /// The payment was not made: the goods are back in stock, reserved for as long as before.
  case abandoned(IdempotencyKey)
  case placed(OrderAccount)
  /// A refund is asked for, or was paid.
  case refund(order: UUID, Refund)
  /// The payment service refused a refund.
  case refundRefused(order: UUID, refund: UUID)
}
