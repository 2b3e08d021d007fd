// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// The permanent record of an order in the shop's books: the order, the idempotency key and the
/// content of its purchase, and its refunds.
struct OrderAccount: Hashable, Sendable, Codable {
  let order: Order
  let key: IdempotencyKey
  let content: Purchase.Content
  /// The wall time from which the key may be used for another order.
  let keyEnd: Date
  private(set) var refunds: [Refund] = []

  init(_ order: Order, of purchase: Purchase, keyEnd: Date) {
    self.order = order
    key = purchase.key
    content = purchase.content
    self.keyEnd = keyEnd
  }

  /// Stores a refund. The refund replaces an earlier version of itself, for example the unpaid
  /// version of a refund that is now paid.
  ///
  /// - Returns: The goods that count as returned after this call, but did not before it. The caller
  ///   must add them to the stock.
  mutating func note(_ refund: Refund) -> [BasketLine] {
    let before = returned
    if let index = refunds.firstIndex(where: { $0.id == refund.id }) {
      refunds[index] = refund
    } else {
      refunds.append(refund)
    }
    let now = returned
    return order.priced.lines.compactMap {
      let count = now[$0.sku, default: 0] - before[$0.sku, default: 0]
      return count > 0 ? try? BasketLine($0.sku, count) : nil
    }
  }

  /// Removes a refund that the payment service has refused.
  mutating func forget(_ refund: UUID) { refunds.removeAll { $0.id == refund && !$0.isPaid } }

  /// The number of returned items of each product: the items of paid refunds, or all items once the
  /// paid refunds add up to the total.
  private var returned: [SKU: Int] {
    let paid = refunds.filter(\.isPaid)
    let isUndone = !paid.isEmpty && sum(of: paid) == order.total.minorUnits
    return isUndone ? counts(order.lines) : counts(paid.flatMap(\.lines))
  }

  private func counts(_ lines: [BasketLine]) -> [SKU: Int] {
    Dictionary(lines.map { ($0.sku, $0.quantity) }, uniquingKeysWith: +)
  }

  private func sum(of refunds: [Refund]) -> Int64 {
    // The sum cannot overflow, because it is at most the total of the order.
    refunds.reduce(0) { $0 + $1.amount.minorUnits }
  }

  /// The total of the order minus all refunds, paid and unpaid.
  private var left: Money {
    Money(minorUnits: order.total.minorUnits - sum(of: refunds), order.total.currency)
  }

  private var taxLeft: Money {
    let back = refunds.reduce(0) { $0 + $1.tax.minorUnits }
    return Money(minorUnits: order.priced.tax.minorUnits - back, order.total.currency)
  }

  /// Computes the refund of a part of the order.
  ///
  /// - Throws: ``CheckoutError/refundTooLarge(_:left:)``, or another error for an amount in another
  ///   currency, for no goods, or for goods that were not bought or were returned already.
  func refund(_ part: RefundPart, id: UUID) throws(CheckoutError) -> Refund {
    var lines: [BasketLine] = []
    let amount: Money
    var tax: Money?
    switch part {
    case .rest: amount = left
    case .amount(let wanted): amount = wanted
    case .goods(let goods):
      lines = goods
      (amount, tax) = try price(of: goods)
    }
    let rest: Money
    do throws(MoneyError) { rest = try left.subtracting(amount) } catch { throw .money(error) }
    // A refund of zero is allowed for returned goods, and once for an order that cost nothing.
    let isFree = order.total.minorUnits == 0 && refunds.isEmpty || !lines.isEmpty
    guard amount.minorUnits > 0 || (amount.minorUnits == 0 && isFree), !rest.isNegative else {
      throw .refundTooLarge(amount, left: left)
    }
    let taxes = taxLeft.split(by: [amount, rest])
    return Refund(
      id: id, amount: amount, tax: tax ?? taxes[0], lines: lines, isPaid: false)
  }

  /// Returns the price that was paid for the goods, and the tax in this price. Each price is a
  /// difference of cumulative sums. Therefore, if all goods are returned in several parts, the
  /// prices of the parts add up to the total.
  private func price(of goods: [BasketLine]) throws(CheckoutError) -> (paid: Money, tax: Money) {
    guard !goods.isEmpty else { throw .emptyBasket }
    var before = counts(refunds.flatMap(\.lines))
    var (paid, tax): (Int64, Int64) = (0, 0)
    for line in goods {
      let bought = order.priced.lines.first { $0.sku == line.sku }
      let back = before[line.sku, default: 0]
      let left = (bought?.quantity ?? 0) - back
      guard let bought, line.quantity <= left else {
        throw .notInOrder(line.sku, line.quantity, left: left)
      }
      let (start, end) = (Int128(back), Int128(back + line.quantity))
      let whole = Int128(bought.quantity)
      paid += bought.paid.part(end, of: whole) - bought.paid.part(start, of: whole)
      tax += bought.tax.part(end, of: whole) - bought.tax.part(start, of: whole)
      before[line.sku] = back + line.quantity
    }
    let currency = order.total.currency
    return (Money(minorUnits: paid, currency), Money(minorUnits: tax, currency))
  }
}
