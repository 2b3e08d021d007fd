internal import Foundation

/// Something that happened in a shop, as its store keeps it.
///
/// The store's state is made of its entries alone: those of a run are applied as they happen, and
/// once more, in the same order, at the next start.
enum ShopEntry: Sendable, Codable {
  /// The shop of the entries; always the first entry.
  case shop(name: String, version: Int)
  /// The goods in the room.
  case levels([SKU: Int])
  /// Goods came into the room.
  case restocked([BasketLine])
  case reserved(Reservation)
  case released(reservation: UUID)
  /// Goods were taken out of the room, and their payment is asked for now; of a purchase that is
  /// under way, a change.
  case agreed(Purchase)
  /// The payment was not made: the goods are back, and reserved for as long as they were.
  case abandoned(IdempotencyKey)
  case placed(OrderAccount)
  /// A refund is asked for, or was paid.
  case refund(order: UUID, Refund)
  /// The payment service refused a refund.
  case refundRefused(order: UUID, refund: UUID)
}
