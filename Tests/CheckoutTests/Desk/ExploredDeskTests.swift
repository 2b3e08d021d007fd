// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientTesting
import Checkout
import TestSupport
import Testing

/// Buyers at one shop in many orders of their tasks, behind a line that loses, delays and refuses.
struct `Checkout schedules` {
  private static let noon = "2026-11-20T12:00:00-05:00"
  private static var schedules: Int { TestRun.rounds(60, all: 500, full: 5_000) }

  @Test(
    .log(NoLog()),
    .virtualTime(
      from: `Checkout schedules`.noon, schedules: `Checkout schedules`.schedules))
  func `in every task schedule, competing buyers don't buy more than the stock`() async throws {
    let scene = try Scene(PaymentLedger())
    await withTaskGroup(of: Void.self) { group in
      for buyer in 0..<4 {
        group.addTask { await scene.buy("grinder", at: scene.makeDesk(), key: "buyer \(buyer)") }
      }
    }
    try await scene.expectBalance()
  }

  @Test(
    .log(NoLog()),
    .virtualTime(
      from: `Checkout schedules`.noon, schedules: `Checkout schedules`.schedules))
  func `in every task schedule, requests with the same key place at most one order`() async throws {
    let scene = try Scene(PaymentLedger())
    let desks = (0..<2).map { _ in scene.makeDesk() }
    await withTaskGroup(of: Void.self) { group in
      for request in 0..<4 {
        group.addTask { await scene.buy("mug", at: desks[request % 2], key: "the same") }
      }
    }
    try await scene.expectBalance()
    #expect(scene.books.orders.count <= 1)
  }

  @Test(
    .log(NoLog()),
    .virtualTime(
      from: `Checkout schedules`.noon, schedules: `Checkout schedules`.schedules))
  func `in every task schedule, each payment is settled once while buyers pay`() async throws {
    let scene = try Scene(PaymentLedger())
    await withTaskGroup(of: Void.self) { group in
      for buyer in 0..<2 {
        group.addTask {
          let desk = scene.makeDesk()
          for _ in 0..<2 { await scene.buy("mug", at: desk, key: "buyer \(buyer)") }
        }
      }
      group.addTask {
        for _ in 0..<3 {
          _ = try? await scene.makeDesk().settle()
          try? await Time.sleep(for: .seconds(20))
        }
      }
    }
    try await scene.expectBalance()
  }

  @Test(.quiet)
  func `a search of 50 task schedules finds the bug of a payment ledger that forgets keys`()
    async throws
  {
    await #expect(throws: Scene.Imbalance.self) {
      try await Time.virtual(from: Self.noon, schedules: 50) { _ in
        try await Log.withInstance(NoLog()) {
          let scene = try Scene(ForgetfulLedger())
          await withTaskGroup(of: Void.self) { group in
            for buyer in 0..<4 {
              group.addTask { await scene.buy("mug", at: scene.makeDesk(), key: "buyer \(buyer)") }
            }
          }
          try await scene.expectBalance()
        }
      }
    }
    #expect(Test.reports.map(\.kind) == [.failedSchedule])
  }

  /// A ledger that knows no key but the latest one.
  private actor ForgetfulLedger: ChargingService {
    private var latest: (reference: String, payment: Payment)?
    private(set) var charged: [Money] = []

    func charge(
      _ charge: Charge, to method: PaymentMethod
    ) async throws(PaymentError) -> Payment {
      if let latest, latest.reference == charge.reference { return latest.payment }
      let payment = Payment("payment \(charged.count)", amount: charge.amount)
      latest = (charge.reference, payment)
      charged.append(charge.amount)
      return payment
    }

    func outcome(of reference: String) async throws(PaymentError) -> ChargeOutcome {
      guard let latest, latest.reference == reference else { return .notCharged }
      return .charged(latest.payment)
    }

    func refund(
      _ amount: Money, of payment: String, reference: String
    ) async throws(PaymentError) {}
  }
}

/// A payment service that shows the amounts that it has charged.
private protocol ChargingService: PaymentService {
  var charged: [Money] { get async }
}

extension PaymentLedger: ChargingService {
  fileprivate var charged: [Money] { entries.map(\.amount) }
}

/// A shop, its books, and a ledger behind an unreliable line.
private struct Scene {
  /// A fault of the accounts at the end.
  struct Imbalance: Error, CustomStringConvertible {
    let description: String
  }

  let shop: Shop
  let books: ShopStore
  private let ledger: any ChargingService
  private let line: UnreliableLine

  init(_ ledger: any ChargingService) throws {
    shop = try Shop.example()
    books = ShopStore(shop)
    self.ledger = ledger
    line = UnreliableLine(to: ledger)
  }

  func makeDesk() -> CheckoutDesk {
    let basket = BasketClient(
      store: MemoryBasketStore(), service: MemoryBasketService(), prices: shop.prices)
    return CheckoutDesk(shop: shop, basket: basket, books: books, payments: line)
  }

  /// Buys one of these goods. A failure is what the line's faults may bring.
  func buy(_ sku: SKU, at desk: CheckoutDesk, key: String) async {
    guard let key = try? IdempotencyKey(key) else { return }
    let card = PaymentMethod(.card, token: "tok_1")
    _ = try? await desk.checkout(CheckoutRequest([BasketLine(sku)], payment: card, key: key))
  }

  /// Mends the line, and lets all payments be settled and all reservations lapse. Then each payment
  /// must belong to one order with its amount, and the goods of the orders alone must be missing.
  func expectBalance() async throws {
    line.mend()
    let desk = makeDesk()
    while try await desk.settle() > 0 { try await Time.sleep(for: .seconds(60)) }
    try await Time.sleep(for: .seconds(86_400))
    let charged = await ledger.charged.map(\.minorUnits).sorted()
    let ordered = books.orders.map(\.total.minorUnits).sorted()
    guard charged == ordered else {
      throw Imbalance(description: "charged \(charged), ordered \(ordered)")
    }
    guard books.pending.isEmpty else { throw Imbalance(description: "a purchase is pending") }
    for sku: SKU in ["mug", "grinder"] {
      let sold = books.orders.flatMap(\.priced.lines).filter { $0.sku == sku }
        .reduce(0) { $0 + $1.quantity }
      let left = books.available(sku)
      guard sold + left == shop.stock[sku] else {
        throw Imbalance(description: "\(sold) \(sku) sold, and \(left) left")
      }
    }
  }
}
