import Ambient
import Checkout
import CheckoutWiring
import Foundation

/// The checkout desk of a shop, with a basket that is loaded from `store`.
///
/// If the store has no basket, or if there is no store, the basket is empty at first.
///
/// The basket is changed in memory first. If a command fails halfway, the stored basket is
/// unchanged, so that a second try does not add the same goods twice. `save()` makes the same
/// changes in the store.
struct StoredDesk: Sendable {
  let desk: CheckoutDesk
  private let store: FileBasketStore?
  private let basket: MemoryBasketStore
  /// The basket as it was last read or saved. `save()` compares it with the present basket, to find
  /// the changes that this process has made since then.
  private let saved: MemoryBasketStore

  /// Creates the desk, whose services are connected in the style `wiring`.
  ///
  /// - Parameters:
  ///   - books: The stock and the orders; nil for a new shop.
  ///   - payments: The payment service; nil for a new ledger.
  init(
    shop: Shop, store: FileBasketStore?, books: ShopStore? = nil,
    payments: (any PaymentService)? = nil, wiring: WiringStyle = .initializer
  ) throws {
    self.store = store
    let before = try store?.load()
    basket = MemoryBasketStore(before)
    saved = MemoryBasketStore(before)
    let wired = wiring.shop(from: ShopParts(prices: shop.prices, store: basket))
    desk = CheckoutDesk(
      shop: shop, basket: try wired.client, books: books ?? ShopStore(shop),
      payments: payments ?? PaymentLedger())
  }

  /// Asks for the outcome of earlier runs' payments and refunds, and returns sentences that report
  /// it.
  func settle() async throws -> [String] {
    let (pending, owed) = (desk.books.pending, try refunds.filter { !$0.value }.keys)
    if pending.isEmpty, owed.isEmpty { return [] }
    let before = Set(desk.books.orders.map(\.id))
    try await desk.settle()
    let open = desk.books.pending.count
    let refunds = try refunds
    var said = desk.books.orders.filter { !before.contains($0.id) }.map {
      "An earlier run had paid \($0.total): order \($0.id) is placed."
    }
    func say(_ count: Int, _ one: String, _ several: String) {
      if count > 0 { said.append(count == 1 ? one : several) }
    }
    let unpaid = pending.count - open - said.count
    say(
      unpaid, "1 of an earlier run was not paid: the goods are back.",
      "\(unpaid) of earlier runs were not paid: the goods are back.")
    say(
      open, "Of 1 it is not known yet whether it was paid.",
      "Of \(open) it is not known yet whether they were paid.")
    // A refund that the payment service has refused is no longer in the books.
    let repaid = owed.count { refunds[$0] == true }
    let refused = owed.count { refunds[$0] == nil }
    let asked = owed.count - repaid - refused
    say(
      repaid, "1 refund of an earlier run is paid now.",
      "\(repaid) refunds of earlier runs are paid now.")
    say(
      refused, "1 refund of an earlier run was refused.",
      "\(refused) refunds of earlier runs were refused.")
    say(
      asked, "Of 1 refund it is not known yet whether it was paid.",
      "Of \(asked) refunds it is not known yet whether they were paid.")
    try save()
    return said
  }

  /// Whether each refund in the books is paid, by the refund's identity.
  private var refunds: [UUID: Bool] {
    get throws {
      let all = try desk.books.orders.flatMap { try desk.books.refunds(of: $0.id) }
      return Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0.isPaid) })
    }
  }

  /// Runs one step of a checkout. If the stored basket causes an error, throws one that also names
  /// the basket's file.
  func step<R>(_ body: () async throws(CheckoutError) -> R) async throws -> R {
    do throws(CheckoutError) { return try await body() } catch {
      // While the outcome of a payment is unknown, the lines that are being paid are no longer in
      // the basket, so the basket is saved without them.
      if case .paymentPending = error { try save() }
      guard let before = saved.load(), let store,
        let stored = StoredBasketError(error, in: before, at: store.path)
      else { throw error }
      throw stored
    }
  }

  /// Saves the changes of this process, beside those that other processes saved meanwhile.
  func save() throws(CheckoutError) {
    let before = saved.load()
    guard let store, let after = basket.load(), after != before else { return }
    let base = before ?? Basket(id: after.id)
    try store.change { stored throws(CheckoutError) in
      if stored.isEmpty, stored.coupon == nil { stored = Basket(id: after.id) }
      stored.subtract(base.goods(missingIn: after))
      for line in after.goods(missingIn: base) { try stored.add(line) }
      if after.coupon != base.coupon { stored.use(coupon: after.coupon) }
    }
    try saved.change { $0 = after }
  }
}

/// The error of a stored basket that contains a product or a coupon that the shop does not accept.
struct StoredBasketError: Error, Hashable, Sendable, CustomStringConvertible {
  let path: String
  let error: CheckoutError

  /// Wraps the error if it is about a product, the coupon or the currencies of the basket.
  init?(_ error: CheckoutError, in basket: Basket, at path: String) {
    let isOfBasket =
      switch error {
      case .unknownSKU(let sku, _), .insufficientStock(let sku, _, _),
        .outsideSaleHours(let sku, _),
        .underAge(let sku, _), .unknownAge(let sku, _):
        basket.lines.contains { $0.sku == sku }
      case .mixedCurrencies: !basket.isEmpty
      case .unknownCoupon(let code, _), .lapsedCoupon(let code, _), .earlyCoupon(let code, _),
        .couponCurrency(let code, _, _), .couponMinimum(let code, _):
        basket.coupon == code.uppercased()
      default: false
      }
    guard isOfBasket else { return nil }
    self.path = path
    self.error = error
  }

  var description: String {
    """
    \(error); what is in \(path) counts too: take it out with the basket command, by --remove SKU \
    or --no-coupon
    """
  }
}
