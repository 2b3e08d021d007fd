internal import Ambient
public import Foundation

/// A basket service in this process; safe to use from any thread.
public final class MemoryBasketService: BasketService {
  private let baskets = Guarded<[UUID: Basket]>([:])

  /// A service without baskets.
  public init() {}

  /// The basket of that identity.
  public func fetch(_ id: UUID) async throws(BasketServiceError) -> Basket? {
    baskets.withLock { $0[id] }
  }

  /// Keeps the basket unless a newer one is there.
  public func push(_ basket: Basket) async throws(BasketServiceError) -> Basket {
    baskets.withLock { baskets in
      if let kept = baskets[basket.id], kept.revision >= basket.revision { return kept }
      baskets[basket.id] = basket
      return basket
    }
  }
}
