// SPDX-License-Identifier: Apache-2.0

internal import Ambient
public import Foundation

/// A store of a shop's stock, reservations, payments under way, orders and refunds. It is in
/// memory, or in a folder, where its content survives the process.
///
/// In a folder, each change is written to a file as a record before it takes effect; records about
/// money are synchronized to the disk. Only one process may use the folder at a time. If a record
/// cannot be written, the change is refused (``CheckoutError/books(_:)``), and the state stays as
/// it was. Reservations and keys lapse by monotonic time; keys also lapse by wall time. After a
/// restart, their remaining time is computed from the wall clock. It never exceeds the full
/// lifetime, even if the clock was set back.
///
/// Thread-safe. A change takes time in proportion to the number of its lines, and to the logarithm
/// of the number of reservations and keys; in a folder, changes about money wait for the disk.
public final class ShopStore: Sendable {
  private struct State {
    var books: ShopBooks
    /// The keys of charges that the payment service has not answered yet.
    var unanswered: Set<IdempotencyKey> = []
    /// The file size in bytes above which a snapshot replaces the file.
    var snapshotSize: Int
  }

  private static let version = 1

  private let leastSnapshotSize: Int
  private let shopName: String
  private let state: Guarded<State>
  private let file: EntryFile<ShopEntry>?
  private let turns = Turns()
  /// The path of the file to which damaged records were moved when the store was opened; nil if no
  /// record was damaged. The changes in damaged records are lost; all other records are intact.
  public let damagedRecords: String?

  /// Creates a store in memory, with the shop's stock.
  ///
  /// - Parameter shop: The shop, whose stock and terms the store copies; sales lower only the
  ///   store's stock.
  public init(_ shop: Shop) {
    (shopName, file, damagedRecords) = (shop.name, nil, nil)
    leastSnapshotSize = 0
    let books = ShopBooks(stock: shop.stock, keyLength: shop.terms.keys)
    state = Guarded(State(books: books, snapshotSize: 0))
  }

  /// Opens the store in `folder`, and creates the folder if it is missing. A new store begins with
  /// the shop's stock.
  ///
  /// - Parameters:
  ///   - shop: The shop; its stock is used only if the folder has no store yet.
  ///   - folder: The folder, for this shop alone; one process may use it at a time.
  /// - Throws: ``ShopStoreError`` if the folder cannot be used, is in use, or belongs to another
  ///   shop or to a newer version.
  public convenience init(_ shop: Shop, folder: String) throws(ShopStoreError) {
    try self.init(shop, folder: folder, snapshotSize: 1 << 20)
  }

  /// Opens the store in `folder`, like `init(_:folder:)`.
  ///
  /// - Parameter snapshotSize: The file size in bytes up to which no snapshot replaces the file.
  package init(_ shop: Shop, folder: String, snapshotSize: Int) throws(ShopStoreError) {
    let (file, entries, damaged) = try EntryFile<ShopEntry>.open(folder, "shop.records")
    if let version = damaged.lazy.compactMap(Self.version).max(), version > Self.version {
      throw .newer(path: folder, version: version)
    }
    var books = ShopBooks(stock: shop.stock, keyLength: shop.terms.keys)
    let reading = ClockReading()
    for entry in entries {
      if case .shop(let name, let version) = entry {
        guard name == shop.name else { throw .otherShop(path: folder, name: name) }
        guard version <= Self.version else { throw .newer(path: folder, version: version) }
      }
      books.apply(entry, at: reading)
    }
    damagedRecords = try file.setAside(damaged, keeping: Self.snapshot(of: books, shop.name))
    if entries.isEmpty, damaged.isEmpty {
      try file.replace(by: Self.snapshot(of: books, shop.name))
    }
    (shopName, self.file) = (shop.name, file)
    leastSnapshotSize = snapshotSize
    state = Guarded(State(books: books, snapshotSize: snapshotSize))
  }

