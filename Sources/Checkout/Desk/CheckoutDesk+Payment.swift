internal import Ambient
internal import Foundation

/// The steps from the agreed price to the order. Each step is recorded in the books before the next
/// step.
extension CheckoutDesk {
  /// Returns the order that was placed with `key`; nil if the key is unused. For a pending
  /// purchase, first asks the payment service for the outcome. If no money was taken, charges the
  /// purchase again.
  func order(
    of key: IdempotencyKey, _ content: Purchase.Content, _ method: PaymentMethod
  ) async throws(CheckoutError) -> Order? {
    switch try books.use(of: key, for: content) {
    case .placed(let order): return order
    case .pending(let purchase):
      do throws(CheckoutError) {
        if let order = try await settle(purchase) { return order }
        return try await charge(purchase, method)
      } catch {
        if !books.isPending(purchase) { await takeBack(purchase) }
        throw error
      }
    case nil: return nil
    }
  }

  /// Buys the goods of a checkout. The goods are taken out of stock before the charge, so that no
  /// buyer pays for goods that are gone.
  func buy(
    _ checkout: OpenCheckout, _ method: PaymentMethod, _ key: IdempotencyKey,
    _ request: CheckoutRequest? = nil, earlierCoupon: String? = nil
  ) async throws(CheckoutError) -> Order {
    try checkout.check()
    // The hours of sale are checked again, because they may have ended after the checkout began.
    try checkHours(of: checkout.reservation.lines)
    let priced = checkout.quote.priced
    log.info("payment chosen", ["kind": method.kind.rawValue])
    analytics.track(.addPaymentInfo(priced, method.kind))
    let purchase = Purchase(
      key: key, priced: priced, agreedAt: time.now,
      content: request?.content ?? checkout.content, isRequest: request != nil,
      earlierCoupon: earlierCoupon, reservation: checkout.reservation, basket: checkout.basket)
    try books.agree(purchase)
    return try await charge(purchase, method)
  }

  /// Charges the agreed price of a purchase.
  private func charge(
    _ purchase: Purchase, _ method: PaymentMethod
  ) async throws(CheckoutError) -> Order {
    guard purchase.priced.total.minorUnits > 0 else { return try await place(purchase, nil) }
    let charge = try purchase.charge()
    let payment: Payment
    do throws(PaymentError) {
      let payments = payments
      books.noteAsked(purchase.key)
      let hear = { @Sendable late in await self.hear(late, of: purchase) }
      payment = try await answer(ended: hear) { () async throws(PaymentError) in
        try await payments.charge(charge, to: method)
      }
    } catch {
      if case .unavailable = error {
        if let order = try await settle(purchase) { return order }
      }
      try books.abandon(purchase)
      throw .payment(error)
    }
    return try await place(purchase, payment)
  }

  /// Records that the service has answered a charge. If the answer is a payment that came too late
  /// for the caller, places the order.
  private func hear(
    _ late: Result<Payment, PaymentError>?, of purchase: Purchase
  ) async {
    books.noteAnswered(purchase.key)
    guard case .success(let payment)? = late else { return }
    do throws(CheckoutError) {
      try await books.inTurn(purchase.key) { () async throws(CheckoutError) in
        guard let purchase = self.books.purchase(like: purchase) else { return }
        _ = try await self.place(purchase, payment)
      }
    } catch {
      log.warning("late payment not settled", ["reason": error.code])
    }
  }

