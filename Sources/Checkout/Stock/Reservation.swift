public import Foundation

/// Goods that are kept for a buyer, for a while.
public struct Reservation: Hashable, Sendable, Identifiable {
  /// What tells it from every other reservation.
  public let id: UUID
  /// The goods.
  public let lines: [BasketLine]
  /// How long they are kept, by monotonic time.
  public let hold: Hold

  /// Whether the goods are still kept.
  public var isHeld: Bool { hold.isHeld }
}
