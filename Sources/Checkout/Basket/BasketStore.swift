internal import Ambient

/// A store that keeps one basket on this machine.
public protocol BasketStore: Sendable {
  /// The last stored basket, or nil if there is none.
  func read() throws(BasketStoreError) -> StoredBasket?

  /// Replaces `old` by `new`, wholly or not at all, if `old` is still stored.
  ///
  /// - Parameters:
  ///   - old: The basket that was read before; nil if none was stored.
  ///   - new: The basket to store.
  /// - Returns: False, without a change, if `old` is no longer stored, because another thread or
  ///   process has replaced it.
  /// - Throws: ``BasketStoreError`` if the store cannot be read or written; the stored basket is
  ///   then unchanged.
  func replace(
    _ old: StoredBasket?, with new: StoredBasket
  ) throws(BasketStoreError) -> Bool
}

extension BasketStore {
  /// The last stored basket, or nil if there is none.
  public func load() throws(BasketStoreError) -> Basket? { try read()?.basket }

  /// Changes the stored basket, or an empty one if none is stored; concurrent changes are not lost.
  ///
  /// - Parameter body: Changes the basket. If another thread or process replaces the stored basket
  ///   meanwhile, `body` is called again with the newer basket. No lock is held during the call.
  /// - Throws: The error of `body`, or ``CheckoutError/store(_:)``; the stored basket is unchanged.
  @discardableResult
  public func change(
    _ body: (inout Basket) throws(CheckoutError) -> Void
  ) throws(CheckoutError) -> Basket {
    try update { stored throws(CheckoutError) in try body(&stored.basket) }.basket
  }

  /// Updates, in one step, the basket and what is stored about the service's copy of the basket.
  @discardableResult
  func update(
    _ body: (inout StoredBasket) throws(CheckoutError) -> Void
  ) throws(CheckoutError) -> StoredBasket {
    while true {
      let kept = try stored()
      let before = kept ?? StoredBasket(Basket())
      var after = before
      try body(&after)
      if after == before { return after }
      do throws(BasketStoreError) { if try replace(kept, with: after) { return after } } catch {
        throw .store(error)
      }
    }
  }

  private func stored() throws(CheckoutError) -> StoredBasket? {
    do throws(BasketStoreError) { return try read() } catch { throw .store(error) }
  }
}

/// A store that keeps its basket in memory; safe to use from any thread.
public final class MemoryBasketStore: BasketStore {
  private let stored: Guarded<StoredBasket?>

  /// Creates a store that contains the given basket, or no basket.
  ///
  /// - Parameter basket: The first basket, which was never sent to a basket service; nil for a
  ///   store without a basket.
  public init(_ basket: Basket? = nil) { stored = Guarded(basket.map { StoredBasket($0) }) }

  /// The last stored basket.
  public func read() -> StoredBasket? { stored.withLock { $0 } }

  /// The last stored basket.
  public func load() -> Basket? { read()?.basket }

  /// Stores `new` if `old` is still stored.
  ///
  /// - Parameters:
  ///   - old: The basket that was read before; nil if none was stored.
  ///   - new: The basket to store.
  /// - Returns: False, without a change, if `old` is no longer stored.
  public func replace(_ old: StoredBasket?, with new: StoredBasket) -> Bool {
    stored.withLock { stored in
      guard stored == old else { return false }
      stored = new
      return true
    }
  }
}
