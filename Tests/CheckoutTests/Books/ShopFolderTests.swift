// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientTesting
import Checkout
import Foundation
import TestSupport
import Testing

@Suite(.frozen(at: "2026-11-20T12:00:00-05:00")) struct `Shop folders` {
  private let folder = TemporaryFolder()
  private let payments = PaymentLedger()
  private let log = LogRecorder()
  private let card = PaymentMethod(.card, token: "tok_1")

  private var records: URL { URL(fileURLWithPath: folder.path("shop/shop.records")) }

  private func open(
    _ shop: Shop? = nil, snapshotSize: Int = 1 << 20, payments: (any PaymentService)? = nil
  ) throws -> CheckoutDesk {
    Log.instance = log
    let shop = try shop ?? Shop.example()
    return CheckoutDesk(
      shop: shop,
      basket: BasketClient(
        store: MemoryBasketStore(), service: MemoryBasketService(), prices: shop.prices),
      books: try ShopStore(shop, folder: folder.path("shop"), snapshotSize: snapshotSize),
      payments: payments ?? self.payments)
  }

  private func request(_ quantity: Int = 1, _ key: String = "k") throws -> CheckoutRequest {
    CheckoutRequest(
      [try BasketLine("coffee", quantity)], payment: card, key: try IdempotencyKey(key))
  }

  @Test(arguments: [1 << 20, 1])
  func `a reopened shop restores its orders, refunds, reservations and stock`(snapshotSize: Int)
    async throws
  {
    var order: Order?
    do {
      let desk = try open(snapshotSize: snapshotSize)
      order = try await desk.checkout(request(3))
      try await desk.refund(#require(order).id, goods: [BasketLine("coffee")])
      _ = try desk.books.reserve([BasketLine("mug", 4)], for: .seconds(600))
      desk.books.release(try desk.books.reserve([BasketLine("mug", 5)], for: .seconds(600)))
      try desk.books.restock([BasketLine("grinder", 2)])
    }
    let desk = try open(snapshotSize: snapshotSize)
    let books = desk.books
    #expect(books.orders == [try #require(order)])
    #expect(try books.refunds(of: #require(order).id).map(\.isPaid) == [true])
    #expect(books.available("coffee") == 118 && books.available("mug") == 36)
    #expect(books.available("grinder") == 5 && books.damagedRecords == nil)
    #expect(try await desk.checkout(request(3)) == order)
    await #expect(throws: CheckoutError.keyReused("k")) { try await desk.checkout(request(1)) }
    #expect(await payments.entries.count == 2)
  }

  @Test func `opening a shop removes the unfinished snapshot of a killed process`() throws {
    let half = "shop/shop.records.7.new"
    try folder.write("half", to: half)
    _ = try open()
    #expect(!FileManager.default.fileExists(atPath: folder.path(half)))
  }

  @Test
  func `after a restart, a reservation lapses by wall time, at most its full length later`()
    async throws
  {
    let wall = Time.now
    var first: Order?
    do {
      let desk = try open()
      first = try await desk.checkout(request())
      _ = try desk.books.reserve([BasketLine("mug", 4)], for: .seconds(600))
    }
    // Another run of the machine, whose uptime says nothing about the last one.
    func isKept(after seconds: TimeInterval, uptime: Double) throws -> Bool {
      try Time.withInstance(
        FixedTime(at: wall.addingTimeInterval(seconds), uptime: .seconds(uptime))
      ) { try open().books.available("mug") == 36 }
    }
    #expect(try isKept(after: 599.999, uptime: 5))
    #expect(try !isKept(after: 600, uptime: 5))
    // Set back by a year: at most as long as it was, from the start on.
    let back = FixedTime(at: wall.addingTimeInterval(-31_536_000), uptime: .seconds(50))
    let books = try Time.withInstance(back) { try open().books }
    for (uptime, count) in [(50.0, 36), (649.999, 36), (650, 40)] {
      Time.withInstance(FixedTime(at: back.now, uptime: .seconds(uptime))) {
        #expect(books.available("mug") == count)
      }
    }
    #expect(books.orders.map(\.id) == [try #require(first).id])
  }

  @Test func `a restarted shop asks for the outcome of its pending payments`() async throws {
    let scripted = ScriptedPayments()
    let down = PaymentError.unavailable("down")
    await scripted.script(
      charges: [.loseAnswer, .fail(down)], outcomes: [.fail(down), .fail(down)])
    do {
      let desk = try open(payments: scripted)
      for key in ["paid", "unpaid"] {
        await #expect(throws: CheckoutError.paymentPending(key)) {
          try await desk.checkout(request(2, key))
        }
      }
    }
    let desk = try open(payments: scripted)
    #expect(desk.books.pending.count == 2 && desk.books.available("coffee") == 116)
    #expect(try await desk.settle() == 0)
    let order = try #require(desk.books.orders.first)
    #expect(desk.books.orders.count == 1 && desk.books.available("coffee") == 116)
    // The reservation of the one that was not paid lapses.
    Time.withInstance(FixedTime(at: Time.now, uptime: Time.uptime + .seconds(900))) {
      #expect(desk.books.available("coffee") == 118)
    }
    #expect(try await desk.checkout(request(2, "paid")) == order)
  }

  @Test func `a shop snapshot keeps a pending payment even if an older order had the same key`()
    async throws
  {
    let first = try await open().checkout(request(1))
    // The order's key has lapsed in the shop and at the payment service.
    let scripted = ScriptedPayments()
    let later = FixedTime(at: Time.now + 200_000, uptime: Time.uptime + .seconds(200_000))
    try await Time.withInstance(later) {
      do {
        let desk = try open(snapshotSize: 1, payments: scripted)
        await scripted.script(charges: [.loseAnswer], outcomes: [.fail(.unavailable("down"))])
        await #expect(throws: CheckoutError.paymentPending("k")) {
          try await desk.checkout(request(2))
        }
      }
      let desk = try open(payments: scripted)
      #expect(desk.books.pending.count == 1 && desk.books.available("coffee") == 117)
      #expect(try await desk.settle() == 0)
      #expect(desk.books.orders.count == 2 && desk.books.orders.first == first)
      #expect(desk.books.available("coffee") == 117)
    }
  }

  @Test
  func `a damaged record of a shop file is moved to a separate file, and the others are kept`()
    async throws
  {
    do {
      let desk = try open()
      for number in 0..<6 { _ = try await desk.checkout(request(1, "k\(number)")) }
    }
    let intact = try Data(contentsOf: records)
    let orders = try open().books.orders
    var numbers = SeededNumbers(3)
    for _ in 0..<TestRun.rounds(60, all: 500, full: 2_000) {
      var bytes = intact
      let place = Int.random(in: 0..<bytes.count, using: &numbers)
      bytes[place] ^= UInt8.random(in: 1...255, using: &numbers)
      try bytes.write(to: records)
      try? FileManager.default.removeItem(atPath: folder.path("shop/shop.records.damaged"))
      let books = try open().books
      let isLineEnd = intact[place] == UInt8(ascii: "\n")
      #expect((books.damagedRecords == nil) == isLineEnd, "\(place)")
      #expect(books.orders.count >= 5 && Set(books.orders).isSubset(of: orders), "\(place)")
      if books.damagedRecords != nil {
        // Told once: it is not in the shop's file any more.
        let aside = try Data(
          contentsOf: URL(fileURLWithPath: folder.path("shop/shop.records.damaged")))
        #expect(aside.count > 20)
        #expect(log.messages.last == "damaged records set aside")
      }
    }
    try intact.write(to: records)
    #expect(try open().books.orders == orders)
  }

  @Test func `a shop file from which damage was removed keeps all intact records`() async throws {
    do {
      let desk = try open()
      _ = try await desk.checkout(request(3))
      try desk.books.restock([BasketLine("grinder", 2)])
    }
    try (Data(contentsOf: records) + Data("damaged\n".utf8)).write(to: records)
    let aside = folder.path("shop/shop.records.damaged")
    #expect(try open().books.damagedRecords == aside)
    #expect(try folder.text("shop/shop.records.damaged") == "damaged\n")
    #expect(log.told.last == "error damaged records set aside")
    #expect(log.records.last?.metadata["records"] == .integer(1))
    #expect(log.records.last?.metadata["file"] == .string(aside))
    // Read from the new file.
    let books = try open().books
    #expect(books.damagedRecords == nil && books.orders.count == 1)
    #expect(books.available("coffee") == 117 && books.available("grinder") == 5)
  }

  @Test func `a shop record that is intact but can't be decoded is moved to a separate file`()
    async throws
  {
    do { _ = try await open().checkout(request()) }
    let strange = Array(#"{"strange":{}}"#.utf8)
    do { try RecordFile.open(records.path).file.append(strange, isSynced: false) }
    do {
      let books = try open().books
      #expect(books.damagedRecords == folder.path("shop/shop.records.damaged"))
      #expect(try folder.text("shop/shop.records.damaged").contains(#"{"strange":{}}"#))
      #expect(books.orders.count == 1 && log.told.last == "error damaged records set aside")
    }
    #expect(try open().books.damagedRecords == nil)
  }

  @Test func `damaged payment ledger records are moved to a file beside the ledger`()
    async throws
  {
    Log.instance = log
    try folder.write("damaged\nas well\n", to: "shop/ledger.records")
    let ledger = try PaymentLedger(folder: folder.path("shop"))
    #expect(await ledger.entries.isEmpty)
    #expect(try folder.text("shop/ledger.records") == "")
    #expect(try folder.text("shop/ledger.records.damaged") == "damaged\nas well\n")
    #expect(log.told == ["error damaged records set aside"])
    #expect(log.records.last?.metadata["records"] == .integer(2))
    let aside = folder.path("shop/ledger.records.damaged")
    #expect(log.records.last?.metadata["file"] == .string(aside))
  }

  @Test func `a shop file's incomplete last record is dropped and not reported as damaged`()
    async throws
  {
    do { _ = try await open().checkout(request()) }
    let intact = try Data(contentsOf: records)
    let line = try #require(intact.dropLast().lastIndex(of: UInt8(ascii: "\n"))) + 1
    for end in line..<intact.count {
      try intact.prefix(end).write(to: records)
      let books = try open().books
      #expect(books.damagedRecords == nil)
      #expect(books.orders.count + books.pending.count == 1)
    }
  }

  @Test func `opening the folder of another shop throws otherShop`() async throws {
    do { _ = try open() }
    let other = try Shop(
      json: Data(
        Shop.exampleJSON.replacing("The Corner Roastery", with: "Elsewhere").utf8), file: "x")
    #expect(
      throws: ShopStoreError.otherShop(
        path: folder.path("shop"), name: "The Corner Roastery")
    ) { try open(other) }
    #expect(throws: Never.self) { try open() }
  }

  @Test func `an invalid header record in a shop file is moved to the file of damaged records`()
    throws
  {
    try folder.makeFolder("shop")
    let damaged = Array(#"{"shop":{"kind":"new","version":1}}"#.utf8)
    do { try RecordFile.open(records.path).file.replace(by: [damaged]) }
    let books = try open().books
    #expect(books.damagedRecords == folder.path("shop/shop.records.damaged"))
    #expect(books.available("coffee") == 120)
  }

  @Test func `a shop file is compacted when its size has doubled`() throws {
    let books = try open(snapshotSize: 1).books
    var sizes = [try Data(contentsOf: records).count]
    for _ in 0..<16 {
      try books.restock([BasketLine("mug")])
      sizes.append(try Data(contentsOf: records).count)
    }
    let record = zip(sizes.dropFirst(), sizes).map { $0 - $1 }.max() ?? 0
    let (least, most) = (sizes.min() ?? 0, sizes.max() ?? 0)
    #expect(record > 0 && record < least)
    #expect(most <= 2 * least && most > 2 * least - record, "\(sizes)")
    #expect(books.available("mug") == 56)
  }

  @Test func `an unpaid refund in a snapshot is retried after a restart`() async throws {
    let scripted = ScriptedPayments()
    var order: Order?
    do {
      let desk = try open(payments: scripted)
      order = try await desk.checkout(request(2))
      let down = PaymentError.unavailable("down")
      await scripted.script(refunds: [.fail(down)])
      await #expect(throws: CheckoutError.payment(down)) {
        try await desk.refund(#require(order).id)
      }
    }
    do { try open(snapshotSize: 1).books.restock([BasketLine("mug")]) }
    let desk = try open(payments: scripted)
    let id = try #require(order).id
    #expect(try desk.books.refunds(of: id).map(\.isPaid) == [false])
    #expect(try await desk.settle() == 0)
    #expect(try desk.books.refunds(of: id).map(\.isPaid) == [true])
    #expect(desk.books.available("coffee") == 120)
  }

  @Test(arguments: [
    #"{"shop":{"kind":"new","version":2}}"#,
    #"{"shop":{"name":"The Corner Roastery","version":2}}"#,
  ])
  func `a shop file of a newer version is refused and left unchanged`(record: String) throws {
    try folder.makeFolder("shop")
    let newer = Array(record.utf8)
    do { try RecordFile.open(records.path).file.replace(by: [newer, Array("{}".utf8)]) }
    let before = try Data(contentsOf: records)
    #expect(throws: ShopStoreError.newer(path: folder.path("shop"), version: 2)) { try open() }
    #expect(try Data(contentsOf: records) == before)
  }

  @Test func `a shop folder can be open in only one process at a time`() async throws {
    let output = try folder.makeFile("output")
    let keeper = try ChildProgram(
      Products.program("ShopKeeper").path, ["hold", folder.path("shop")], output: output)
    #expect(
      await Patience.waitIdly {
        FileManager.default.fileExists(atPath: folder.path("shop/shop.records"))
      })
    #expect(throws: ShopStoreError.inUse(path: folder.path("shop"))) { try open() }
    keeper.killed()
  }

  @Test func `opening a shop in an unusable folder throws unusable`() throws {
    try folder.write("", to: "file")
    for path in [folder.path("file"), folder.path("file/below")] {
      let error = #expect(throws: ShopStoreError.self) {
        try ShopStore(Shop.example(), folder: path)
      }
      guard case .unusable(path, _)? = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
    }
  }

  @Test func `a checkout fails without a charge while the disk is full, and succeeds afterwards`()
    async throws
  {
    await #expect(processExitsWith: .success) {
      let folder = TemporaryFolder()
      Log.instance = NoLog()
      signal(SIGXFSZ, SIG_IGN)
      let shop = try Shop.example()
      let payments = PaymentLedger()
      let desk = CheckoutDesk(
        shop: shop,
        basket: BasketClient(
          store: MemoryBasketStore(), service: MemoryBasketService(), prices: shop.prices),
        books: try ShopStore(shop, folder: folder.path("shop")), payments: payments)
      func limit(_ bytes: rlim_t) { ResourceLimit.fileSize.set(bytes, most: .max) }
      let path = folder.path("shop/shop.records")
      let size = try Data(contentsOf: URL(fileURLWithPath: path)).count
      let request = CheckoutRequest(
        [try BasketLine("coffee", 2)], payment: PaymentMethod(.card, token: "t"))
      for bytes in [0, 1, 100, 500] {
        limit(rlim_t(size + bytes))
        let error = await #expect(throws: CheckoutError.self) {
          try await desk.checkout(request)
        }
        guard case .books(.notWritten(path, _))? = error else {
          Issue.record("\(String(describing: error))")
          return
        }
        #expect(await payments.entries.isEmpty && desk.books.orders.isEmpty)
      }
      limit(rlim_t.max)
      _ = try await desk.checkout(request)
      #expect(desk.books.available("coffee") == 118)
    }
  }

  @Test func `a paid order that can't be written to disk is settled later, exactly once`()
    async throws
  {
    await #expect(processExitsWith: .success) {
      let folder = TemporaryFolder()
      Log.instance = NoLog()
      signal(SIGXFSZ, SIG_IGN)
      let shop = try Shop.example()
      let payments = ScriptedPayments()
      let store = MemoryBasketStore()
      let desk = CheckoutDesk(
        shop: shop,
        basket: BasketClient(
          store: store, service: MemoryBasketService(), prices: shop.prices),
        books: try ShopStore(shop, folder: folder.path("shop")), payments: payments)
      let request = CheckoutRequest(
        [try BasketLine("coffee", 2)], payment: PaymentMethod(.card, token: "t"))
      let path = folder.path("shop/shop.records")
      let full: @Sendable () async throws -> Void = {
        let size = try Data(contentsOf: URL(fileURLWithPath: path)).count
        ResourceLimit.fileSize.set(rlim_t(size), most: .max)
      }
      await payments.script(charges: [.loseAnswerAfter(full)])
      let error = await #expect(throws: CheckoutError.self) { try await desk.checkout(request) }
      ResourceLimit.fileSize.set(.max, most: .max)
      guard case .books(.notWritten)? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      try await desk.basket.add("coffee")
      #expect(try await desk.settle() == 0 && desk.books.orders.count == 1)
      #expect(store.load()?.lines == [try BasketLine("coffee")])
      #expect(desk.books.available("coffee") == 118)
    }
  }
}