  /// The version in a `shop` record that cannot be decoded as a whole. Only the version is decoded,
  /// because a newer program may have changed the other fields.
  private static func version(of record: [UInt8]) -> Int? {
    struct Record: Decodable {
      struct Shop: Decodable { let version: Int }
      let shop: Shop
    }
    return (try? JSONDecoder().decode(Record.self, from: Data(record)))?.shop.version
  }

  /// Lets `decide` choose entries, writes them to the file, and applies them, all under one lock.
  ///
  /// - Parameter isSynced: Whether the entries must survive a loss of power.
  private func change<R>(
    isSynced: Bool, _ decide: (ShopBooks) throws(CheckoutError) -> ([ShopEntry], R)
  ) throws(CheckoutError) -> R {
    let reading = ClockReading()
    return try state.withLock { state throws(CheckoutError) in
      state.books.dropLapsed(at: reading.uptime)
      let (entries, result) = try decide(state.books)
      for entry in entries {
        do throws(ShopStoreError) { try file?.append(entry, isSynced: isSynced) } catch {
          throw .books(error)
        }
        state.books.apply(entry, at: reading)
      }
      replaceLongFile(&state)
      return result
    }
  }

  /// Replaces the file by a snapshot once the file is larger than `snapshotSize`. This limit then
  /// becomes twice the size of the snapshot, but at least `leastSnapshotSize`.
  private func replaceLongFile(_ state: inout State) {
    guard let file, file.size > state.snapshotSize else { return }
    // If the replacement fails, the file is unchanged. The next attempt is made when the size of
    // the file has doubled.
    try? file.replace(by: Self.snapshot(of: state.books, shopName))
    state.snapshotSize = max(2 * file.size, leastSnapshotSize)
  }

  private static func snapshot(of books: ShopBooks, _ name: String) -> [ShopEntry] {
    [.shop(name: name, version: version)] + books.snapshot
  }
}

extension ShopStore {
  /// The number of items of a product that are in stock and not reserved.
  ///
  /// - Parameter sku: The product; the result is 0 for a product that the shop does not have.
  public func available(_ sku: SKU) -> Int {
    let uptime = Time.uptime
    return state.withLock { state in
      state.books.dropLapsed(at: uptime)
      return state.books.stock.available(sku)
    }
  }

  /// Reserves all of the goods for a time, or none of them.
  ///
  /// - Parameters:
  ///   - lines: The goods; several lines of one product count together.
  ///   - length: The time after which the goods are available again, unless they are sold.
  /// - Returns: The reservation, with which the goods are sold or released.
  /// - Throws: ``CheckoutError/insufficientStock(_:wanted:available:)``;
  ///   ``CheckoutError/emptyBasket`` for no goods; ``CheckoutError/lifetime(_:)`` for a length
  ///   outside `CheckoutTerms.lifetimes`; ``CheckoutError/books(_:)``.
  public func reserve(
    _ lines: [BasketLine], for length: Duration
  ) throws(CheckoutError) -> Reservation {
    guard !lines.isEmpty else { throw .emptyBasket }
    guard CheckoutTerms.lifetimes.contains(length) else { throw .lifetime(length) }
    let reservation = Reservation(lines, lasting: length)
    return try change(isSynced: false) { books throws(CheckoutError) in
      try books.stock.check(lines)
      return ([.reserved(reservation)], reservation)
    }
  }

  /// Releases the goods; goods of a lapsed reservation are available already.
  ///
  /// - Parameter reservation: The reservation as ``reserve(_:for:)`` returned it.
  public func release(_ reservation: Reservation) {
    let entry = ShopEntry.released(reservation: reservation.id)
    let reading = ClockReading()
    state.withLock { state in
      guard state.books.stock.reservations[reservation.id] != nil else { return }
      // A failed write is ignored, because at worst the goods are reserved again after a restart,
      // until the reservation lapses.
      try? file?.append(entry, isSynced: false)
      state.books.apply(entry, at: reading)
      replaceLongFile(&state)
    }
  }

