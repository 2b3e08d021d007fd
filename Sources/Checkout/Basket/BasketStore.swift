internal import Ambient

/// Keeps one basket on this machine.
public protocol BasketStore: Sendable {
  /// The basket that was saved last, or nil if there is none.
  func load() throws(BasketStoreError) -> Basket?

  /// Replaces the basket, wholly or not at all.
  func save(_ basket: Basket) throws(BasketStoreError)
}

/// A store that keeps its basket in memory; safe to use from any thread.
public final class MemoryBasketStore: BasketStore {
  private let basket: Guarded<Basket?>

  /// A store that holds that basket, or none.
  public init(_ basket: Basket? = nil) { self.basket = Guarded(basket) }

  /// The basket that was saved last.
  public func load() -> Basket? { basket.withLock { $0 } }

  /// Replaces the basket.
  public func save(_ basket: Basket) { self.basket.withLock { $0 = basket } }
}
