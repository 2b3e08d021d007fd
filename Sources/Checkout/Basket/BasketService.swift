// SPDX-License-Identifier: Apache-2.0

public import Ambient
public import Foundation

/// A service that has a copy of each buyer's basket.
///
/// The basket in the ``BasketStore`` of the buyer's machine decides. After each change,
/// ``BasketClient`` makes the service's copy equal to it.
public protocol BasketService: Sendable {
  /// Returns the copy of a basket, or nil if there is none.
  ///
  /// - Parameter id: The identity of the basket.
  /// - Throws: ``BasketServiceError`` if the service fails.
  func fetch(_ id: UUID) async throws(BasketServiceError) -> Basket?

  /// Adds goods to the copy of a basket, and sets its coupon. Makes the copy if there is none.
  ///
  /// - Parameters:
  ///   - lines: The products and the numbers of items to add.
  ///   - coupon: The code of the coupon; nil to keep the copy's coupon.
  ///   - id: The identity of the basket.
  /// - Throws: ``BasketServiceError`` if the service fails; the copy may have changed nevertheless.
  func append(
    _ lines: [BasketLine], coupon: String?, to id: UUID
  ) async throws(BasketServiceError)

  /// Removes goods and the coupon from the copy of a basket.
  ///
  /// - Parameters:
  ///   - lines: The products and the numbers of items to remove.
  ///   - coupon: The code of the coupon to remove; nil to keep the copy's coupon.
  ///   - id: The identity of the basket.
  /// - Throws: ``BasketServiceError`` if the service fails; the copy may have changed nevertheless.
  func remove(
    _ lines: [BasketLine], coupon: String?, from id: UUID
  ) async throws(BasketServiceError)
}

extension BasketService {
  /// Makes the service's copy equal to the basket. Usually one change is missing there; after a
  /// failure, the whole basket may be.
  func receive(_ basket: Basket) async throws(BasketServiceError) {
    let copy = try await fetch(basket.id) ?? Basket(id: basket.id)
    guard copy.id == basket.id else { throw .otherBasket(copy.id) }
    let surplus = copy.goods(missingIn: basket)
    let oldCoupon = basket.coupon == nil ? copy.coupon : nil
    if !surplus.isEmpty || oldCoupon != nil {
      try await remove(surplus, coupon: oldCoupon, from: basket.id)
    }
    let missing = basket.goods(missingIn: copy)
    let newCoupon = basket.coupon == copy.coupon ? nil : basket.coupon
    if !missing.isEmpty || newCoupon != nil {
      try await append(missing, coupon: newCoupon, to: basket.id)
    }
  }
}

/// The reason why a basket service lacks a change. The basket on this machine has the change.
public enum BasketServiceError: DescribedError, Hashable {
  /// The service cannot be reached, or refuses the change.
  case unavailable(String)
  /// The service did not answer in time.
  case late(limit: Duration)
  /// The service answered with the basket of that identity in place of the requested one.
  case otherBasket(UUID)

  /// The fault, and advice.
  public var description: String {
    let reason =
      switch self {
      case .unavailable(let reason): "rejected the change: \(reason)"
      case .late(let limit): "did not answer within \(limit)"
      case .otherBasket(let id): "answered with another basket, \(id)"
      }
    return
      "the basket service \(reason); the basket is stored here, and the next change sends it again"
  }

  /// A stable name of the error for logs, which contains no identities and no answers.
  public var code: String {
    switch self {
    case .unavailable: "unavailable"
    case .late: "late"
    case .otherBasket: "other_basket"
    }
  }
}

/// A basket service in this process; safe to use from any thread.
public final class MemoryBasketService: BasketService {
  private let copies = Guarded<[UUID: Basket]>([:])

  /// Creates a service without baskets.
  public init() {}

  /// Returns the copy of a basket.
  ///
  /// - Parameter id: The identity of the basket.
  /// - Returns: The copy; nil if nothing was appended to it yet.
  public func fetch(_ id: UUID) -> Basket? { copies.withLock { $0[id] } }

  /// Adds all of the goods to the copy of a basket, or none, and sets its coupon.
  ///
  /// - Parameters:
  ///   - lines: The products and the numbers of items to add.
  ///   - coupon: The code of the coupon; nil to keep the copy's coupon.
  ///   - id: The identity of the basket.
  /// - Throws: ``BasketServiceError/unavailable(_:)`` if a line would exceed its limit.
  public func append(
    _ lines: [BasketLine], coupon: String?, to id: UUID
  ) throws(BasketServiceError) {
    do throws(CheckoutError) {
      try copies.withLock { copies throws(CheckoutError) in
        var copy = copies[id] ?? Basket(id: id)
        for line in lines { try copy.add(line) }
        if let coupon { copy.use(coupon: coupon) }
        copies[id] = copy
      }
    } catch {
      throw .unavailable("\(error)")
    }
  }

  /// Removes goods and the coupon from the copy of a basket.
  ///
  /// - Parameters:
  ///   - lines: The products and the numbers of items to remove.
  ///   - coupon: The code of the coupon to remove; nil to keep the copy's coupon.
  ///   - id: The identity of the basket.
  public func remove(_ lines: [BasketLine], coupon: String?, from id: UUID) {
    copies.withLock { copies in
      copies[id]?.subtract(lines)
      if let coupon, copies[id]?.coupon == coupon { copies[id]?.use(coupon: nil) }
    }
  }
}
