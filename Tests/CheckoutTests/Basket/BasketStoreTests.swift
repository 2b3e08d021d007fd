// SPDX-License-Identifier: Apache-2.0

import Checkout
import Foundation
import TestSupport
import Testing

@Suite struct `Basket stores` {
  private func basket(_ lines: (SKU, Int)...) throws -> Basket {
    var basket = Basket()
    for (sku, count) in lines { try basket.add(BasketLine(sku, count)) }
    return basket
  }

  @Test func `FileBasketStore creates its folders and keeps the basket in a file`() throws {
    try withFolder { folder in
      let store = try FileBasketStore(folder: folder + "/a/b")
      #expect(try store.load() == nil)
      var basket = try basket(("coffee", 2), ("mug", 1))
      basket.use(coupon: "welcome10")
      try store.change { $0 = basket }
      #expect(try FileBasketStore(folder: folder + "/a/b").load() == basket)
      // As people can read it, and in an order that does not change.
      let text = try String(contentsOfFile: store.path, encoding: .utf8)
      #expect(text.hasPrefix("{\n  \"coupon\" : \"WELCOME10\",\n  \"id\" : "))
      let names = try FileManager.default.contentsOfDirectory(atPath: folder + "/a/b")
      #expect(names.sorted() == [".basket.lock", "basket.json"])
    }
  }

