// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite struct `Stored baskets` {
  private let demo = Demo()
  private let early = "--at 2026-11-26T12:00:00-05:00"

  private func basket(_ words: String) async throws -> ReceiptFields.Priced {
    try await demo(line: "basket --store kept --log none --json \(words)").decoded()
  }

  @Test func `several runs of the demo can fill, price and buy a stored basket`() async throws {
    let eve = "--store kept --log none \(early)"
    let first = try await demo(line: "basket \(eve) --item coffee:2")
    #expect(first.status == 0)
    #expect(first.errors.isEmpty)
    let second = try await demo(line: "basket \(eve) --item mug --coupon welcome10")
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
    let friday = "--at 2026-11-27T12:00:00-05:00"
    #expect(try await basket(friday).total.description == "29.76 USD")
    #expect(try demo.folder.text("kept/basket.json") == stored)
    let bought = try await demo(line: "checkout --store kept --log none --json \(friday)")
    let receipt = try bought.decoded(as: ReceiptFields.self)
    #expect(receipt.order.priced.total.description == "29.76 USD")
  }

  @Test func `goods added by concurrent processes all reach the stored basket`() async throws {
    #expect(try await basket("--item mug").lines.map(\.sku) == ["mug"])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<3 {
        group.addTask { _ = try await basket("--item coffee:2") }
      }
      try await group.waitForAll()
    }
    let priced = try await basket("")
    #expect(priced.lines.map(\.sku) == ["mug", "coffee"])
    #expect(priced.lines.map(\.quantity) == [1, 6])
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
  func `a stored basket is unchanged if the output can't be written`() async throws {
    try demo.folder.write(.storedBasket, to: "kept/basket.json")
    let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
    let outcome = try await demo(line: "basket --store kept --item mug --log none", output: full)
    #expect(outcome.status == 1)
    #expect(try demo.folder.text("kept/basket.json") == .storedBasket)
  }

  @Test func `a stored basket is unchanged if one of several changes fails`() async throws {
    try demo.folder.write(.storedBasket, to: "kept/basket.json")
    for change in ["--remove filters --item gold", "--item mug --coupon OLD", "--remove gold"] {
      #expect(try await demo(line: "basket --store kept --log none \(change)").status == 1)
      #expect(try demo.folder.text("kept/basket.json") == .storedBasket)
    }
  }

  @Test func `products and the coupon can be removed from a stored basket`() async throws {
    let line = "basket --store kept --log none"
    _ = try await basket("--item coffee --item mug")
    let missing = try await demo(line: "\(line) --remove coffee --remove gold")
    #expect(missing.isFailure(about: "kept/basket.json, which holds mug\n"))
    let less = try await basket("--remove coffee --coupon WELCOME10 \(early)")
    #expect(less.lines.map(\.sku) == ["mug"] && less.coupon == "WELCOME10")
    #expect(try await basket("--no-coupon \(early)").coupon == nil)
    for change in ["--remove mug", ""] {
      #expect(try await demo(line: "\(line) \(change)").output == "The basket is empty.\n")
    }
    #expect(try await demo(line: "\(line) --remove mug").isFailure(about: "which is empty\n"))
  }

  @Test(arguments: [
    ("gold", "", "checkout", "--remove gold", "“gold”"),
    ("gold", "", "basket --item mug --coupon WELCOME10", "--remove gold", "“gold”"),
    ("grinder", "", "checkout", "--remove grinder", "“grinder”"),
    ("mug", "OLD", "checkout", "--no-coupon", "“OLD”"),
    ("mug", "old", "checkout", "--no-coupon", "“OLD”"),
  ])
  func `a basket that the shop refuses is reported with its file and can still be changed`(
    sku: String, coupon: String, line: String, change: String, refused: String
  ) async throws {
    let field = coupon.isEmpty ? "" : #", "coupon": "\#(coupon)""#
    try demo.folder.write(
      """
      {
        "id": "00000000-0000-7000-8000-000000000001",
        "lines": [{ "sku": "\(sku)", "quantity": 4 }]\(field)
      }
      """, to: "kept/basket.json")
    let outcome = try await demo(line: "\(line) --store kept --log none \(early)")
    #expect(outcome.isFailure(about: refused) && outcome.isFailure(about: "kept/basket.json"))
    let changed = try await demo(line: "basket --store kept --log none \(change)")
    #expect(changed.status == 0, "\(changed.errors)")
  }
}
