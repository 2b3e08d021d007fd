// SPDX-License-Identifier: Apache-2.0

import Ambient
import Checkout
import CheckoutWiring
import Foundation

/// The folder given by `--store`: a basket, the shop's books and the payments, kept between runs.
struct ShopFolder: Sendable {
  let basket: FileBasketStore
  let books: ShopStore
  let ledger: PaymentLedger

  init(_ folder: String, _ shop: Shop) throws {
    basket = try FileBasketStore(folder: folder)
    books = try ShopStore(shop, folder: folder)
    ledger = try PaymentLedger(folder: folder)
  }
}

/// The checkout desk of a shop, whose basket, books and payments are in a folder, or in memory.
struct StoredDesk: Sendable {
  let desk: CheckoutDesk
  private let store: FileBasketStore?

  /// Creates the desk, whose services are connected in the style `wiring`.
  ///
  /// - Parameters:
  ///   - folder: The folder of the shop; nil for a new shop in memory.
  ///   - failure: The failure of the payment service, if it is to fail.
  ///   - lastStep: The step after which the program is killed, if any.
  init(
    shop: Shop, folder: ShopFolder?, failure: FailingPayments.Failure? = nil,
    lastStep: FailingPayments.Step? = nil, wiring: WiringStyle = .initializer
  ) throws {
    store = folder?.basket
    let basket: any BasketStore = store ?? MemoryBasketStore()
    let wired = wiring.shop(from: ShopParts(prices: shop.prices, store: basket))
    desk = CheckoutDesk(
      shop: shop, basket: try wired.client, books: folder?.books ?? ShopStore(shop),
      payments: FailingPayments(
        payments: folder?.ledger ?? PaymentLedger(), failure: failure, lastStep: lastStep))
  }

  /// Buys the goods of the basket and of the request. If the stored basket causes an error, the
  /// error also names the basket's file.
  func checkout(_ request: CheckoutRequest) async throws -> Order {
    try await StoredBasketError.naming(store) { () throws(CheckoutError) in
      try await desk.checkout(request)
    }
  }

  /// Asks for the outcome of earlier runs' payments and refunds.
  func settle() async throws -> Settlement {
    let (pending, refunds) = (desk.books.pending.count, try refunds)
    let before = Set(desk.books.orders.map(\.id))
    try await desk.settle()
    let (placed, left) = (desk.books.orders.filter { !before.contains($0.id) }, try self.refunds)
    let unknown = desk.books.pending.count
    let owed = refunds.filter { !$0.value }.keys
    return Settlement(
      placed: placed.map(\.id), unpaid: pending - unknown - placed.count, unknown: unknown,
      // A refund that the payment service has refused is no longer in the books.
      refunded: owed.count { left[$0] == true }, refused: owed.count { left[$0] == nil },
      unknownRefunds: owed.count { left[$0] == false })
  }

  /// Whether each refund in the books is paid, by the refund's identity.
  private var refunds: [UUID: Bool] {
    get throws {
      let all = try desk.books.orders.flatMap { try desk.books.refunds(of: $0.id) }
      return Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0.isPaid) })
    }
  }
}

/// The outcome of the payments and refunds that earlier runs left open.
struct Settlement: Hashable, Sendable, Encodable {
  /// The orders that are placed now, because they were paid.
  var placed: [UUID] = []
  /// The number of purchases that were not paid, and whose goods return to the stock.
  var unpaid = 0
  /// The number of purchases of which it is unknown whether they were paid.
  var unknown = 0
  var refunded = 0
  var refused = 0
  var unknownRefunds = 0

  /// A sentence for each number that is not zero.
  var lines: [String] {
    let counts = [
      ("not paid, with goods returned to the stock", unpaid),
      ("with an unknown payment", unknown), ("refunded now", refunded),
      ("with a rejected refund", refused), ("with an unknown refund", unknownRefunds),
    ]
    return placed.map { "An earlier run had paid: order \($0) is placed." }
      + counts.filter { $0.1 > 0 }.map { "Purchases of earlier runs \($0.0): \($0.1)." }
  }
}

/// The error of a stored basket that contains a product or a coupon that the shop does not accept.
struct StoredBasketError: Error, Hashable, Sendable, CustomStringConvertible {
  let path: String
  let error: CheckoutError

  /// Runs a step with the basket of the store. If the stored basket causes the step's error, throws
  /// a ``StoredBasketError``.
  static func naming<R>(
    _ store: FileBasketStore?, _ step: () async throws(CheckoutError) -> R
  ) async throws -> R {
    let before = try store?.load()
    do throws(CheckoutError) { return try await step() } catch {
      guard let store, let before, isAbout(before, error) else { throw error }
      throw Self(path: store.path, error: error)
    }
  }

  /// Whether the error is about a product, the coupon or the currencies of the basket.
  private static func isAbout(_ basket: Basket, _ error: CheckoutError) -> Bool {
    switch error {
    case .unknownSKU(let sku, _), .insufficientStock(let sku, _, _), .outsideSaleHours(let sku, _),
      .underAge(let sku, _), .unknownAge(let sku, _):
      basket.lines.contains { $0.sku == sku }
    case .mixedCurrencies: !basket.isEmpty
    case .unknownCoupon(let code, _), .lapsedCoupon(let code, _), .earlyCoupon(let code, _),
      .couponCurrency(let code, _, _), .couponMinimum(let code, _):
      basket.coupon == code.uppercased()
    default: false
    }
  }

  var description: String {
    """
    \(error); the checkout also buys the basket in \(path): change that basket with the basket \
    command and --remove SKU or --no-coupon
    """
  }
}
