internal import Ambient
internal import Foundation

/// The steps from the agreed price to the order, each noted in the books before the next.
extension CheckoutDesk {
  /// Returns the order of that key; nil if the key is unused. A pending payment is settled first,
  /// and charged if no money was taken.
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

  /// Takes the goods before the money, so that no buyer pays for goods that are gone.
  func buy(
    _ checkout: OpenCheckout, _ method: PaymentMethod, _ key: IdempotencyKey,
    _ request: CheckoutRequest? = nil
  ) async throws(CheckoutError) -> Order {
    try checkout.check()
    try checkHours(of: checkout.reservation.lines)  // the sale is now, not when it began
    let priced = checkout.quote.priced
    log.info("payment chosen", ["kind": method.kind.rawValue])
    analytics.track(.addPaymentInfo(priced, method.kind))
    let purchase = Purchase(
      key: key, priced: priced, agreedAt: time.now,
      content: request?.content ?? checkout.content, isRequest: request != nil,
      reservation: checkout.reservation, basket: checkout.basket)
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

  /// Notes that a charge was answered; if its caller had stopped waiting, places the order.
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

  /// Asks the payment service for the outcome of a charge: its order, or nil if no money was taken.
  ///
  /// - Throws: ``CheckoutError/paymentPending(_:)`` if the service does not know, cannot be
  ///   reached, or has not answered the charge yet.
  private func settle(_ purchase: Purchase) async throws(CheckoutError) -> Order? {
    // While the charge is under way, money may be taken after an answer that none was.
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

  /// Removes the goods from the basket, so that another checkout does not buy them again.
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
      id: Identifier.next(), placedAt: now, priced: priced, payment: payment?.name,
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

  /// Restores the basket after a purchase that was not paid: removes the goods of a request, and
  /// puts all others back.
  private func takeBack(_ purchase: Purchase) async {
    let (content, bought) = (purchase.content, purchase.reservation.lines)
    await updateBasket { () async throws(CheckoutError) in
      if purchase.isOutOfBasket {
        try await self.basket.putBack(
          bought, coupon: purchase.isRequest ? nil : purchase.priced.coupon, in: purchase.basket)
      }
      guard purchase.isRequest else { return }
      try await self.basket.takeBack(
        content.lines, replacing: content.coupon, with: nil, in: purchase.basket)
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
  /// The service goes on after that limit, and after a cancellation of the buyer, so that no charge
  /// is interrupted. Where time stands still, the wait has no limit.
  ///
  /// - Parameter ended: Called when the service has answered; its argument is an answer that came
  ///   too late.
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

/// Resumes a caller with the first answer, and drops a later one.
private final class FirstAnswer<R: Sendable>: Sendable {
  private let caller: Guarded<CheckedContinuation<Result<R, PaymentError>, Never>?>

  init(_ caller: CheckedContinuation<Result<R, PaymentError>, Never>) {
    self.caller = Guarded(caller)
  }

  /// Whether no answer has arrived yet.
  var isOpen: Bool { caller.withLock { $0 != nil } }

  /// Returns whether the answer is the first.
  @discardableResult
  func give(_ answer: Result<R, PaymentError>) -> Bool {
    guard let caller = caller.withLock({ $0.take() }) else { return false }
    caller.resume(returning: answer)
    return true
  }
}

extension CheckoutDesk {
  /// Asks the payment service again about each purchase and refund with an unknown outcome. Call it
  /// when a program starts whose books are in a folder, and from time to time.
  ///
  /// - Returns: The number of payments that are still unknown.
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
