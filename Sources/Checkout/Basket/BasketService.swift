public import Ambient
public import Foundation

/// Keeps baskets elsewhere, for all of a buyer's devices.
///
/// Its answers are not trusted: ``BasketClient`` checks them.
public protocol BasketService: Sendable {
  /// The basket of that identity, or nil if there is none.
  ///
  /// - Parameter id: The identity of the buyer's basket, the same on all devices.
  /// - Throws: ``BasketServiceError`` if the service cannot be asked, or answers with no basket.
  func fetch(_ id: UUID) async throws(BasketServiceError) -> Basket?

  /// Offers a basket, and returns the one that the service keeps afterwards, with all of its
  /// fields.
  ///
  /// The offer is accepted if `revision` is the one kept before, or nil if none was kept; else the
  /// kept basket is returned unchanged, or nil if there is none.
  ///
  /// - Parameters:
  ///   - basket: The basket to keep, with its revision and offers.
  ///   - revision: The revision that this offer replaces, as the service was last heard to keep it.
  /// - Throws: ``BasketServiceError`` if the service cannot be asked, or answers with no basket; it
  ///   may have accepted the offer nevertheless.
  func push(
    _ basket: Basket, replacing revision: Int?
  ) async throws(BasketServiceError) -> Basket?
}

/// Why a basket service cannot be used; the basket on this machine can.
public enum BasketServiceError: DescribedError, Hashable {
  /// The service cannot be reached.
  case unreachable(String)
  /// The service answers with an unexpected status.
  case status(Int)
  /// The answer is no basket.
  case badAnswer(field: String, reason: String)

  /// The fault.
  public var description: String {
    switch self {
    case .unreachable(let reason): "the basket service cannot be reached: \(reason)"
    case .status(let status): "the basket service answers with the status \(status)"
    case .badAnswer(let field, let reason):
      "the basket service answers with no basket: \(field.isEmpty ? "" : "\(field): ")\(reason)"
    }
  }

  /// A name that stays the same, for logs: addresses and answers are not logged.
  public var code: String {
    switch self {
    case .unreachable: "unreachable"
    case .status(let status): "status_\(status)"
    case .badAnswer: "bad_answer"
    }
  }

  /// The field of the answer that is wrong, as `lines[0].sku`; nil if it is not about one.
  var field: String? {
    if case .badAnswer(let field, _) = self, !field.isEmpty { field } else { nil }
  }
}

/// A basket service in this process; safe to use from any thread.
public final class MemoryBasketService: BasketService {
  private let baskets = Guarded<[UUID: Basket]>([:])

  /// A service without baskets.
  public init() {}

  /// The basket of that identity.
  ///
  /// - Parameter id: The identity of a basket that was pushed before.
  /// - Returns: The basket as it was pushed last; nil if none was.
  public func fetch(_ id: UUID) async throws(BasketServiceError) -> Basket? {
    baskets.withLock { $0[id] }
  }

  /// Keeps the basket if that revision is kept.
  ///
  /// - Parameters:
  ///   - basket: The basket to keep.
  ///   - revision: The revision that it replaces; nil if there is to be none yet.
  /// - Returns: The basket that is kept then: this one, or the one that was in its way.
  public func push(
    _ basket: Basket, replacing revision: Int?
  ) async throws(BasketServiceError) -> Basket? {
    baskets.withLock { baskets in
      if baskets[basket.id]?.revision == revision { baskets[basket.id] = basket }
      return baskets[basket.id]
    }
  }
}
