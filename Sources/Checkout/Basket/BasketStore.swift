internal import Ambient

/// A store that keeps one basket on this machine.
public protocol BasketStore: Sendable {
  /// The last stored basket, or nil if there is none.
  func read() throws(BasketStoreError) -> StoredBasket?

  /// Replaces `old` by `new`, wholly or not at all.
  ///
  /// - Parameters:
  ///   - old: The basket that was read before; nil if none was stored.
  ///   - new: The basket to store.
  /// - Returns: False, with nothing changed, if another thread or process has stored something else
  ///   than `old` meanwhile.
  /// - Throws: ``BasketStoreError`` if the store cannot be read or written; then nothing is
  ///   changed.
  func replace(
    _ old: StoredBasket?, with new: StoredBasket
  ) throws(BasketStoreError) -> Bool
}

extension BasketStore {
  /// The last stored basket, or nil if there is none.
  public func load() throws(BasketStoreError) -> Basket? { try read()?.basket }

  /// Changes the basket, or an empty one, in one step: concurrent changes by others are kept.
  ///
  /// - Parameter body: Changes the basket. Called again, with the newer basket, if another thread
  ///   or process has stored one meanwhile. No lock is held during the call.
  /// - Throws: The error of `body`, or ``CheckoutError/store(_:)``; the stored basket is unchanged.
  @discardableResult
  public func change(
    _ body: (inout Basket) throws(CheckoutError) -> Void
  ) throws(CheckoutError) -> Basket {
    try update { stored throws(CheckoutError) in try body(&stored.basket) }.basket
  }

  /// Updates the basket together with the record of the service's copy.
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

  /// Creates a store with a basket, or an empty one.
  ///
  /// - Parameter basket: The first basket, of which no service knows yet; nil for an empty store.
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
  /// - Returns: False, with nothing changed, if something else than `old` is stored.
  public func replace(_ old: StoredBasket?, with new: StoredBasket) -> Bool {
    stored.withLock { stored in
      guard stored == old else { return false }
      stored = new
      return true
    }
  }
}
