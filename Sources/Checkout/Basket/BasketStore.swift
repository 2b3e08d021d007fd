/// Keeps one basket on this machine.
public protocol BasketStore: Sendable {
  /// The basket that was saved last, or nil if there is none.
  func load() throws(BasketStoreError) -> Basket?

  /// Replaces the basket, wholly or not at all.
  func save(_ basket: Basket) throws(BasketStoreError)
}