  /// Adds goods to the stock.
  ///
  /// - Parameter lines: The goods, which can be sold at once.
  /// - Throws: ``CheckoutError/books(_:)``.
  public func restock(_ lines: [BasketLine]) throws(CheckoutError) {
    try change(isSynced: true) { _ throws(CheckoutError) in ([.restocked(lines)], ()) }
  }

  /// The orders, oldest first.
  public var orders: [Order] { state.withLock { $0.books.orders } }

  /// The order of that identity, or nil if there is none.
  ///
  /// - Parameter id: The identity that the order got when it was placed.
  public func order(_ id: UUID) -> Order? { try? account(id).order }

  /// The refunds of an order, oldest first.
  ///
  /// - Parameter order: The identity of the order.
  /// - Returns: The refunds, including those whose outcome is not known yet; empty if there are
  ///   none.
  /// - Throws: ``CheckoutError/unknownOrder(_:)``.
  public func refunds(of order: UUID) throws(CheckoutError) -> [Refund] {
    try account(order).refunds
  }

  /// The purchases under way, oldest first: their orders are not placed yet.
  public var pending: [Purchase] {
    state.withLock { Array($0.books.purchases.values) }.sorted { $0.agreedAt < $1.agreedAt }
  }

  private func account(_ order: UUID) throws(CheckoutError) -> OrderAccount {
    try state.withLock { state throws(CheckoutError) in try state.books.account(order) }
  }
}

/// The steps of a purchase and of a refund.
extension ShopStore {
  /// Returns the order that was placed with a key. If there is none, calls `body` with the purchase
  /// that has the key, or with nil if the key is free.
  ///
  /// Callers with the same key proceed one at a time, in the order of their arrival.
  ///
  /// - Parameter total: The total that the buyer saw; nil if the buyer saw none.
  /// - Throws: ``CheckoutError/keyReused(_:)`` if the key was used for other content or for another
  ///   total than the buyer saw, or the error of `body`.
  func inTurn(
    _ key: IdempotencyKey, for content: Purchase.Content, seen total: Money?,
    _ body: (Purchase?) async throws(CheckoutError) -> Order
  ) async throws(CheckoutError) -> Order {
    try await turns.take("\(key)") { () async throws(CheckoutError) in
      let reading = ClockReading()
      let (account, purchase) = state.withLock { state in
        (state.books.account(of: key, at: reading), state.books.purchases[key])
      }
      let known = account?.content ?? purchase?.content ?? content
      let price = account?.order.total ?? purchase?.priced.total ?? total
      guard known == content, total == nil || total == price else { throw .keyReused("\(key)") }
      if let account { return account.order }
      return try await body(purchase)
    }
  }

  /// Calls `body` with the stored version of a purchase, in the turn of its key. If an earlier turn
  /// has placed the order or abandoned the purchase, does not call `body`.
  func inTurn(
    _ purchase: Purchase, _ body: (Purchase) async throws(CheckoutError) -> Void
  ) async throws(CheckoutError) {
    try await turns.take("\(purchase.key)") { () async throws(CheckoutError) in
      // If the identities differ, a later purchase has the key.
      guard let known = state.withLock({ $0.books.purchases[purchase.key] }),
        known.reservation.id == purchase.reservation.id
      else { return }
      try await body(known)
    }
  }

  /// Calls `body` in the turn of a refund. If the refund was paid in an earlier turn, returns the
  /// paid refund instead.
  ///
  /// - Throws: ``CheckoutError/payment(_:)`` with `declined` if the payment service refused the
  ///   refund in an earlier turn, or the error of `body`.
  func inTurn(
    _ refund: Refund, of order: UUID, _ body: () async throws(CheckoutError) -> Refund
  ) async throws(CheckoutError) -> Refund {
    try await turns.take("\(refund.id)") { () async throws(CheckoutError) in
      let known = try account(order).refunds.first { $0.id == refund.id }
      guard let known else { throw .payment(.declined) }
      return known.isPaid ? known : try await body()
    }
  }

