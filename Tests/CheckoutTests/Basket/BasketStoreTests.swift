import Checkout
import Foundation
import TestSupport
import Testing

@Suite struct `A basket's store` {
  private func basket(_ lines: (SKU, Int)...) throws -> Basket {
    var basket = Basket()
    for (sku, count) in lines { try basket.add(BasketLine(sku, count)) }
    return basket
  }

  @Test func `keeps a basket in a file, in folders that it makes`() throws {
    try withFolder { folder in
      let store = try FileBasketStore(folder: folder + "/a/b")
      #expect(try store.load() == nil)
      var basket = try basket(("coffee", 2), ("mug", 1))
      basket.use(coupon: "welcome10")
      try store.save(basket)
      #expect(try FileBasketStore(folder: folder + "/a/b").load() == basket)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/a/b").count == 1)
    }
  }

  @Test func `shows readers whole baskets only, whoever saves`() async throws {
    try await withSharedFolder { folder in
      let store = try FileBasketStore(folder: folder)
      let baskets = try (1...8).map { try basket(("coffee", $0), ("mug", $0 * 1_000)) }
      try store.save(baskets[0])
      try await withThrowingTaskGroup(of: Void.self) { group in
        for basket in baskets {
          group.addTask { for _ in 0..<20 { try store.save(basket) } }
          group.addTask {
            for _ in 0..<40 {
              let read = try #require(try store.load())
              #expect(baskets.contains(read))
            }
          }
        }
        try await group.waitForAll()
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["basket.json"])
    }
  }

  @Test func `whose folder is a file says so`() throws {
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

  @Test func `whose folder may not be written says so`() async throws {
    let folder = TemporaryFolder()
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.path)
    await #expect(processExitsWith: .success) { [path = folder.path as String] in
      // Root may write anywhere: this process goes on as nobody.
      if getuid() == 0 { try #require(setgid(65_534) == 0 && setuid(65_534) == 0) }
      #expect(throws: BasketStoreError.self) { try FileBasketStore(folder: path) }
    }
  }

  @Test(arguments: [
    ("", "is no JSON: unexpected end of file during JSON parse; or start anew: remove the file"),
    (
      "{\n  \"id\": }",
      "is no JSON: invalid value at line 2, column 9; or start anew: remove the file"
    ),
    (#"{"id": "x"}"#, "id: must be a UUID; or start anew: remove the file"),
  ])
  func `that holds no basket says why`(text: String, reason: String) throws {
    try withFolder { folder in
      let store = try FileBasketStore(folder: folder)
      try Data(text.utf8).write(to: URL(fileURLWithPath: store.path))
      let error = #expect(throws: BasketStoreError.self) { try store.load() }
      #expect(error?.description == "\(store.path): \(reason)")
    }
  }

  @Test func `keeps a basket whose revision is the highest, which does not grow`() throws {
    try withFolder { folder in
      let store = try FileBasketStore(folder: folder)
      let highest = #"{"id": "\#(UUID())", "revision": 9007199254740991, "lines": []}"#
      try Data(highest.utf8).write(to: URL(fileURLWithPath: store.path))
      var basket = try #require(try store.load())
      try basket.add(BasketLine("mug"))
      try store.save(basket)
      #expect(try store.load() == basket)
      #expect(basket.revision == 9_007_199_254_740_991)
    }
  }

  @Test func `whose folder is gone says so when it saves`() throws {
    try withFolder { folder in
      let store = try FileBasketStore(folder: folder + "/baskets")
      try FileManager.default.removeItem(atPath: folder + "/baskets")
      let error = #expect(throws: BasketStoreError.self) { try store.save(Basket()) }
      #expect(
        error == .folderNotWritable(path: store.path, reason: "No such file or directory"))
    }
  }

  @Test(arguments: [
    ("", ""), ("[]", ""), ("{}", "id"), (#"{"id": 7}"#, "id"),
    (#"{"id": "B9D3A9A0-0000-7000-8000-000000000000", "revision": 1}"#, "lines"),
    (
      #"{"id": "B9D3A9A0-0000-7000-8000-000000000000", "revision": 1, "lines": [{"sku": "mug", "quantity": -1}]}"#,
      "lines[0]"
    ),
    (
      #"{"id": "B9D3A9A0-0000-7000-8000-000000000000", "revision": 1, "lines": [{"sku": "mug", "quantity": 1.5}]}"#,
      "lines[0].quantity"
    ),
    (#"{"id": "B9D3A9A0", "revision": 1, "lines": []}"#, "id"),
    (#"{"id": "B9D3A9A0-0000-7000-8000-000000000000", "revision": -1, "lines": []}"#, "revision"),
    (
      #"{"id": "B9D3A9A0-0000-7000-8000-000000000000", "revision": 9223372036854775807, "lines": []}"#,
      "revision"
    ),
    (
      #"{"id": "B9D3A9A0-0000-7000-8000-000000000000", "revision": 1, "lines": [{"sku": "mug", "quantity": 1}, {"sku": "mug", "quantity": 1}]}"#,
      "lines"
    ),
  ])
  func `that holds no basket names the field`(text: String, field: String) throws {
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
