// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientTesting
import Checkout
import Foundation
import TestSupport
import Testing

@Suite(.frozen(at: "2026-11-30T23:50:00-05:00")) struct `Payments` {
  private let payments = ScriptedPayments(PaymentLedger(refusing: ["tok_stolen"]))
  private let card = PaymentMethod(.card, token: "tok_1")
  private let store = MemoryBasketStore()

  private func makeDesk(_ log: Log = NoLog()) throws -> CheckoutDesk {
    Log.instance = log
    return CheckoutDesk(shop: try Shop.example(), store: store, payments: payments)
  }

  private func begin(_ desk: CheckoutDesk, _ quantity: Int = 1) async throws -> OpenCheckout {
    try await desk.basket.add("mug", quantity)
    return try await desk.begin()
  }

  @Test func `a payment whose response is lost is found at the service and charged only once`()
    async throws
  {
    let desk = try makeDesk()
    let checkout = try await begin(desk)
    await payments.script(charges: [.loseAnswer])
    let order = try await desk.pay(checkout, with: card)
    #expect(try await desk.pay(checkout, with: card) == order)
    #expect(await payments.ledger.entries.map(\.amount) == [order.total])
    #expect(desk.books.orders == [order] && desk.books.available("mug") == 39)
    #expect(await payments.asked == ["charge", "outcome"])
  }

  @Test func `a failed payment keeps the reservation and isn't pending`() async throws {
    let desk = try makeDesk()
    let checkout = try await begin(desk, 40)
    let down = PaymentError.unavailable("down")
    await payments.script(charges: [.fail(down)])
    await #expect(throws: CheckoutError.payment(down)) {
      try await desk.pay(checkout, with: card)
    }
    #expect(checkout.reservation.isHeld && desk.books.pending.isEmpty)
    #expect(desk.books.available("mug") == 0)
    desk.books.release(checkout.reservation)
    #expect(desk.books.available("mug") == 40)
  }

  @Test func `a pending payment keeps its goods and price until the outcome is known`() async throws
  {
    let desk = try makeDesk()
    let checkout = try await begin(desk)
    let down = PaymentError.unavailable("down")
    await payments.script(charges: [.loseAnswer], outcomes: [.fail(down), .loseAnswer])
    let pending = CheckoutError.paymentPending("\(checkout.key)")
    await #expect(throws: pending) { try await desk.pay(checkout, with: card) }
    #expect(desk.books.pending.map(\.key) == [checkout.key])
    // Black Friday has ended, and so have the session, the price and the reservation.
    try await Time.freeze(at: "2026-12-02T00:00:00-05:00") {
      await #expect(throws: pending) { try await desk.pay(checkout, with: card) }
      #expect(desk.books.available("mug") == 39)
      let order = try await desk.pay(checkout, with: card)
      #expect(order.total == checkout.quote.priced.total)
      #expect(await payments.ledger.entries.map(\.amount) == [order.total])
    }
    #expect(desk.books.pending.isEmpty && desk.books.available("mug") == 39)
    #expect(store.load()?.isEmpty == true)
  }

  @Test func `the time limit of a hanging payment runs in a named task`() async throws {
    try await Time.virtual(from: "2026-11-30T23:50:00-05:00") { time in
      let desk = try makeDesk()
      let checkout = try await begin(desk)
      let limit = desk.shop.terms.payment
      await payments.script(charges: [.hang])
      let paying = Time.task { [card] in try await desk.pay(checkout, with: card) }
      try await time.advance(by: limit - .milliseconds(1))
      #expect(time.sleepers.compactMap(\.task).contains("limit of a payment"))
      #expect(await payments.asked == ["charge"])
      try await time.advance(by: .milliseconds(1))
      #expect(!time.sleepers.compactMap(\.task).contains("limit of a payment"))
      await payments.wakeAll()
      await #expect(throws: CheckoutError.self) { try await paying.value }
    }
  }

  @Test func `a hanging payment that outlasts its virtual time scope is named in the report`()
    async throws
  {
    let reports = Reports()
    try await Diagnostics.withInstance(reports) {
      try await Time.virtual(from: "2026-11-30T23:50:00-05:00") { _ in
        let desk = try makeDesk()
        let checkout = try await begin(desk)
        await payments.script(charges: [.hang])
        await #expect(throws: CheckoutError.self) { try await desk.pay(checkout, with: card) }
      }
    }
    await payments.wakeAll()
    let told = reports.all.filter { $0.kind == .leftover }.map(\.message)
    #expect(told.count == 1 && told.first?.contains("Time.task “payment” at ") == true, "\(told)")
  }

  @Test func `a repeated checkout charges the agreed total, not the current total`() async throws {
    let desk = try makeDesk()
    let request = CheckoutRequest(
      [try BasketLine("grinder")], payment: card, key: try IdempotencyKey("k"))
    let down = PaymentError.unavailable("down")
    await payments.script(charges: [.fail(down)], outcomes: [.fail(down)])
    await #expect(throws: CheckoutError.paymentPending("\(request.key)")) {
      try await desk.checkout(request)
    }
    let agreed = try #require(desk.books.pending.first).priced.total
    try await Time.freeze(at: "2026-12-02T00:00:00-05:00") {
      let order = try await desk.checkout(request)
      #expect(order.total == agreed)
      #expect(try desk.shop.prices.price(order.basket()).total != agreed)
      #expect(await payments.ledger.entries.map(\.amount) == [agreed])
    }
    #expect(store.load()?.isEmpty == true)
  }

  @Test func `if a pending payment is refused later, the request's goods leave the basket`()
    async throws
  {
    let down = PaymentError.unavailable("down")
    for isAskedByShop in [true, false] {
      let desk = try makeDesk()
      try await desk.basket.add("mug")
      let stolen = CheckoutRequest(
        [try BasketLine("mug", 2)], payment: PaymentMethod(.card, token: "tok_stolen"))
      await payments.script(charges: [.fail(down)], outcomes: [.fail(down)])
      await #expect(throws: CheckoutError.paymentPending("\(stolen.key)")) {
        try await desk.checkout(stolen)
      }
      if isAskedByShop {
        #expect(try await desk.settle() == 0)
      } else {
        await #expect(throws: CheckoutError.payment(.declined)) {
          try await desk.checkout(stolen)
        }
      }
      #expect(store.load()?.lines == [try BasketLine("mug")])
      try await desk.basket.clear()
    }
  }

  @Test func `a pending payment logs a warning, and a later refusal logs the restored basket`()
    async throws
  {
    let log = LogRecorder()
    let desk = try makeDesk(log)
    let down = PaymentError.unavailable("down")
    let stolen = CheckoutRequest(
      [try BasketLine("mug", 2)], payment: PaymentMethod(.card, token: "tok_stolen"))
    await payments.script(charges: [.fail(down)], outcomes: [.fail(down), .fail(down)])
    await #expect(throws: CheckoutError.paymentPending("\(stolen.key)")) {
      try await desk.checkout(stolen)
    }
    #expect(try await desk.settle() == 1)
    #expect(try await desk.settle() == 0)
    #expect(
      log.told == [
        "info product viewed", "info added to basket", "info checkout begun",
        "info payment chosen", "debug bought goods taken out of the basket",
        "warning order not placed", "warning payment not settled",
        "info basket put back as it was",
      ])
  }

  @Test(arguments: [nil, "BIGSPENDER"])
  func `if a pending payment is refused later, the basket's earlier coupon is restored`(
    coupon: String?
  ) async throws {
    let down = PaymentError.unavailable("down")
    let desk = try makeDesk()
    try await desk.basket.add("coffee", 20)
    try await desk.basket.use(coupon: "WELCOME10")
    let stolen = CheckoutRequest(
      [try BasketLine("coffee", 5)], coupon: coupon,
      payment: PaymentMethod(.card, token: "tok_stolen"))
    await payments.script(charges: [.fail(down)], outcomes: [.fail(down)])
    await #expect(throws: CheckoutError.paymentPending("\(stolen.key)")) {
      try await desk.checkout(stolen)
    }
    #expect(store.load()?.lines == [] && store.load()?.coupon == nil)
    #expect(try await desk.settle() == 0)
    #expect(store.load()?.lines == [try BasketLine("coffee", 20)])
    #expect(store.load()?.coupon == "WELCOME10")
  }

  @Test
  func `settle() restores the coupon of an unpaid checkout if the basket has no other coupon`()
    async throws
  {
    let desk = try makeDesk()
    let down = PaymentError.unavailable("down")
    for (other, kept) in [(nil, "WELCOME10"), ("BIGSPENDER", "BIGSPENDER")] as [(String?, String)] {
      try await desk.basket.add("coffee", 20)
      try await desk.basket.use(coupon: "WELCOME10")
      let checkout = try await desk.begin()
      await payments.script(charges: [.fail(down)], outcomes: [.fail(down)])
      await #expect(throws: CheckoutError.paymentPending("\(checkout.key)")) {
        try await desk.pay(checkout, with: PaymentMethod(.card, token: "tok_stolen"))
      }
      #expect(store.load()?.lines == [] && store.load()?.coupon == nil)
      try await desk.basket.add("coffee", 15)
      if let other { try await desk.basket.use(coupon: other) }
      #expect(try await desk.settle() == 0)
      #expect(store.load()?.lines == [try BasketLine("coffee", 35)])
      #expect(store.load()?.coupon == kept)
      try await desk.basket.clear()
    }
  }

  @Test func `CheckoutDesk.settle() completes a pending payment`() async throws {
    let desk = try makeDesk()
    let checkout = try await begin(desk)
    let down = PaymentError.unavailable("down")
    await payments.script(charges: [.loseAnswer], outcomes: [.fail(down), .fail(down)])
    await #expect(throws: CheckoutError.paymentPending("\(checkout.key)")) {
      try await desk.pay(checkout, with: card)
    }
    #expect(try await desk.settle() == 1)
    #expect(try await desk.settle() == 0)
    #expect(desk.books.orders.map(\.total) == [checkout.quote.priced.total])
    #expect(try await desk.pay(checkout, with: card) == desk.books.orders.first)
  }

  @Test func `a payment of the wrong amount is refunded, and nothing is sold`() async throws {
    let desk = try makeDesk()
    let checkout = try await begin(desk)
    let other = try Money("999.00 USD")
    await payments.script(charges: [.take(other)], refunds: [.fail(.unavailable("down"))])
    await #expect(throws: CheckoutError.paymentPending("\(checkout.key)")) {
      try await desk.pay(checkout, with: card)
    }
    let asked = checkout.quote.priced.total
    await #expect(throws: CheckoutError.payment(.otherAmount(other, asked: asked))) {
      try await desk.pay(checkout, with: card)
    }
    #expect(await payments.ledger.entries.map(\.amount.minorUnits) == [99_900, -99_900])
    #expect(desk.books.orders.isEmpty && desk.books.pending.isEmpty)
  }

  @Test func `all attempts to refund a payment of the wrong amount use the same reference`()
    async throws
  {
    let desk = try makeDesk()
    let checkout = try await begin(desk)
    let down = PaymentError.unavailable("down")
    await payments.script(
      charges: [.take(try Money("999.00 USD"))], refunds: [.fail(down), .loseAnswer])
    for _ in 0..<3 {
      await #expect(throws: CheckoutError.self) { try await desk.pay(checkout, with: card) }
    }
    let reference = "\(checkout.key)-undone"
    #expect(await payments.refundReferences == [reference, reference, reference])
    #expect(await payments.ledger.entries.map(\.amount.minorUnits) == [99_900, -99_900])
  }

  @Test func `a payment of one cent is charged and refunded`() async throws {
    Log.instance = NoLog()
    let shop = try Shop(
      name: "Pins", zone: Zone("UTC"),
      products: [Product(sku: "pin", name: "A pin", price: Money("0.01 USD"))],
      stock: ["pin": 3], tax: TaxSchedule(rates: []))
    let desk = CheckoutDesk(shop: shop, payments: payments)
    try await desk.basket.add("pin")
    let order = try await desk.pay(desk.begin(), with: card)
    #expect(order.payment != nil)
    #expect(try await desk.refund(order.id).isPaid)
    #expect(await payments.asked == ["charge", "refund"])
    #expect(await payments.ledger.entries.map(\.amount.minorUnits) == [1, -1])
  }

  @Test func `a payment reference is valid for only one amount, payer and basket`() async throws {
    let ledger = PaymentLedger()
    let lines = [try BasketLine("mug")]
    let first = try Charge(Money("1.00 USD"), for: lines, reference: "r")
    let payment = try await ledger.charge(first, to: card)
    #expect(try await ledger.charge(first, to: card) == payment)
    let others = [
      (try Charge(Money("2.00 USD"), for: lines, reference: "r"), card),
      (try Charge(Money("1.00 USD"), for: [try BasketLine("mug", 2)], reference: "r"), card),
      (first, PaymentMethod(.card, token: "tok_2")),
      (first, PaymentMethod(.wallet, token: "tok_1")),
    ]
    for (charge, method) in others {
      await #expect(throws: PaymentError.referenceReused) {
        try await ledger.charge(charge, to: method)
      }
    }
    let negative = try Money("-1.00 USD")
    #expect(throws: PaymentError.badAmount(negative)) {
      try Charge(negative, for: lines, reference: "r")
    }
    for amount in [try Money("1.01 USD"), negative, try Money("1.00 EUR")] {
      await #expect(throws: PaymentError.badAmount(amount)) {
        try await ledger.refund(amount, of: payment.name, reference: "s")
      }
    }
    #expect(await ledger.entries.count == 1)
  }

  @Test func `each partial refund is paid once, and refunds can't exceed the payment`() async throws
  {
    let ledger = PaymentLedger()
    let charge = try Charge(Money("1.00 USD"), for: [BasketLine("mug")], reference: "r")
    let payment = try await ledger.charge(charge, to: card).name
    func refund(_ amount: String, _ reference: String, of payment: String) async throws {
      try await ledger.refund(Money(amount), of: payment, reference: reference)
    }
    await #expect(throws: PaymentError.unknownPayment("none")) {
      try await refund("0.40 USD", "a", of: "none")
    }
    for _ in 0..<2 { try await refund("0.40 USD", "a", of: payment) }
    await #expect(throws: PaymentError.referenceReused) {
      try await refund("0.41 USD", "a", of: payment)
    }
    let (more, cent) = (try Money("0.61 USD"), try Money("0.01 USD"))
    await #expect(throws: PaymentError.badAmount(more)) {
      try await refund("0.61 USD", "b", of: payment)
    }
    try await refund("0.60 USD", "b", of: payment)
    await #expect(throws: PaymentError.badAmount(cent)) {
      try await refund("0.01 USD", "c", of: payment)
    }
    try await refund("0.00 USD", "c", of: payment)
    #expect(await ledger.entries.map(\.amount.minorUnits) == [100, -40, -60, 0])
    #expect(await Set(ledger.entries.map(\.payment)) == [payment])
  }
}

