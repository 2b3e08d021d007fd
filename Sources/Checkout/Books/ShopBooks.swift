// SPDX-License-Identifier: Apache-2.0

internal import Ambient
internal import Foundation

/// The state of a shop: its stock, the purchases whose payment is under way, and its orders.
///
/// The state changes only when an entry is applied, or when a reservation or a key lapses. Applying
/// an entry takes time in proportion to its lines, and to the logarithm of the number of
/// reservations and keys.
struct ShopBooks: Sendable {
  private struct KeptKey {
    let order: UUID
    let end: Date
    let lifetime: MonotonicLifetime
  }

  /// The time for which a key stays assigned to its order.
  let keyLength: Duration
  private(set) var stock: Stock
  private(set) var purchases: [IdempotencyKey: Purchase] = [:]
  private var accounts: [UUID: OrderAccount] = [:]
  /// The orders' identities, in the order in which the orders were placed.
  private var orderIDs: [UUID] = []
  private var keys: [IdempotencyKey: KeptKey] = [:]
  private var keyLapses = LapseQueue<IdempotencyKey>()
  /// The order that a payment paid for, by the payment's name. A payment pays for one order only.
  private var payments: [String: UUID] = [:]
  /// The orders with a refund that is not paid yet.
  private var refunding: Set<UUID> = []

  init(stock: [SKU: Int], keyLength: Duration) {
    self.stock = Stock(stock)
    self.keyLength = keyLength
  }

  /// The orders, oldest first.
  var orders: [Order] { orderIDs.compactMap { accounts[$0]?.order } }

  /// The unpaid refunds with their orders. The payment service must be asked again to pay them.
  var unsettledRefunds: [(order: Order, refund: Refund)] {
    refunding.compactMap { accounts[$0] }.flatMap { account in
      account.refunds.filter { !$0.isPaid }.map { (account.order, $0) }
    }
  }

  func account(_ order: UUID) throws(CheckoutError) -> OrderAccount {
    guard let account = accounts[order] else { throw .unknownOrder(order) }
    return account
  }

  func order(paidBy payment: String) -> Order? {
    payments[payment].flatMap { accounts[$0]?.order }
  }

  /// The account of the order that was placed with the key, if the key has not lapsed.
  func account(of key: IdempotencyKey, at reading: ClockReading) -> OrderAccount? {
    guard let kept = keys[key], kept.lifetime.isAlive(at: reading.uptime), reading.now < kept.end
    else { return nil }
    return accounts[kept.order]
  }

  mutating func dropLapsed(at uptime: Duration) {
    stock.dropLapsed(at: uptime)
    while let key = keyLapses.next(at: uptime) {
      if keys[key]?.lifetime.isAlive(at: uptime) == false { keys[key] = nil }
    }
  }

  /// Applies an entry to the state.
  ///
  /// - Parameter reading: The current time, from which the remaining lifetime of an order's key is
  ///   computed.
  mutating func apply(_ entry: ShopEntry, at reading: ClockReading) {
    switch entry {
    case .shop: break
    case .levels(let levels): stock.setLevels(levels)
    case .restocked(let lines): stock.add(lines)
    case .reserved(let reservation): stock.hold(reservation)
    case .released(let id): stock.release(id)
    case .agreed(let purchase):
      let known = purchases.updateValue(purchase, forKey: purchase.key)
      guard known == nil else { return }
      stock.release(purchase.reservation.id)
      stock.take(purchase.reservation.lines)
    case .abandoned(let key):
      guard let purchase = purchases.removeValue(forKey: key) else { return }
      stock.add(purchase.reservation.lines)
      stock.hold(purchase.reservation)
    case .placed(let account): place(account, reading)
    case .refund(let order, let refund):
      guard let goods = accounts[order]?.note(refund) else { return }
      stock.add(goods)
      noteRefunds(of: order)
    case .refundRefused(let order, let refund):
      accounts[order]?.forget(refund)
      noteRefunds(of: order)
    }
  }

  private mutating func place(_ account: OrderAccount, _ reading: ClockReading) {
    let order = account.order
    guard accounts.updateValue(account, forKey: order.id) == nil else { return }
    // The purchase is missing if its record was damaged; its goods are then still in stock. It is
    // also missing if the order is from a snapshot, which has no purchases of placed orders. Then
    // the last entry of the snapshot corrects the stock.
    if purchases.removeValue(forKey: account.key) == nil { stock.take(order.lines) }
    orderIDs.append(order.id)
    if let payment = order.payment { payments[payment] = order.id }
    let lifetime = MonotonicLifetime(
      lasting: keyLength, until: account.keyEnd, at: reading)
    keys[account.key] = KeptKey(order: order.id, end: account.keyEnd, lifetime: lifetime)
    keyLapses.add(account.key, end: lifetime.end)
    noteRefunds(of: order.id)
  }

  private mutating func noteRefunds(of order: UUID) {
    if accounts[order]?.refunds.allSatisfy(\.isPaid) ?? true {
      refunding.remove(order)
    } else {
      refunding.insert(order)
    }
  }

  /// Entries that produce the same state as the entries applied so far, and are usually fewer than
  /// those.
  var snapshot: [ShopEntry] {
    // Orders come before purchases, because applying an order removes the purchase with the order's
    // key. The key of an old order may have lapsed, and may belong to a purchase that is now under
    // way. Applying the old order must not remove this purchase.
    orderIDs.compactMap { accounts[$0] }.map(ShopEntry.placed)
      + stock.reservations.values.map(ShopEntry.reserved) + purchases.values.map(ShopEntry.agreed)
      // The levels come last, because applying the entries before them takes goods out of stock.
      + [.levels(stock.levels)]
  }
}
