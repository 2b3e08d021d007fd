public import Foundation

/// Keeps baskets for all of a buyer's devices, elsewhere.
public protocol BasketService: Sendable {
  /// The basket of that identity, or nil if there is none.
  func fetch(_ id: UUID) async throws(BasketServiceError) -> Basket?

  /// Offers a basket and returns the one that is kept: that with the higher revision.
  func push(_ basket: Basket) async throws(BasketServiceError) -> Basket
}
