import Foundation
import TestSupport
import Testing

@Suite struct `The basket as a process` {
  private let demo = Demo()

  @Test func `is filled in several goes, priced at any instant, and bought`() async throws {
    let eve = "--store kept --at 2026-11-26T12:00:00-05:00"
    let first = try await demo(line: "basket \(eve) --item coffee:2 --log none")
    #expect(first.status == 0)
    #expect(first.errors.isEmpty)
    let second = try await demo(line: "basket \(eve) --item mug --coupon welcome10 --log none")
    #expect(
      second.output == """
        The Corner Roastery, Thu 2026-11-26 12:00:00 -05:00

        product             count   each  promotion           USD
        House blend, 250 g      2  14.00                    28.00
        Stoneware mug           1  12.50                    12.50
                                          coupon WELCOME10  -4.05
                                          tax of 8.875%      3.23
                                          to pay            39.68

        """)
    let stored = try demo.folder.text("kept/basket.json")
    let friday = "--store kept --at 2026-11-27T12:00:00-05:00 --log none --json"
    let shown = try await demo(line: "basket \(friday)")
    let priced = try JSONDecoder().decode(
      ReceiptFields.Priced.self, from: Data(shown.output.utf8))
    #expect(priced.total.description == "29.76 USD")
    #expect(try demo.folder.text("kept/basket.json") == stored)
    let bought = try await demo(line: "checkout \(friday)")
    let receipt = try JSONDecoder().decode(ReceiptFields.self, from: Data(bought.output.utf8))
    #expect(receipt.order.priced.total.description == "29.76 USD")
  }

  @Test func `has what each of several processes has put in at once`() async throws {
    let one = try await demo(line: "basket --store kept --item mug --log none")
    #expect(one.status == 0)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<3 {
        group.addTask {
          let outcome = try await demo(line: "basket --store kept --item coffee:2 --log none")
          #expect(outcome.status == 0, "\(outcome.errors)")
        }
      }
      try await group.waitForAll()
    }
    let shown = try await demo(line: "basket --store kept --log none --json")
    let priced = try JSONDecoder().decode(ReceiptFields.Priced.self, from: Data(shown.output.utf8))
    #expect(priced.lines.map(\.sku) == ["mug", "coffee"])
    #expect(shown.output.contains("\"quantity\":6"))
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
  func `stays as it was if it cannot be shown`() async throws {
    try demo.folder.write(.storedBasket, to: "kept/basket.json")
    let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
    let outcome = try await demo(line: "basket --store kept --item mug --log none", output: full)
    #expect(outcome.status == 1)
    #expect(try demo.folder.text("kept/basket.json") == .storedBasket)
  }

  @Test func `loses what is taken out, down to nothing, and its coupon`() async throws {
    let line = "basket --store kept --log none"
    let filled = try await demo(line: "\(line) --item coffee --item mug --coupon BIGSPENDER")
    #expect(filled.status == 1)
    #expect(try await demo(line: "\(line) --item coffee --item mug").status == 0)
    let missing = try await demo(line: "\(line) --remove coffee --remove gold")
    #expect(missing.status == 1)
    #expect(missing.errors.hasPrefix("ambient-demo: there is no “gold” in "))
    #expect(missing.errors.hasSuffix("/kept/basket.json; in it are mug\n"))
    let less = try await demo(line: "\(line) --remove coffee --coupon WELCOME10 --json \(early)")
    let priced = try JSONDecoder().decode(ReceiptFields.Priced.self, from: Data(less.output.utf8))
    #expect(priced.lines.map(\.sku) == ["mug"])
    #expect(less.output.contains("\"coupon\":\"WELCOME10\""))
    let dear = try await demo(line: "\(line) --no-coupon --json \(early)")
    #expect(dear.status == 0 && !dear.output.contains("\"coupon\":"))
    let empty = try await demo(line: "\(line) --remove mug")
    #expect(empty.status == 0)
    #expect(empty.output == "The basket is empty.\n")
    #expect(try await demo(line: line).output == "The basket is empty.\n")
    let gone = try await demo(line: "\(line) --remove mug")
    #expect(gone.status == 1 && gone.errors.hasSuffix("/kept/basket.json; it is empty\n"))
  }

  private let early = "--at 2026-11-26T12:00:00-05:00"

  @Test(arguments: [
    ("gold", "", "checkout", "--remove gold", "there is no product “gold”"),
    ("gold", "", "basket --item mug --coupon WELCOME10", "--remove gold", "there is no product"),
    ("grinder", "", "checkout", "--remove grinder", "4 of “grinder” are wanted, and 3 available"),
    ("mug", "OLD", "checkout", "--no-coupon", "there is no coupon “OLD”"),
    ("mug", "old", "checkout", "--no-coupon", "there is no coupon “OLD”"),
  ])
  func `that the shop does not take says where it is, and can be mended`(
    sku: String, coupon: String, line: String, mending: String, text: String
  ) async throws {
    try demo.folder.write(
      """
      {
        "id": "00000000-0000-7000-8000-000000000001", "revision": 1,
        "lines": [{ "sku": "\(sku)", "quantity": 4 }]\(coupon.isEmpty ? "" : ", \"coupon\": \"\(coupon)\"")
      }
      """, to: "kept/basket.json")
    let outcome = try await demo(line: "\(line) --store kept --log none \(early)")
    #expect(outcome.status == 1)
    #expect(outcome.errors.hasPrefix("ambient-demo: \(text)"), "\(outcome.errors)")
    #expect(outcome.errors.contains("kept/basket.json counts too: take it out"))
    let mended = try await demo(line: "basket --store kept --log none \(mending)")
    #expect(mended.status == 0, "\(mended.errors)")
  }
}
