// SPDX-License-Identifier: Apache-2.0

import Ambient
import Checkout
import Foundation

/// A program for tests: keeps a shop in a folder.
///
/// - `run FOLDER` sells and refunds with four buyers at once, until it is killed.
/// - `audit FOLDER` says what it was killed in, settles what is open, and whether ledger, orders and
///   stock agree.
/// - `hold FOLDER` has the folder until it is killed.
@main enum ShopKeeper {
  private static let stock: [SKU: Int] = ["coffee": 5_000, "mug": 5_000]

  static func main() async throws {
    Log.instance = NoLog()
    let (command, folder) = (CommandLine.arguments[1], CommandLine.arguments[2])
    if command == "audit" { print("snapshot \(isInSnapshot(folder) ? 1 : 0)") }
    let shop = try Shop(
      name: "Small", zone: Zone("UTC"),
      products: [
        Product(sku: "coffee", name: "Coffee", price: Money("3.33 USD")),
        Product(sku: "mug", name: "Mug", price: Money("7.77 USD")),
      ], stock: stock,
      tax: TaxSchedule(rates: [.init(from: LocalDate("2020-01-01"), percent: Percentage(19))]))
    let books = try ShopStore(shop, folder: folder, snapshotSize: 16_384)
    let ledger = try LedgerFile(folder + "/ledger", isReliable: command == "audit")
    @Sendable func desk() -> CheckoutDesk {
      CheckoutDesk(
        shop: shop,
        basket: BasketClient(
          store: MemoryBasketStore(), service: MemoryBasketService(), prices: shop.prices),
        books: books, payments: ledger)
    }
    switch command {
    case "hold":
      print("held")
      while true { sleep(60) }
    case "run":
      try await desk().settle()
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<4 { group.addTask { await trade(desk(), books) } }
      }
    default: try await audit(desk(), books, ledger)
    }
  }

  private static func isInSnapshot(_ folder: String) -> Bool {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.contains { $0.hasPrefix("shop.records.") && $0.hasSuffix(".new") }
  }

  private static func trade(_ desk: CheckoutDesk, _ books: ShopStore) async {
    while true {
      let method = PaymentMethod(.card, token: "tok")
      let lines = [
        try? BasketLine("coffee", .random(in: 1...3)),
        Bool.random() ? try? BasketLine("mug", .random(in: 1...3)) : nil,
      ].compactMap(\.self)
      let request = CheckoutRequest(lines, payment: method)
      for _ in 0..<2 where (try? await desk.checkout(request)) == nil {}
      guard Int.random(in: 0..<3) == 0, let order = books.orders.randomElement() else { continue }
      switch Int.random(in: 0..<3) {
      case 0: _ = try? await desk.refund(order.id)
      case 1: _ = try? await desk.refund(order.id, Money("0.50 USD"))
      default: _ = try? await desk.refund(order.id, goods: [BasketLine("coffee")])
      }
      if Int.random(in: 0..<10) == 0 { _ = try? await desk.settle() }
    }
  }

  private static func audit(
    _ desk: CheckoutDesk, _ books: ShopStore, _ ledger: LedgerFile
  ) async throws {
    let charged = Set(await ledger.lines.map(\.reference))
    let pending = books.pending
    print("noted \(pending.count { !charged.contains("\($0.key)") })")
    print("charged \(pending.count { charged.contains("\($0.key)") })")
    print("unsettled \(try await desk.settle())")
    var faults: [String] = []
    var left = Dictionary(
      await ledger.lines.map { ($0.payment, $0.minorUnits) }, uniquingKeysWith: +)
    var sold: [SKU: Int] = [:]
    for order in books.orders {
      let refunds = try books.refunds(of: order.id)
      let kept = order.total.minorUnits - refunds.reduce(0) { $0 + $1.amount.minorUnits }
      let paid = left.removeValue(forKey: order.payment ?? "")
      if paid != kept { faults.append("\(order.id) is paid \(paid ?? 0), and keeps \(kept)") }
      for line in order.priced.lines where kept > 0 {
        let back = refunds.flatMap(\.lines).filter { $0.sku == line.sku }
        sold[line.sku, default: 0] += line.quantity - back.reduce(0) { $0 + $1.quantity }
      }
    }
    for (payment, amount) in left where amount != 0 {
      faults.append("\(payment) of \(amount) has no order")
    }
    // When no reservation of the killed program is held any more.
    Time.withInstance(FixedTime(at: Time.now, uptime: Time.uptime + .seconds(100_000))) {
      for (sku, count) in stock where books.available(sku) != count - sold[sku, default: 0] {
        faults.append("\(books.available(sku)) of \(sku), and \(sold[sku, default: 0]) sold")
      }
    }
    print("orders \(books.orders.count)")
    print("damaged \(books.damagedRecords ?? "none")")
    print("faults \(faults.isEmpty ? "none" : faults.joined(separator: "; "))")
  }
}