@Suite(.virtualTime(from: "2026-11-20T12:00:00-05:00")) struct `Unresponsive payment services` {
  private let card = PaymentMethod(.card, token: "tok_1")

  @Test func `a payment times out after the shop's limit, and a late response places the order`()
    async throws
  {
    Log.instance = NoLog()
    let payments = ScriptedPayments()
    let desk = CheckoutDesk(
      shop: try Shop.example(terms: #"{ "paymentSeconds": 20 }"#), payments: payments)
    try await desk.basket.add("mug")
    let checkout = try await desk.begin()
    await payments.script(charges: [.hang])
    let start = Time.uptime
    let pending = CheckoutError.paymentPending("\(checkout.key)")
    await #expect(throws: pending) { try await desk.pay(checkout, with: card) }
    #expect(Time.uptime - start == .seconds(20))
    // The service says that nothing was charged, and has the charge still in hand.
    await #expect(throws: pending) { try await desk.pay(checkout, with: card) }
    #expect(try await desk.settle() == 1)
    #expect(await payments.asked == ["charge"])
    await payments.wakeAll()
    while desk.books.orders.isEmpty { try await Time.sleep(for: .seconds(1)) }
    #expect(try await desk.settle() == 0)
    #expect(await payments.ledger.entries.map(\.amount) == [checkout.quote.priced.total])
    #expect(try await desk.basket.basket().isEmpty)
    #expect(try await desk.pay(checkout, with: card) == desk.books.orders.first)
  }

  /// Takes another amount, and says so after a minute.
  private struct LatePayments: PaymentService {
    let amount: Money

    func charge(_ charge: Charge, to method: PaymentMethod) async throws(PaymentError) -> Payment {
      try? await Time.sleep(for: .seconds(60))
      return Payment("late", amount: amount)
    }

    func outcome(of reference: String) async throws(PaymentError) -> ChargeOutcome { .unknown }

    func refund(
      _ amount: Money, of payment: String, reference: String
    ) async throws(PaymentError) {}
  }

  @Test func `a late payment of the wrong amount is logged as a warning`() async throws {
    let log = LogRecorder()
    Log.instance = log
    let payments = LatePayments(amount: try Money("999.00 USD"))
    let desk = CheckoutDesk(shop: try Shop.example(), payments: payments)
    try await desk.basket.add("mug")
    let checkout = try await desk.begin()
    await #expect(throws: CheckoutError.paymentPending("\(checkout.key)")) {
      try await desk.pay(checkout, with: card)
    }
    try await Time.sleep(for: .seconds(60))
    #expect(log.told.last == "warning late payment not settled")
    #expect(log.records.last?.metadata["reason"] == "payment")
    #expect(desk.books.orders.isEmpty && desk.books.pending.isEmpty)
  }
}

extension Order {
  /// A basket with the same goods.
  fileprivate func basket() throws -> Basket {
    var basket = Basket()
    for line in priced.lines { try basket.add(BasketLine(line.sku, line.quantity)) }
    return basket
  }
}
