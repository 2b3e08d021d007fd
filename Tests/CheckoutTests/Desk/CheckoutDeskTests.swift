// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientTesting
import Checkout
import Foundation
import Testing

@Suite(.frozen(at: "2026-11-27T00:00:00-05:00")) struct `Checkout desk` {
  private let log = LogRecorder()
  private let recorder = AnalyticsRecorder()
  private let store = MemoryBasketStore()
  private let payments = PaymentLedger(refusing: ["tok_stolen"])
  private let card = PaymentMethod(.card, token: "tok_4242424242424242")

  private func makeDesk() throws -> CheckoutDesk {
    Log.instance = log
    Analytics.instance = recorder
    return CheckoutDesk(shop: try Shop.example(), store: store, payments: payments)
  }

  private func request(_ key: String = "key-1", _ lines: [BasketLine]? = nil) throws
    -> CheckoutRequest
  {
    CheckoutRequest(
      try lines ?? [BasketLine("coffee", 2), BasketLine("mug")], coupon: "WELCOME10",
      payment: card, key: try IdempotencyKey(key))
  }

  @Test func `a purchase and its refund track and log each step`() async throws {
    let desk = try makeDesk()
    let order = try await desk.checkout(request())
    #expect(try order.total == Money("29.76 USD"))
    #expect(order.placedAt == Time.now)
    #expect(order.shipDate?.description == "2026-11-27")
    #expect(order.delivery?.description == "2026-12-02 to 2026-12-04")
    #expect(order.fiscalDay(in: desk.shop.zone).isoWeek.description == "2026-W48")
    #expect(store.load()?.isEmpty == true)
    #expect(desk.books.available("coffee") == 118)
    let refund = try await desk.refund(order.id)
    #expect(desk.books.available("coffee") == 120)

    let coffee = try desk.shop.catalogue.product("coffee")
    let mug = try desk.shop.catalogue.product("mug")
    #expect(
      recorder.events == [
        .viewItem(coffee), .viewItem(mug), .addToCart(coffee, quantity: 2),
        .addToCart(mug, quantity: 1), .beginCheckout(order.priced),
        .addPaymentInfo(order.priced, .card), .purchase(order), .refund(order, refund),
      ])
    #expect(
      log.told == [
        "info product viewed", "info product viewed", "info added to basket",
        "info added to basket", "info coupon applied", "info checkout begun",
        "info payment chosen", "info order placed", "debug bought goods taken out of the basket",
        "info order refunded",
      ])
  }

  @Test func `a refused request to the checkout desk is logged as a warning with the reason`()
    async throws
  {
    let desk = try makeDesk()
    let day = try LocalDate("2100-01-01")
    await #expect(throws: CheckoutError.notYetBorn(day)) { try await desk.begin(born: day) }
    await #expect(throws: CheckoutError.unknownSKU("bicycle", nearest: nil)) {
      try await desk.checkout(request("key-1", [BasketLine("bicycle")]))
    }
    let stranger = UUID()
    await #expect(throws: CheckoutError.unknownOrder(stranger)) {
      try await desk.refund(stranger)
    }
    #expect(
      log.told == [
        "warning checkout not begun", "warning order not placed", "warning refund refused",
      ])
    let reasons = log.records.compactMap { $0.metadata["reason"] }
    #expect(
      reasons == [.string("not_yet_born"), .string("unknown_sku"), .string("unknown_order")])
  }

  @Test
  func `if a basket update fails after payment, the order is placed and an error is logged`()
    async throws
  {
    Log.instance = log
    let desk = CheckoutDesk(
      shop: try Shop.example(), store: FillingStore(changes: 1), payments: payments)
    try await desk.basket.add("mug")
    let order = try await desk.pay(desk.begin(), with: card)
    #expect(desk.books.orders == [order])
    #expect(
      log.told == [
        "info added to basket", "info checkout begun", "info payment chosen",
        "info order placed", "warning basket not changed",
        "error basket not up to date after the checkout",
      ])
  }

  @Test func `within a day, a request with the same idempotency key returns the same order`()
    async throws
  {
    let desk = try makeDesk()
    let order = try await desk.checkout(request())
    let later = FixedTime(at: Time.now + 86_399.999, uptime: Time.uptime + .seconds(86_399.999))
    let again = try await Time.withInstance(later) { try await desk.checkout(request()) }
    #expect(again == order)
    #expect(desk.books.orders == [order])
    #expect(await payments.entries.count == 1)
  }

  @Test func `checkout events have their standard names and fields`() async throws {
    let desk = try makeDesk()
    let order = try await desk.checkout(request())
    let basket: AmbientFields = [
      "tax": 2.43, "currency": "USD", "value": 29.76,
      "items": AmbientValue.array([
        .fields([
          "item_id": "coffee", "item_name": "House blend, 250 g", "price": 10.5,
          "quantity": 2, "discount": 3.5, "promotion_name": "Black Friday",
        ]),
        .fields([
          "item_id": "mug", "item_name": "Stoneware mug", "price": 9.37, "quantity": 1,
          "discount": 3.13, "promotion_name": "Black Friday",
        ]),
      ]), "coupon": "WELCOME10",
    ]
    let sale: AmbientFields = ["transaction_id": order.id]
    #expect(
      recorder.events.suffix(3) == [
        Event("begin_checkout", basket),
        Event("add_payment_info", basket.merging(["payment_type": "card"])),
        Event("purchase", sale.merging(basket)),
      ])
    #expect(
      recorder.events.map(\.name) == [
        "view_item", "view_item", "add_to_cart", "add_to_cart", "begin_checkout",
        "add_payment_info", "purchase",
      ])
  }

  @Test func `logs and events don't contain the buyer's payment token, birth date or keys`()
    async throws
  {
    let desk = try makeDesk()
    let order = try await desk.checkout(request())
    try await desk.refund(order.id, Money("1.00 USD"))
    _ = try? await desk.checkout(request("key-2", [BasketLine("jane@example.org")]))
    let stolen = CheckoutRequest(
      [try BasketLine("liqueur")], payment: PaymentMethod(.card, token: "tok_stolen"),
      born: try LocalDate("1980-02-29"), key: try IdempotencyKey("key-3"))
    await #expect(throws: CheckoutError.payment(.declined)) { try await desk.checkout(stolen) }
    let basket = try #require(store.load()).id.uuidString
    let said = log.records.map { "\($0)" } + recorder.events.map { "\($0)" }
    #expect(said.count > 20)
    for secret in ["42424242", "tok_", "jane", "1980-02-29", "key-1", "key-3", basket] {
      #expect(!said.contains { $0.contains(secret) }, "\(secret)")
    }
    #expect(!"\(card)".contains("4242"))
    #expect(!String(reflecting: card).contains("4242"))
    var dumped = ""
    dump(card, to: &dumped)
    #expect(!dumped.contains("4242"))
  }

  @Test func `a quoted price stays valid after its promotion ends, until the quote lapses`()
    async throws
  {
    let desk = try makeDesk()
    try await Time.freeze(at: "2026-11-30T23:50:00-05:00") {
      try await desk.basket.add("grinder")
      let checkout = try await desk.begin()
      let locked = checkout.quote.priced.total
      try await Time.freeze(at: "2026-12-01T00:04:59.999-05:00") {
        let current = try await desk.basket.price().total
        #expect(current.minorUnits > locked.minorUnits)
        try checkout.check()
      }
      try await Time.freeze(at: "2026-12-01T00:05:00-05:00") {
        let error = CheckoutError.lapsedQuote(until: Time.now)
        await #expect(throws: error) { try await desk.pay(checkout, with: card) }
      }
      #expect(await payments.entries == [])
      #expect(store.load()?.lines == [try BasketLine("grinder")])
    }
  }

  @Test func `a checkout's reservation lapses on time even if the wall clock is set back`()
    async throws
  {
    let desk = try makeDesk()
    try await desk.basket.add("grinder", 3)
    let checkout = try await desk.begin()
    let later = FixedTime(
      at: Time.now.addingTimeInterval(-3_600), uptime: Time.uptime + .seconds(900))
    await Time.withInstance(later) {
      let error = CheckoutError.lapsedReservation(after: .seconds(900))
      await #expect(throws: error) { try await desk.pay(checkout, with: card) }
      #expect(desk.books.available("grinder") == 3)
    }
    #expect(await payments.entries == [])
  }

  @Test func `reserved goods cannot be reserved again before they are released`() async throws {
    let desk = try makeDesk()
    try await desk.basket.add("grinder", 3)
    let first = try await desk.begin()
    let error = CheckoutError.insufficientStock("grinder", wanted: 3, available: 0)
    await #expect(throws: error) { try await desk.begin() }
    desk.books.release(first.reservation)
    _ = try await desk.begin()
  }

  @Test func `a checkout session's length must be 30 minutes to 24 hours`() async throws {
    let desk = try makeDesk()
    try await desk.basket.add("coffee")
    for seconds in [1_799, 86_401, 0, -1] {
      let length = Duration.seconds(seconds)
      await #expect(throws: CheckoutError.sessionLength(length)) {
        try await desk.begin(lasting: length)
      }
    }
    let session = try await desk.begin(lasting: .seconds(1_800)).session
    _ = try await desk.begin(lasting: .seconds(86_400))
    Time.instance = FixedTime(at: session.expiresAt)
    #expect(throws: CheckoutError.lapsedSession(until: session.expiresAt)) { try session.check() }
  }

  @Test func `1,000 concurrent buyers get and pay for exactly the ten items in stock`() async throws
  {
    Log.instance = NoLog()
    Analytics.instance = NoAnalytics()
    let buyers = 1_000
    let shop = try Shop.example()
    let books = ShopStore(shop)
    let all = try books.reserve([BasketLine("coffee", 110)], for: .seconds(60))
    let results = await withTaskGroup(of: Result<Order, CheckoutError>.self) { group in
      for _ in 0..<buyers {
        group.addTask {
          let basket = BasketClient(
            store: MemoryBasketStore(), service: MemoryBasketService(), prices: shop.prices)
          let desk = CheckoutDesk(shop: shop, basket: basket, books: books, payments: payments)
          do throws(CheckoutError) {
            return .success(
              try await desk.checkout(
                CheckoutRequest([try BasketLine("coffee")], payment: card)))
          } catch {
            return .failure(error)
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    let sold = results.compactMap { try? $0.get() }
    #expect(sold.count == 10 && books.orders.count == 10)
    #expect(await payments.entries.count == 10)
    let told = results.filter {
      $0 == .failure(.insufficientStock("coffee", wanted: 1, available: 0))
    }
    #expect(told.count == buyers - 10)
    books.release(all)
    #expect(books.available("coffee") == 110)
  }

  @Test func `a declined payment keeps the reservation for another attempt`() async throws {
    let desk = try makeDesk()
    try await desk.basket.add("coffee", 20)
    let checkout = try await desk.begin()
    let stolen = PaymentMethod(.card, token: "tok_stolen")
    await #expect(throws: CheckoutError.payment(.declined)) {
      try await desk.pay(checkout, with: stolen)
    }
    #expect(desk.books.available("coffee") == 100)
    _ = try await desk.pay(checkout, with: card)
    #expect(desk.books.available("coffee") == 100)
  }

  @Test func `restricted goods are sold only in their sales hours and to buyers old enough`()
    async throws
  {
    let desk = try makeDesk()
    try await desk.basket.add("liqueur")
    let adult = try LocalDate("2000-01-01")
    func begin(at text: String, born: LocalDate?) async throws {
      try await Time.freeze(at: text) {
        desk.books.release(try await desk.begin(born: born).reservation)
      }
    }
    let hours = try #require(try desk.shop.catalogue.product("liqueur").saleHours)
    let closed = CheckoutError.outsideSaleHours("liqueur", hours)
    try await begin(at: "2026-11-01T01:15:00-04:00", born: adult)
    await #expect(throws: closed) { try await begin(at: "2026-11-01T01:45:00-04:00", born: adult) }
    try await begin(at: "2026-11-01T01:15:00-05:00", born: adult)
    await #expect(throws: closed) { try await begin(at: "2026-11-01T01:30:00-05:00", born: adult) }
    let noon = "2026-11-02T12:00:00-05:00"
    try await begin(at: noon, born: LocalDate("2005-11-02"))
    for (born, error) in [
      (nil, CheckoutError.unknownAge("liqueur", years: 21)),
      (try LocalDate("2005-11-03"), .underAge("liqueur", years: 21)),
      (try LocalDate("2026-11-02"), .underAge("liqueur", years: 21)),
      (try LocalDate("2026-11-03"), .notYetBorn(try LocalDate("2026-11-03"))),
    ] {
      await #expect(throws: error) { try await begin(at: noon, born: born) }
    }
  }

  @Test func `the age limit of restricted goods applies at any position in the basket`()
    async throws
  {
    let desk = try makeDesk()
    try await desk.basket.add([
      BasketLine("coffee"), BasketLine("liqueur"), BasketLine("mug"),
    ])
    try await Time.freeze(at: "2026-11-02T12:00:00-05:00") {
      for (born, error) in [
        (nil, CheckoutError.unknownAge("liqueur", years: 21)),
        (try LocalDate("2005-11-03"), .underAge("liqueur", years: 21)),
      ] {
        await #expect(throws: error) { try await desk.begin(born: born) }
      }
      _ = try await desk.begin(born: LocalDate("2005-11-02"))
    }
  }

  @Test func `an order omits a shipping or delivery date after the year 9999`() async throws {
    for (instant, shipDate) in [
      ("9999-12-30T12:00:00Z", "9999-12-30"), ("9999-12-31T12:00:00Z", "9999-12-31"),
      ("9999-12-31T23:59:59Z", nil),
    ] {
      try await Time.freeze(at: instant) {
        let order = try await makeDesk().checkout(
          CheckoutRequest([BasketLine("mug")], payment: card))
        #expect(order.shipDate?.description == shipDate)
        #expect(order.delivery == nil)
      }
    }
  }

  @Test func `restricted goods are refused if their sales hours end before the payment`()
    async throws
  {
    let desk = try makeDesk()
    try await desk.basket.add("liqueur")
    let hours = try #require(try desk.shop.catalogue.product("liqueur").saleHours)
    try await Time.freeze(at: "2026-11-28T01:29:00-05:00") {
      let checkout = try await desk.begin(born: LocalDate("2000-01-01"))
      try await Time.freeze(at: "2026-11-28T01:30:00-05:00") {
        let closed = CheckoutError.outsideSaleHours("liqueur", hours)
        await #expect(throws: closed) { try await desk.pay(checkout, with: card) }
      }
      #expect(await payments.entries == [])
      _ = try await desk.pay(checkout, with: card)
    }
  }
}
