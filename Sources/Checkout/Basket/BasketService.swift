public import Ambient
public import Foundation

/// A service that keeps baskets for all of a buyer's devices.
///
/// Its answers are not trusted: ``BasketClient`` checks them.
public protocol BasketService: Sendable {
  /// The basket with the identity `id`, or nil if there is none.
  ///
  /// - Parameter id: The identity of the buyer's basket, the same on all devices.
  /// - Throws: ``BasketServiceError`` if the service cannot be reached, or its answer is no basket.
  func fetch(_ id: UUID) async throws(BasketServiceError) -> Basket?

  /// Offers a basket, and returns the complete basket that the service has stored after the offer.
  ///
  /// The service accepts the offer if the stored revision is `revision`, or if `revision` is nil
  /// and no basket is stored. Otherwise it returns its stored basket unchanged, or nil if it has
  /// none.
  ///
  /// - Parameters:
  ///   - basket: The basket to store, with its revision and offers.
  ///   - revision: The revision that this offer replaces: the one in the service's last answer, or
  ///     nil if the service had no basket.
  /// - Throws: ``BasketServiceError`` if the service cannot be reached, or its answer is no basket;
  ///   the service may have accepted the offer nevertheless.
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

  /// A stable name of the error for logs, which contains no addresses and no answers.
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

  /// Creates a service without baskets.
  public init() {}

  /// The basket with the identity `id`.
  ///
  /// - Parameter id: The identity of a basket that was pushed before.
  /// - Returns: The basket that was stored last; nil if none was stored.
  public func fetch(_ id: UUID) async throws(BasketServiceError) -> Basket? {
    baskets.withLock { $0[id] }
  }

  /// Stores the basket if the stored revision is `revision`.
  ///
  /// - Parameters:
  ///   - basket: The basket to store.
  ///   - revision: The revision that the basket replaces; nil to store a first basket.
  /// - Returns: The basket that is stored afterwards: `basket` if it was accepted, otherwise the
  ///   basket that was stored before, or nil if no basket was stored.
  public func push(
    _ basket: Basket, replacing revision: Int?
  ) async throws(BasketServiceError) -> Basket? {
    baskets.withLock { baskets in
      if baskets[basket.id]?.revision == revision { baskets[basket.id] = basket }
      return baskets[basket.id]
    }
  }
}