  /// Records that a charge was sent to the payment service. Until the service answers, the desk
  /// does not ask for the outcome of the charge: the service could say that it took no money, and
  /// take the money later.
  func noteAsked(_ key: IdempotencyKey) { state.withLock { _ = $0.unanswered.insert(key) } }

  func noteAnswered(_ key: IdempotencyKey) { state.withLock { _ = $0.unanswered.remove(key) } }

  func isUnanswered(_ key: IdempotencyKey) -> Bool {
    state.withLock { $0.unanswered.contains(key) }
  }

  /// Records a purchase before its charge, and takes the reserved goods out of stock.
  ///
  /// - Throws: ``CheckoutError/lapsedReservation(after:)`` if the goods are no longer reserved.
  func agree(_ purchase: Purchase) throws(CheckoutError) {
    try change(isSynced: true) { books throws(CheckoutError) in
      guard books.stock.reservations[purchase.reservation.id] != nil else {
        throw .lapsedReservation(after: purchase.reservation.lifetime.length)
      }
      return ([.agreed(purchase)], ())
    }
  }

  func noteOutOfBasket(_ purchase: Purchase) throws(CheckoutError) {
    var changed = purchase
    changed.isOutOfBasket = true
    let entry = ShopEntry.agreed(changed)
    try change(isSynced: false) { _ throws(CheckoutError) in ([entry], ()) }
  }

  /// Ends an unpaid purchase. Its goods go back into stock, and stay reserved until the purchase's
  /// reservation lapses.
  func abandon(_ purchase: Purchase) throws(CheckoutError) {
    try change(isSynced: true) { _ throws(CheckoutError) in ([.abandoned(purchase.key)], ()) }
  }

  /// Places the order of a purchase that was paid.
  ///
  /// - Returns: The order, or the earlier order that the same payment has already paid for.
  func place(_ order: Order, of purchase: Purchase) throws(CheckoutError) -> Order {
    try change(isSynced: true) { books throws(CheckoutError) in
      if let payment = order.payment, let paid = books.order(paidBy: payment) {
        return ([.abandoned(purchase.key)], paid)
      }
      let keyEnd = order.placedAt.advanced(by: books.keyLength)
      return ([.placed(OrderAccount(order, of: purchase, keyEnd: keyEnd))], order)
    }
  }

  /// Records a refund of a part of an order, before the payment service is asked to pay it.
  func noteRefund(
    of order: UUID, _ part: RefundPart
  ) throws(CheckoutError) -> (order: Order, refund: Refund) {
    let id = AmbientIdentifier.next()  // before the lock, because it reads the time
    return try change(isSynced: true) { books throws(CheckoutError) in
      let account = try books.account(order)
      let refund = try account.refund(part, id: id)
      return ([.refund(order: order, refund)], (account.order, refund))
    }
  }

  /// Records that a refund was paid, and returns the paid refund.
  func confirm(_ refund: Refund, of order: UUID) throws(CheckoutError) -> Refund {
    var paid = refund
    paid.isPaid = true
    let (entry, result) = (ShopEntry.refund(order: order, paid), paid)
    return try change(isSynced: true) { _ throws(CheckoutError) in ([entry], result) }
  }

  /// Removes a refund that the payment service has refused.
  func forget(_ refund: Refund, of order: UUID) throws(CheckoutError) {
    try change(isSynced: true) { _ throws(CheckoutError) in
      ([.refundRefused(order: order, refund: refund.id)], ())
    }
  }

  /// The refunds that were asked for and are not known to be paid.
  var unsettledRefunds: [(order: Order, refund: Refund)] {
    state.withLock { $0.books.unsettledRefunds }
  }
}
