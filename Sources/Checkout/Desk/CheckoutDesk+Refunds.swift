// SPDX-License-Identifier: Apache-2.0

internal import Ambient
public import Foundation

extension CheckoutDesk {
  /// Refunds an amount of an order, or the unrefunded rest. Once the paid refunds add up to the
  /// order's total, the goods that were not returned yet are restocked.
  ///
  /// An order that cost nothing can be refunded once, which restocks its goods.
  ///
  /// - Parameters:
  ///   - order: The identity of the order.
  ///   - amount: The amount, in the order's currency; nil for the unrefunded rest.
  /// - Returns: The refund, as stored in the books.
  /// - Throws: ``CheckoutError``: an unknown order, an amount larger than the rest, the payment's
  ///   error, or ``CheckoutError/books(_:)``. A refund with an unknown outcome reduces the rest as
  ///   if it were paid; ``settle()`` asks the payment service again to pay it.
  @discardableResult
  public func refund(_ order: UUID, _ amount: Money? = nil) async throws(CheckoutError) -> Refund {
    try await refund(order, amount.map { .amount($0) } ?? .rest)
  }

  /// Refunds the price of some of the goods of an order, and restocks them.
  ///
  /// If all goods are returned in several refunds, the refunds add up exactly to the order's total.
  ///
  /// - Parameters:
  ///   - order: The identity of the order.
  ///   - goods: The returned goods; at most the items of each product that were not returned yet.
  /// - Returns: The refund, as stored in the books.
  /// - Throws: The errors of ``refund(_:_:)-(UUID,Money?)``, or
  ///   ``CheckoutError/notInOrder(_:_:left:)``.
  @discardableResult
  public func refund(_ order: UUID, goods: [BasketLine]) async throws(CheckoutError) -> Refund {
    try await refund(order, .goods(goods))
  }

  /// Takes back goods that the buyer does not want, within the shop's period of withdrawal.
  ///
  /// - Parameters:
  ///   - order: The identity of the order.
  ///   - goods: The returned goods; nil for all goods of the order.
  ///   - delivered: The local day on which the goods were delivered.
  /// - Throws: The errors of ``refund(_:goods:)``, ``CheckoutError/noWithdrawal``, or
  ///   ``CheckoutError/lapsedWithdrawal(lastDay:)``.
  @discardableResult
  public func withdraw(
    _ order: UUID, goods: [BasketLine]? = nil, delivered: LocalDate
  ) async throws(CheckoutError) -> Refund {
    guard let right = shop.withdrawal else { throw .noWithdrawal }
    guard right.isOpen(delivered: delivered, at: Time.now) else {
      throw .lapsedWithdrawal(lastDay: right.lastDay(delivered: delivered))
    }
    return try await refund(order, goods.map { .goods($0) } ?? .rest)
  }

  private func refund(
    _ id: UUID, _ part: RefundPart
  ) async throws(CheckoutError) -> Refund {
    try await logged("refund refused") { () throws(CheckoutError) in
      let (order, refund) = try books.noteRefund(of: id, part)
      return try await pay(back: refund, of: order)
    }
  }

  /// Asks the payment service to pay a recorded refund, for the first time or again.
  ///
  /// Calls for one refund take turns. Otherwise one call could be refused, and remove the refund
  /// from the books, while the other is paid.
  func pay(back refund: Refund, of order: Order) async throws(CheckoutError) -> Refund {
    try await books.inTurn(refund, of: order.id) { () async throws(CheckoutError) in
      try await askToPay(back: refund, of: order)
    }
  }

  private func askToPay(
    back refund: Refund, of order: Order
  ) async throws(CheckoutError) -> Refund {
    if let payment = order.payment, refund.amount.minorUnits > 0 {
      let (payments, amount, reference) = (payments, refund.amount, refund.id.uuidString)
      do throws(PaymentError) {
        try await answer { () async throws(PaymentError) in
          try await payments.refund(amount, of: payment, reference: reference)
        }
      } catch {
        if case .unavailable = error {} else { try books.forget(refund, of: order.id) }
        throw .payment(error)
      }
    }
    let paid = try books.confirm(refund, of: order.id)
    log.info("order refunded", ["order": order.id, "amount": "\(refund.amount)"])
    analytics.track(.refund(order, paid))
    return paid
  }
}
