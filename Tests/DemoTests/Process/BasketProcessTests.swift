import Foundation
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
    #expect(priced.total == "29.76 USD")
    #expect(try demo.folder.text("kept/basket.json") == stored)
    let bought = try await demo(line: "checkout \(friday)")
    let receipt = try JSONDecoder().decode(ReceiptFields.self, from: Data(bought.output.utf8))
    #expect(receipt.order.priced.total == "29.76 USD")
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
  func `stays as it was if it cannot be shown`() async throws {
    try demo.folder.write(.storedBasket, to: "kept/basket.json")
    let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
    let outcome = try await demo(line: "basket --store kept --item mug --log none", output: full)
    #expect(outcome.status == 1)
    #expect(try demo.folder.text("kept/basket.json") == .storedBasket)
  }
}
