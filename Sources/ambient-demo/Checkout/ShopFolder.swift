import Checkout

/// The folder given by --store. It keeps a basket, the shop's books and the payments between runs.
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
