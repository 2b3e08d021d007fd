// SPDX-License-Identifier: Apache-2.0

internal import Ambient

/// A store that keeps one basket on this machine.
public protocol BasketStore: Sendable {
  /// Returns the stored basket, or nil if there is none.
  func load() throws(BasketStoreError) -> Basket?

  /// Replaces `old` by `new`, wholly or not at all, if `old` is still stored.
  ///
  /// - Parameters:
  ///   - old: The basket that was read before; nil if none was stored.
  ///   - new: The basket to store.
  /// - Returns: False, without a change, if `old` is no longer stored, because another thread or
  ///   process has replaced it.
  /// - Throws: ``BasketStoreError`` if the store cannot be read or written; the stored basket is
  ///   then unchanged.
  func replace(_ old: Basket?, with new: Basket) throws(BasketStoreError) -> Bool
}

extension BasketStore {
  /// Changes the stored basket, or an empty one if none is stored; concurrent changes are not lost.
  ///
  /// - Parameter body: Changes the basket. If another thread or process replaces the stored basket
  ///   meanwhile, `body` is called again with the newer basket. No lock is held during the call.
  /// - Returns: The basket after the change.
  /// - Throws: The error of `body`, or ``CheckoutError/store(_:)``; the stored basket is unchanged.
  @discardableResult
  public func change(
    _ body: (inout Basket) throws(CheckoutError) -> Void
  ) throws(CheckoutError) -> Basket {
    while true {
      let old = try stored()
      let before = old ?? Basket()
      var after = before
      try body(&after)
      if after == before { return after }
      do throws(BasketStoreError) { if try replace(old, with: after) { return after } } catch {
        throw .store(error)
      }
    }
  }

  /// Returns the stored basket, or nil if there is none. Throws the error of a checkout.
  func stored() throws(CheckoutError) -> Basket? {
    do throws(BasketStoreError) { return try load() } catch { throw .store(error) }
  }
}

/// A store that keeps its basket in memory; safe to use from any thread.
public final class MemoryBasketStore: BasketStore {
  private let basket: Guarded<Basket?>

  /// Creates a store that contains the given basket, or no basket.
  ///
  /// - Parameter basket: The first basket; nil for a store without a basket.
  public init(_ basket: Basket? = nil) { self.basket = Guarded(basket) }

  /// The stored basket.
  public func load() -> Basket? { basket.withLock { $0 } }

  /// Stores `new` if `old` is still stored.
  ///
  /// - Parameters:
  ///   - old: The basket that was read before; nil if none was stored.
  ///   - new: The basket to store.
  /// - Returns: False, without a change, if `old` is no longer stored.
  public func replace(_ old: Basket?, with new: Basket) -> Bool {
    basket.withLock { basket in
      guard basket == old else { return false }
      basket = new
      return true
    }
  }
}