  /// Asks the payment service for the outcome of a charge. Places and returns the order if money
  /// was taken; returns nil if no money was taken.
  ///
  /// - Throws: ``CheckoutError/paymentPending(_:)`` if the service does not know, cannot be
  ///   reached, or has not answered the charge yet; also the errors of `place`.
  private func settle(_ purchase: Purchase) async throws(CheckoutError) -> Order? {
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

  private func takeOut(_ purchase: Purchase) async {
    await updateBasket { () async throws(CheckoutError) in
      try await self.basket.settle(
        purchase.reservation.lines, coupon: purchase.priced.coupon, in: purchase.basket)
    }
  }

  /// Places the order of a purchase that was paid, or that costs nothing.
  private func place(
    _ purchase: Purchase, _ payment: Payment?
  ) async throws(CheckoutError) -> Order {
    let priced = purchase.priced
    if let payment, payment.amount != priced.total { try await giveBack(payment, of: purchase) }
    let now = time.now
    let order = Order(
      id: AmbientIdentifier.next(), placedAt: now, priced: priced, payment: payment?.name,
      shipDate: shop.delivery?.shipDateInCalendar(of: now),
      delivery: shop.delivery?.datesInCalendar(of: now),
      billing: shop.billing(of: priced.lines.map(\.sku), from: shop.zone.date(of: now)))
    let placed = try books.place(order, of: purchase)
    guard placed.id == order.id else {
      await takeBack(purchase)
      return placed
    }
    log.info("order placed", ["order": order.id, "total": "\(order.total)"])
    analytics.track(.purchase(order))
    if !purchase.isOutOfBasket { await takeOut(purchase) }
    return order
  }

  /// Restores the basket after a purchase that was not paid. If the bought goods were removed from
  /// the basket, puts them back. Then removes the goods that a `CheckoutRequest` had added.
  private func takeBack(_ purchase: Purchase) async {
    let (added, bought) = (purchase.content.lines, purchase.reservation.lines)
    let coupon = purchase.priced.coupon
    // A request without a coupon left the basket's coupon unchanged, so that coupon is also the
    // earlier one.
    let earlier = purchase.content.coupon == nil ? coupon : purchase.earlierCoupon
    await updateBasket { () async throws(CheckoutError) in
      if purchase.isOutOfBasket {
        try await self.basket.putBack(
          bought, coupon: purchase.isRequest ? earlier : coupon, in: purchase.basket)
      }
      guard purchase.isRequest else { return }
      try await self.basket.takeBack(
        added, replacing: coupon, with: earlier, in: purchase.basket)
    }
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
    try books.abandon(purchase)
    throw .payment(.otherAmount(payment.amount, asked: purchase.priced.total))
  }

  /// Waits for the payment service's answer, for as long as the shop's terms allow.
  ///
  /// Neither the end of that time nor a cancellation of the caller cancels the call to the service,
  /// so that no charge is interrupted. Where time stands still, the wait has no limit.
  ///
  /// - Parameter ended: Called when the service has answered: with the answer if it came too late
  ///   for the caller, otherwise with nil.
  func answer<R: Sendable>(
    ended: @escaping @Sendable (Result<R, PaymentError>?) async -> Void = { _ in },
    _ ask: @escaping @Sendable () async throws(PaymentError) -> R
  ) async throws(PaymentError) -> R {
    let length = shop.terms.payment
    let result: Result<R, PaymentError> = await withCheckedContinuation { continuation in
      let first = FirstAnswer(continuation)
      let limit = Time.task(name: "limit of a payment") {
        try await Time.sleep(for: length)
        first.give(.failure(.unavailable("no answer within \(length)")))
      }
      Time.task(name: "payment") {
        let answer: Result<R, PaymentError>
        do throws(PaymentError) { answer = .success(try await ask()) } catch {
          answer = .failure(error)
        }
        limit.cancel()
        if first.isOpen { await ended(nil) }
        if !first.give(answer) { await ended(answer) }
      }
    }
    return try result.get()
  }
}

extension CheckoutDesk {
  /// Asks the payment service again about each purchase and refund with an unknown outcome. If the
  /// books are in a folder, call this method at the start of the program, and from time to time.
  ///
  /// - Returns: The number of purchases and refunds whose outcome is still unknown.
  /// - Throws: ``CheckoutError/books(_:)``.
  @discardableResult
  public func settle() async throws(CheckoutError) -> Int {
    for purchase in books.pending {
      do throws(CheckoutError) {
        try await books.inTurn(purchase.key) { () async throws(CheckoutError) in
          guard self.books.isPending(purchase) else { return }
          guard try await self.settle(purchase) == nil else { return }
          try self.books.abandon(purchase)
          await self.takeBack(purchase)
        }
      } catch {
        if case .books = error { throw error }
        log.warning("payment not settled", ["reason": error.code])
      }
    }
    for (order, refund) in books.unsettledRefunds {
      do throws(CheckoutError) { _ = try await pay(back: refund, of: order) } catch {
        if case .books = error { throw error }
        log.warning("refund not settled", ["reason": error.code])
      }
    }
    return books.pending.count + books.unsettledRefunds.count
  }
}