  @Test func `during concurrent saves, readers of a basket file see only complete baskets`()
    async throws
  {
    try await withSharedFolder { folder in
      let store = try FileBasketStore(folder: folder)
      let baskets = try (1...8).map { try basket(("coffee", $0), ("mug", $0 * 1_000)) }
      try store.change { $0 = baskets[0] }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for basket in baskets {
          group.addTask { for _ in 0..<20 { try store.change { $0 = basket } } }
          group.addTask {
            for _ in 0..<40 {
              let read = try #require(try store.load())
              #expect(baskets.contains(read))
            }
          }
        }
        try await group.waitForAll()
      }
      let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(names.sorted() == [".basket.lock", "basket.json"])
    }
  }

  @Test(.long, .withoutSanitizer)
  func `40 processes that change one basket at once lose no change`()
    async throws
  {
    let folder = TemporaryFolder()
    let start = folder.path("start")
    let devices = try (0..<40).map { number in
      try ChildProgram(
        Products.program("BasketWriter").path,
        [folder.path("basket"), ["coffee", "mug"][number % 2], start])
    }
    try folder.write("", to: "start")
    for device in devices { #expect(await device.end() == 0) }
    let basket = try #require(try FileBasketStore(folder: folder.path("basket")).load())
    #expect(try Set(basket.lines) == [BasketLine("coffee", 20), BasketLine("mug", 20)])
  }

  @Test func `40 concurrent basket changes are all kept, in memory and in a file`() async throws {
    try await withSharedFolder { folder in
      let stores: [any BasketStore] = [MemoryBasketStore(), try FileBasketStore(folder: folder)]
      for store in stores {
        await withThrowingTaskGroup(of: Void.self) { group in
          for _ in 0..<40 {
            group.addTask {
              try store.change { basket throws(CheckoutError) in
                try basket.add(BasketLine("coffee"))
              }
            }
          }
        }
        #expect(try store.load()?.lines == [try BasketLine("coffee", 40)])
      }
    }
  }

  @Test func `if another process holds the store's lock, a basket change throws inUse`() throws {
    try withFolder { folder in
      let store = try FileBasketStore(folder: folder, patience: .milliseconds(20))
      try store.change { $0.use(coupon: "A") }
      let lock = open(folder + "/.basket.lock", O_RDWR)
      defer { close(lock) }
      try #require(flock(lock, LOCK_EX) == 0)
      #expect(throws: CheckoutError.store(.inUse(path: store.path))) {
        try store.change { $0.use(coupon: "B") }
      }
      #expect(try store.load()?.coupon == "A")
      try #require(flock(lock, LOCK_UN) == 0)
      #expect(try store.change { $0.use(coupon: "B") }.coupon == "B")
    }
  }

  @Test func `BasketStore.replace returns false if the stored basket isn't the expected one`()
    throws
  {
    try withFolder { folder in
      let stores: [any BasketStore] = [MemoryBasketStore(), try FileBasketStore(folder: folder)]
      let one = try basket(("coffee", 1))
      let two = try basket(("mug", 1))
      for store in stores {
        #expect(try !store.replace(two, with: one))
        #expect(try store.replace(nil, with: one))
        #expect(try !store.replace(nil, with: two))
        #expect(try store.load() == one)
        #expect(try store.replace(one, with: two))
        #expect(try store.load() == two)
      }
    }
  }

  @Test(arguments: [("WELCOME10", "00000A"), ("welcome10", "00000a")])
  func `a basket file that contains old sync data is read, and the next save drops that data`(
    coupon: String, end: String
  ) throws {
    let id = "B9D3A9A0-0000-7000-8000-000000\(end)"
    let fields = """
      "id": "\(id)", "revision": 3, "coupon": "\(coupon)", "offers": ["\(UUID())"],
      "lines": [{"sku": "coffee", "quantity": 2}]
      """
    try withFolder { folder in
      let store = try FileBasketStore(folder: folder)
      let text = #"{\#(fields), "service": {"agreed": {\#(fields)}, "kept": 3}}"#
      try Data(text.utf8).write(to: URL(fileURLWithPath: store.path))
      let basket = try #require(try store.load())
      #expect(try basket.lines == [BasketLine("coffee", 2)])
      #expect(basket.coupon == "WELCOME10" && basket.id == UUID(uuidString: id))
      #expect(try store.replace(basket, with: basket))
      let written = try String(contentsOfFile: store.path, encoding: .utf8)
      #expect(!written.contains("service") && !written.contains("revision"))
    }
  }

  @Test func `opening a basket store throws folderNotWritable if its folder is a file`() throws {
    try withFolder { folder in
      let file = folder + "/file"
      try Data("no folder".utf8).write(to: URL(fileURLWithPath: file))
      let error = #expect(throws: BasketStoreError.self) {
        try FileBasketStore(folder: file + "/baskets")
      }
      #expect(
        error == .folderNotWritable(path: file + "/baskets", reason: "Not a directory"))
      #expect(throws: BasketStoreError.self) { try FileBasketStore(folder: file) }
      #expect(try String(contentsOfFile: file, encoding: .utf8) == "no folder")
    }
  }

  @Test func `opening a basket store in a read-only folder throws an error`() async throws {
    let folder = TemporaryFolder()
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.path)
    await #expect(processExitsWith: .success) { [path = folder.path as String] in
      // Root may write anywhere: this process goes on as nobody.
      if getuid() == 0 { try #require(setgid(65_534) == 0 && setuid(65_534) == 0) }
      #expect(throws: BasketStoreError.self) { try FileBasketStore(folder: path) }
    }
  }

  @Test func `loading a basket file that cannot be read throws unreadable`() throws {
    try withFolder { folder in
      let store = try FileBasketStore(folder: folder)
      // A folder is there, but no file.
      try FileManager.default.createDirectory(atPath: store.path, withIntermediateDirectories: true)
      let error = try #require(throws: BasketStoreError.self) { try store.load() }
      guard case .unreadable(store.path, let reason) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(error.description.contains("\(store.path): \(reason);"))
    }
  }

  @Test(arguments: [
    ("", "", ShopProblem.notJSON("unexpected end of file during JSON parse")),
    ("{\n  \"id\": }", "", .notJSON("invalid value at line 2, column 9")),
    (#"{"id": "x"}"#, "id", .wrongType(expected: "a UUID")),
    (#"{"id": null}"#, "id", .wrongType(expected: "a text")),
    (#"{"id": 7}"#, "id", .wrongType(expected: "a text")), ("{}", "id", .missingField),
    ("[]", "", .wrongType(expected: "an object")),
    (
      #"{"id": "B9D3A9A0-0000-7000-8000-000000000000", "lines": {}}"#, "lines",
      .wrongType(expected: "a list")
    ),
  ])
  func `the error about an invalid basket file gives the reason`(
    text: String, field: String, problem: ShopProblem
  ) throws {
    try withFolder { folder in
      let store = try FileBasketStore(folder: folder)
      try Data(text.utf8).write(to: URL(fileURLWithPath: store.path))
      let error = #expect(throws: BasketStoreError.self) { try store.load() }
      #expect(
        error == .notABasket(path: store.path, field: field, reason: problem.description))
    }
  }

  @Test func `a basket change throws folderNotWritable if the store's folder was removed`() throws {
    try withFolder { folder in
      let store = try FileBasketStore(folder: folder + "/baskets")
      try FileManager.default.removeItem(atPath: folder + "/baskets")
      let error = #expect(throws: CheckoutError.self) { try store.change { $0.use(coupon: "A") } }
      #expect(
        error
          == .store(.folderNotWritable(path: store.path, reason: "No such file or directory")))
    }
  }

  @Test(arguments: [
    ("", ""), ("[]", ""), ("{}", "id"), (#"{"id": 7}"#, "id"),
    (#"{"id": "B9D3A9A0-0000-7000-8000-000000000000"}"#, "lines"),
    (
      #"{"id": "B9D3A9A0-0000-7000-8000-000000000000", "lines": [{"sku": "mug", "quantity": -1}]}"#,
      "lines[0]"
    ),
    (
      #"{"id": "B9D3A9A0-0000-7000-8000-000000000000", "lines": [{"sku": "mug", "quantity": 1.5}]}"#,
      "lines[0].quantity"
    ),
    (#"{"id": "B9D3A9A0", "lines": []}"#, "id"),
    (
      #"{"id": "B9D3A9A0-0000-7000-8000-000000000000", "lines": [{"sku": "mug", "quantity": 1}, {"sku": "mug", "quantity": 1}]}"#,
      "lines"
    ),
  ])
  func `the error about an invalid basket file names the field`(text: String, field: String) throws
  {
    try withFolder { folder in
      let store = try FileBasketStore(folder: folder)
      try Data(text.utf8).write(to: URL(fileURLWithPath: store.path))
      let error = #expect(throws: BasketStoreError.self) { try store.load() }
      guard case .notABasket(store.path, field, _)? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
    }
  }
}

/// Runs `body` with a new folder, which is removed afterwards.
func withFolder<R>(_ body: (String) throws -> R) throws -> R {
  let folder = try makeFolder()
  defer { try? FileManager.default.removeItem(atPath: folder) }
  return try body(folder)
}

/// Runs `body`, whose tasks share a new folder, which is removed afterwards.
func withSharedFolder<R>(_ body: (String) async throws -> R) async throws -> R {
  let folder = try makeFolder()
  defer { try? FileManager.default.removeItem(atPath: folder) }
  return try await body(folder)
}

private func makeFolder() throws -> String {
  let folder = FileManager.default.temporaryDirectory.appending(
    path: "checkout-\(UUID().uuidString)"
  ).path
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  return folder
}
