// SPDX-License-Identifier: Apache-2.0

internal import Ambient
internal import Foundation

/// The steps from an open checkout to the order. The books record the purchase before the charge,
/// and the order after it.
extension CheckoutDesk {
  /// Records a purchase, and takes its goods out of stock. This comes before the charge, so that no
  /// buyer pays for goods that are gone.
  ///
  /// - Parameters:
  ///   - request: The request, if its lines were added to the basket for this purchase only.
  ///   - earlierCoupon: The coupon that the basket had before the request.
  func agree(
    _ checkout: OpenCheckout, _ method: PaymentMethod, _ key: IdempotencyKey,
    of request: CheckoutRequest? = nil, earlierCoupon: String? = nil
  ) throws(CheckoutError) -> Purchase {
    let priced = checkout.quote.priced
    log.info("payment chosen", ["kind": method.kind.rawValue])
    analytics.track(.addPaymentInfo(priced, method.kind))
    let purchase = Purchase(
      key: key, priced: priced, agreedAt: Time.now,
      content: request?.content ?? checkout.content, isRequest: request != nil,
      earlierCoupon: earlierCoupon, reservation: checkout.reservation, basket: checkout.basket)
    try books.agree(purchase)
    return purchase
  }

  /// Charges the agreed price of a purchase, and places the order.
  func charge(
    _ purchase: Purchase, _ method: PaymentMethod
  ) async throws(CheckoutError) -> Order {
    guard purchase.priced.total.minorUnits > 0 else { return try await place(purchase, nil) }
    let charge = try purchase.charge()
    let payment: Payment
    do throws(PaymentError) {
      let (books, payments) = (books, payments)
      books.noteAsked(purchase.key)
      let accept = { @Sendable payment in await self.accept(payment, of: purchase) }
      payment = try await answer(accept: accept) { () async throws(PaymentError) in
        defer { books.noteAnswered(purchase.key) }
        return try await payments.charge(charge, to: method)
      }
    } catch {
      if case .unavailable = error, let order = try await orderIfCharged(purchase) { return order }
      try await abandon(purchase)
      throw .payment(error)
    }
    return try await place(purchase, payment)
  }

  /// Places the order of a purchase that was paid, or that costs nothing.
  private func place(
    _ purchase: Purchase, _ payment: Payment?
  ) async throws(CheckoutError) -> Order {
    let priced = purchase.priced
    if let payment, payment.amount != priced.total { try await giveBack(payment, of: purchase) }
    let now = Time.now
    let order = Order(
      id: AmbientIdentifier.next(), placedAt: now, priced: priced, payment: payment?.name,
      shipDate: shop.delivery?.shipDateInCalendar(of: now),
      delivery: shop.delivery?.datesInCalendar(of: now),
      billing: shop.billing(of: priced.lines.map(\.sku), from: shop.zone.date(of: now)))
    let placed = try books.place(order, of: purchase)
    guard placed.id == order.id else {
      await restoreBasket(of: purchase)
      return placed
    }
    log.info("order placed", ["order": order.id, "total": "\(order.total)"])
    analytics.track(.purchase(order))
    if !purchase.isOutOfBasket { await takeOut(purchase) }
    return order
  }

  /// Refunds a payment whose amount differs from the agreed one, and returns the goods to the
  /// stock.
  private func giveBack(
    _ payment: Payment, of purchase: Purchase
  ) async throws(CheckoutError) -> Never {
    do throws(PaymentError) {
      let (payments, reference) = (payments, "\(purchase.key)-undone")
      try await answer { () async throws(PaymentError) in
        try await payments.refund(payment.amount, of: payment.name, reference: reference)
      }
    } catch {
      throw try await pending(purchase)
    }
    try await abandon(purchase)
    throw .payment(.otherAmount(payment.amount, asked: purchase.priced.total))
  }

  /// Ends a purchase that was not paid.
  private func abandon(_ purchase: Purchase) async throws(CheckoutError) {
    try books.abandon(purchase)
    await restoreBasket(of: purchase)
  }

