internal import Foundation

/// Places each order once: whoever sends an idempotency key again gets the order that it placed.
///
/// A key is remembered for 24 hours after its order was placed. Finding a key takes constant time;
/// forgetting those that are over takes time in proportion to the keys.
public actor OrderBook {
  /// What an order is for; the same key with another content is a mistake of the sender.
  struct Content: Hashable, Sendable {
    let lines: [BasketLine]
    let coupon: String?
  }

  private enum Entry {
    case placing(Content, waiting: [CheckedContinuation<Void, Never>])
    case placed(Content, Order, Lifetime)
  }

  private var entries: [IdempotencyKey: Entry] = [:]
  /// What of each order is given back, or about to be.
  private var refunded: [UUID: Money] = [:]
  /// What of each order is given back for certain, in minor units.
  private var repaid: [UUID: Int64] = [:]

  /// A book without orders.
  public init() {}

  /// The orders that are remembered, oldest first.
  public var orders: [Order] {
    entries.values.compactMap { if case .placed(_, let order, _) = $0 { order } else { nil } }
      .sorted { ($0.placedAt, $0.id.uuidString) < ($1.placedAt, $1.id.uuidString) }
  }

  /// Places the order with `place` unless that key has placed one.
  ///
  /// Of several callers at the same time one places it, and the others wait for its order; if it
  /// fails, its error goes to it alone and the next one tries.
  func place(
    _ key: IdempotencyKey, _ content: Content,
    _ place: @Sendable () async throws(CheckoutError) -> Order
  ) async throws(CheckoutError) -> Order {
    while let entry = entries[key] {
      switch entry {
      case .placed(_, _, let lifetime) where !lifetime.isAlive: entries[key] = nil
      case .placed(content, let order, _): return order
      case .placing(content, let waiting):
        await withCheckedContinuation { continuation in
          entries[key] = .placing(content, waiting: waiting + [continuation])
        }
      case .placed, .placing: throw .keyReused("\(key)")
      }
    }
    // Nobody waits between the last look at the key and here, so that one caller goes on.
    forgetOldKeys()
    entries[key] = .placing(content, waiting: [])
    do throws(CheckoutError) {
      let order = try await place()
      let lifetime = Lifetime(
        since: order.placedAt, lasting: IdempotencyKey.standardLength)
      finish(key, .placed(content, order, lifetime))
      return order
    } catch {
      finish(key, nil)
      throw error
    }
  }

  /// Notes a refund of an order, of all that is left if no amount is given.
  ///
  /// - Returns: The amount.
  ///
  /// - Throws: ``CheckoutError/refundTooLarge(_:left:)``, or two currencies.
  func noteRefund(_ amount: Money?, of order: Order) throws(CheckoutError) -> Money {
    let before = refunded[order.id] ?? .zero(order.total.currency)
    let left: Money
    let refund: Money
    let rest: Money
    let sum: Money
    do throws(MoneyError) {
      left = try order.total.subtracting(before)
      refund = amount ?? left
      rest = try left.subtracting(refund)
      sum = try before.adding(refund)
    } catch {
      throw .money(error)
    }
    guard refund.minorUnits > 0, !rest.isNegative else {
      throw .refundTooLarge(refund, left: left)
    }
    refunded[order.id] = sum
    return refund
  }

  /// Notes that a refund went through.
  ///
  /// - Returns: Whether that was the last of the order; so it is once for each order.
  func confirmRefund(_ amount: Money, of order: Order) -> Bool {
    let sum = repaid[order.id, default: 0] + amount.minorUnits  // no more than the total
    repaid[order.id] = sum
    return sum == order.total.minorUnits
  }

  /// Takes the note of a refund back that did not go through.
  func forgetRefund(_ amount: Money, of order: Order) {
    refunded[order.id] = try? refunded[order.id]?.subtracting(amount)
  }

  private func finish(_ key: IdempotencyKey, _ entry: Entry?) {
    guard case .placing(_, let waiting) = entries[key] else { return }
    entries[key] = entry
    for continuation in waiting { continuation.resume() }
  }

  private func forgetOldKeys() {
    entries = entries.filter {
      if case .placed(_, _, let lifetime) = $0.value { lifetime.isAlive } else { true }
    }
  }
}
