public import Ambient
public import Foundation

/// A service that keeps baskets for all of a buyer's devices.
///
/// Its answers are not trusted: ``BasketClient`` checks them.
public protocol BasketService: Sendable {
  /// The basket of that identity, or nil if there is none.
  ///
  /// - Parameter id: The identity of the buyer's basket, the same on all devices.
  /// - Throws: ``BasketServiceError`` if the service cannot be reached, or its answer is no basket.
  func fetch(_ id: UUID) async throws(BasketServiceError) -> Basket?

  /// Offers a basket, and returns the one that the service keeps afterwards, with all of its
  /// fields.
  ///
  /// The offer is accepted if the service's revision is `revision`, or if that is nil and the
  /// service has no basket; else the service's basket is returned unchanged, or nil if there is
  /// none.
  ///
  /// - Parameters:
  ///   - basket: The basket to keep, with its revision and offers.
  ///   - revision: The revision that this offer replaces: the service's, as last heard.
  /// - Throws: ``BasketServiceError`` if the service cannot be reached, or its answer is no basket;
  ///   it may have accepted the offer nevertheless.
  func push(
    _ basket: Basket, replacing revision: Int?
  ) async throws(BasketServiceError) -> Basket?
}

/// The error of a basket service; the basket on this machine can still be used.
public enum BasketServiceError: DescribedError, Hashable {
  /// The service cannot be reached.
  case unreachable(String)
  /// The service answers with an unexpected status.
  case status(Int)
  /// The answer is not a basket.
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

  /// The path of the wrong field in the answer, such as `lines[0].sku`; nil if no single field is
  /// wrong.
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
  /// - Returns: The basket that was last pushed; nil if none was.
  public func fetch(_ id: UUID) async throws(BasketServiceError) -> Basket? {
    baskets.withLock { $0[id] }
  }

  /// Stores the basket if the stored revision is `revision`.
  ///
  /// - Parameters:
  ///   - basket: The basket to store.
  ///   - revision: The revision that the basket replaces; nil if none may be stored yet.
  /// - Returns: The basket that is stored afterwards: `basket`, or the newer one that kept it out.
  public func push(
    _ basket: Basket, replacing revision: Int?
  ) async throws(BasketServiceError) -> Basket? {
    baskets.withLock { baskets in
      if baskets[basket.id]?.revision == revision { baskets[basket.id] = basket }
      return baskets[basket.id]
    }
  }
}