  /// Waits for the payment service's answer, for as long as the shop's terms allow.
  ///
  /// - Parameter accept: Gets a result that comes too late for the caller.
  func answer<R: Sendable>(
    accept: @escaping @Sendable (R) async -> Void = { _ in },
    _ ask: @escaping @Sendable () async throws(PaymentError) -> R
  ) async throws(PaymentError) -> R {
    let limit = shop.terms.payment
    return try await FirstAnswer.wait(
      within: limit, for: "payment", late: .unavailable("no answer within \(limit)"),
      accept: accept, ask)
  }
}

/// The steps of a purchase whose outcome was unknown for a while.
extension CheckoutDesk {
  /// Continues a purchase that an earlier call has recorded: asks the payment service for the
  /// outcome and, if no money was taken, charges the purchase again.
  func resume(
    _ purchase: Purchase, _ method: PaymentMethod
  ) async throws(CheckoutError) -> Order {
    if let order = try await orderIfCharged(purchase) { return order }
    return try await charge(purchase, method)
  }

  /// Asks the payment service for the outcome of a charge. Places and returns the order if money
  /// was taken; returns nil if no money was taken.
  ///
  /// - Throws: ``CheckoutError/paymentPending(_:)`` if the service does not know, cannot be
  ///   reached, or has not answered the charge yet; also the errors of `place`.
  private func orderIfCharged(_ purchase: Purchase) async throws(CheckoutError) -> Order? {
    // While a charge is unanswered, the service may answer `notCharged` and take the money later.
    guard !books.isUnanswered(purchase.key) else { throw try await pending(purchase) }
    let outcome: ChargeOutcome
    do throws(PaymentError) {
      let (payments, reference) = (payments, "\(purchase.key)")
      outcome = try await answer { () async throws(PaymentError) in
        try await payments.outcome(of: reference)
      }
    } catch {
      outcome = .unknown
    }
    switch outcome {
    case .charged(let payment): return try await place(purchase, payment)
    case .notCharged: return nil
    case .unknown: throw try await pending(purchase)
    }
  }

  /// Removes the goods of a pending purchase from the basket, so that another checkout does not buy
  /// them again. Returns the error to throw.
  private func pending(_ purchase: Purchase) async throws(CheckoutError) -> CheckoutError {
    if !purchase.isOutOfBasket {
      try books.noteOutOfBasket(purchase)
      await takeOut(purchase)
    }
    return .paymentPending("\(purchase.key)")
  }

  /// Places the order for a payment that came too late for the caller.
  private func accept(_ payment: Payment, of purchase: Purchase) async {
    do throws(CheckoutError) {
      try await books.inTurn(purchase) { purchase async throws(CheckoutError) in
        _ = try await place(purchase, payment)
      }
    } catch {
      log.warning("late payment not settled", ["reason": error.code])
    }
  }

  /// Asks the payment service again about each purchase and refund with an unknown outcome. If the
  /// books are in a folder, call this method at the start of the program, and from time to time.
  ///
  /// - Returns: The number of purchases and refunds whose outcome is still unknown.
  /// - Throws: ``CheckoutError/books(_:)``.
  @discardableResult
  public func settle() async throws(CheckoutError) -> Int {
    var unknown = 0
    for purchase in books.pending {
      do throws(CheckoutError) {
        try await books.inTurn(purchase) { purchase async throws(CheckoutError) in
          if try await orderIfCharged(purchase) == nil { try await abandon(purchase) }
        }
      } catch {
        if case .books = error { throw error }
        if case .paymentPending = error { unknown += 1 }
        log.warning("payment not settled", ["reason": error.code])
      }
    }
    for (order, refund) in books.unsettledRefunds {
      do throws(CheckoutError) { _ = try await pay(back: refund, of: order) } catch {
        if case .books = error { throw error }
        if case .payment(.unavailable) = error { unknown += 1 }
        log.warning("refund not settled", ["reason": error.code])
      }
    }
    return unknown
  }
}
