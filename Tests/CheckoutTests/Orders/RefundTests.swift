// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientTesting
import Checkout
import Foundation
import TestSupport
import Testing

@Suite(.frozen(at: "2026-11-20T12:00:00-05:00")) struct `Refunds` {
  private let payments = ScriptedPayments()
  private let card = PaymentMethod(.card, token: "tok_1")

  private func order(
    _ desk: CheckoutDesk, _ lines: [BasketLine], coupon: String? = nil
  ) async throws -> Order {
    try await desk.checkout(CheckoutRequest(lines, coupon: coupon, payment: card))
  }

  private func makeDesk(_ shop: Shop? = nil) throws -> CheckoutDesk {
    Log.instance = NoLog()
    return CheckoutDesk(shop: try shop ?? Shop.example(), payments: payments)
  }

  @Test func `a refund uses the shop's books, not the caller's copy of the order`() async throws {
    let desk = try makeDesk()
    let order = try await order(desk, [BasketLine("coffee")])
    let edited = try JSONSerialization.jsonObject(with: JSONEncoder().encode(order))
    var fields = try #require(edited as? [String: Any])
    var priced = try #require(fields["priced"] as? [String: Any])
    priced["total"] = "100000.00 USD"
    fields["priced"] = priced
    let data = try JSONSerialization.data(withJSONObject: fields)
    let copy = try JSONDecoder().decode(Order.self, from: data)
    #expect(try copy.total == Money("100000.00 USD"))
    #expect(try await desk.refund(copy.id).amount == order.total)
    let stranger = UUID()
    await #expect(throws: CheckoutError.unknownOrder(stranger)) {
      try await desk.refund(stranger)
    }
  }

  @Test func `refunds of all lines add up to the payment, however they are split`() async throws {
    var numbers = SeededNumbers(11)
    for _ in 0..<200 {
      let desk = try makeDesk()
      var lines: [BasketLine] = []
      for sku in ["coffee", "mug", "filters"] as [SKU] where Bool.random(using: &numbers) {
        lines.append(try BasketLine(sku, Int.random(in: 1...9, using: &numbers)))
      }
      guard !lines.isEmpty else { continue }
      let order = try await order(
        desk, lines, coupon: Bool.random(using: &numbers) ? "WELCOME10" : nil)
      var units = lines.flatMap { line in Array(repeating: line.sku, count: line.quantity) }
      units.shuffle(using: &numbers)
      var sum = Money.zero(order.total.currency)
      var tax = sum
      while !units.isEmpty {
        let count = Int.random(in: 1...units.count, using: &numbers)
        let goods = try Dictionary(grouping: units.prefix(count), by: \.self)
          .map { try BasketLine($0.key, $0.value.count) }
        units.removeFirst(count)
        let refund = try await desk.refund(order.id, goods: goods)
        sum = try sum.adding(refund.amount)
        tax = try tax.adding(refund.tax)
      }
      #expect(sum == order.total && tax == order.priced.tax)
      for (sku, count) in desk.shop.stock { #expect(desk.books.available(sku) == count) }
      await #expect(throws: CheckoutError.notInOrder(lines[0].sku, 1, left: 0)) {
        try await desk.refund(order.id, goods: [try BasketLine(lines[0].sku)])
      }
    }
  }

  @Test func `a refund restocks only goods that were bought and not yet refunded`() async throws {
    let desk = try makeDesk()
    let order = try await order(desk, [BasketLine("coffee", 2)])
    for (sku, count, left) in [("coffee" as SKU, 3, 2), ("mug", 1, 0)] {
      await #expect(throws: CheckoutError.notInOrder(sku, count, left: left)) {
        try await desk.refund(order.id, goods: [try BasketLine(sku, count)])
      }
    }
    await #expect(throws: CheckoutError.emptyBasket) {
      try await desk.refund(order.id, goods: [])
    }
    await #expect(throws: CheckoutError.notInOrder("coffee", 1, left: 0)) {
      try await desk.refund(
        order.id, goods: [BasketLine("coffee"), BasketLine("coffee"), BasketLine("coffee")])
    }
    try await desk.refund(order.id, goods: [BasketLine("coffee")])
    #expect(desk.books.available("coffee") == 119)
    try await desk.refund(order.id)
    #expect(desk.books.available("coffee") == 120)
  }

  @Test func `a refund without a response logs a warning at each attempt`()
    async throws
  {
    let desk = try makeDesk()
    let order = try await order(desk, [BasketLine("coffee", 2)])
    let log = LogRecorder()
    Log.instance = log
    let down = PaymentError.unavailable("down")
    await payments.script(refunds: [.fail(down), .fail(down)])
    await #expect(throws: CheckoutError.payment(down)) { try await desk.refund(order.id) }
    #expect(try await desk.settle() == 1)
    #expect(try await desk.settle() == 0)
    #expect(
      log.told == [
        "warning refund refused", "warning refund not settled", "info order refunded",
      ])
  }

  @Test func `a refund of a free order restocks its goods once`() async throws {
    let shop = try Shop(
      name: "Gifts", zone: Zone("UTC"),
      products: [Product(sku: "card", name: "A card", price: Money("0.00 USD"))],
      stock: ["card": 3], tax: TaxSchedule(rates: []))
    let desk = try makeDesk(shop)
    let order = try await order(desk, [BasketLine("card", 2)])
    #expect(order.payment == nil && desk.books.available("card") == 1)
    let less = try Money("-0.01 USD")
    await #expect(throws: CheckoutError.refundTooLarge(less, left: order.total)) {
      try await desk.refund(order.id, less)
    }
    #expect(try await desk.refund(order.id).amount == order.total)
    #expect(desk.books.available("card") == 3)
    await #expect(throws: CheckoutError.refundTooLarge(order.total, left: order.total)) {
      try await desk.refund(order.id)
    }
    #expect(await payments.asked == [])
  }

  @Test func `a refund of free goods restocks them without a payment call`() async throws {
    let shop = try Shop(
      name: "Gifts", zone: Zone("UTC"),
      products: [
        Product(sku: "card", name: "A card", price: Money("0.00 USD")),
        Product(sku: "mug", name: "A mug", price: Money("5.00 USD")),
      ],
      stock: ["card": 3, "mug": 3], tax: TaxSchedule(rates: []))
    let desk = try makeDesk(shop)
    let order = try await order(desk, [BasketLine("card", 2), BasketLine("mug")])
    let free = try await desk.refund(order.id, goods: [BasketLine("card", 2)])
    #expect(free.isPaid && free.amount.minorUnits == 0)
    #expect(await payments.refundReferences == [])
    #expect(desk.books.available("card") == 3)
    let paid = try await desk.refund(order.id, goods: [BasketLine("mug")])
    #expect(paid.isPaid && paid.amount.minorUnits == 500)
    #expect(await payments.refundReferences == [paid.id.uuidString])
    #expect(desk.books.available("mug") == 3)
  }

  @Test func `goods can be withdrawn only within the withdrawal period`() async throws {
    let desk = try makeDesk()
    let order = try await order(desk, [BasketLine("coffee", 2)])
    let delivered = try LocalDate("2026-11-24")
    let last = try LocalDate("2026-12-08")
    try await Time.freeze(at: "2026-12-08T23:59:59.999-05:00") {
      _ = try await desk.withdraw(order.id, goods: [BasketLine("coffee")], delivered: delivered)
    }
    #expect(desk.books.available("coffee") == 119)
    _ = try await Time.freeze(at: "2026-12-09T00:00:00-05:00") {
      await #expect(throws: CheckoutError.lapsedWithdrawal(lastDay: last)) {
        try await desk.withdraw(order.id, delivered: delivered)
      }
    }
    let hard = try makeDesk(Shop.example(terms: "{}", withdrawal: "null"))
    await #expect(throws: CheckoutError.noWithdrawal) {
      try await hard.withdraw(order.id, delivered: delivered)
    }
  }

  @Test func `a refund can be one cent or leave one cent, but not be negative`()
    async throws
  {
    let desk = try makeDesk()
    let order = try await order(desk, [BasketLine("coffee")])
    let cent = try Money("0.01 USD")
    let less = try Money("-0.01 USD")
    await #expect(throws: CheckoutError.refundTooLarge(less, left: order.total)) {
      try await desk.refund(order.id, less)
    }
    let left = try order.total.subtracting(cent)
    #expect(try await desk.refund(order.id, left).amount == left)
    #expect(desk.books.available("coffee") == 119)
    #expect(try await desk.refund(order.id, cent).amount == cent)
    #expect(desk.books.available("coffee") == 120)
  }

  @Test func `when a refund is declined, another pending refund of the order stays pending`()
    async throws
  {
    let desk = try makeDesk()
    let order = try await order(desk, [BasketLine("coffee", 2)])
    let errors = [PaymentError.unavailable("down"), .declined]
    await payments.script(refunds: errors.map { .fail($0) })
    for error in errors {
      await #expect(throws: CheckoutError.payment(error)) {
        try await desk.refund(order.id, Money("1.00 USD"))
      }
    }
    #expect(try desk.books.refunds(of: order.id).map(\.isPaid) == [false])
    #expect(try await desk.settle() == 0)
    #expect(try desk.books.refunds(of: order.id).map(\.isPaid) == [true])
  }

  @Test func `a declined refund is dropped, and a refund with a lost response is retried`()
    async throws
  {
    let desk = try makeDesk()
    let order = try await order(desk, [BasketLine("coffee", 2)])
    await payments.script(refunds: [.fail(.declined), .loseAnswer])
    await #expect(throws: CheckoutError.payment(.declined)) { try await desk.refund(order.id) }
    #expect(try desk.books.refunds(of: order.id) == [])
    await #expect(throws: CheckoutError.payment(.unavailable("down"))) {
      try await desk.refund(order.id)
    }
    #expect(try desk.books.refunds(of: order.id).map(\.isPaid) == [false])
    #expect(desk.books.available("coffee") == 118)
    #expect(try await desk.settle() == 0)
    #expect(desk.books.available("coffee") == 120)
    // One charge and one refund, though the ledger was asked for the refund twice.
    #expect(await payments.ledger.entries.count == 2)
  }
}
