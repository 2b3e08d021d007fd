import Foundation
import TestSupport
import Testing

@Suite struct `The checkout as a process` {
  private let demo = Demo()
  private let blackFriday = "--at 2026-11-27T00:00:00-05:00"

  @Test func `prints a receipt`() async throws {
    let outcome = try await demo(
      line: "checkout --item coffee:2 --item mug --coupon WELCOME10 \(blackFriday) --log none")
    #expect(outcome.status == 0)
    #expect(outcome.errors.isEmpty)
    #expect(
      outcome.output.replacing(/Order [-0-9A-F]{36} is/, with: "Order … is") == """
        The Corner Roastery, Fri 2026-11-27 00:00:00 -05:00

        product             count   each  promotion           USD
        House blend, 250 g      2  14.00  Black Friday      21.00
        Stoneware mug           1  12.50  Black Friday       9.37
                                          coupon WELCOME10  -3.04
                                          tax of 8.875%      2.43
                                          to pay            29.76

        Order … is placed.
        It ships 2026-11-27, and arrives 2026-12-02 to 2026-12-04.

        """)
  }

  @Test func `writes the order as JSON, and the log to standard error`() async throws {
    let outcome = try await demo(line: "checkout --item coffee:2 \(blackFriday) --json")
    #expect(outcome.status == 0)
    #expect(outcome.output.split(separator: "\n").count == 1)
    let receipt = try JSONDecoder().decode(ReceiptFields.self, from: Data(outcome.output.utf8))
    #expect(receipt.shop == "The Corner Roastery")
    #expect(receipt.zone == "America/New_York")
    #expect(receipt.order.placedAt == "2026-11-27T05:00:00.000Z")
    #expect(receipt.order.priced.total.description == "22.86 USD")
    #expect(receipt.order.priced.lines.map(\.quantity) == [2])
    let log = outcome.errors.split(separator: "\n")
    #expect(log.allSatisfy { $0.hasPrefix("2026-11-27T05:00:00.000000Z info ") })
    #expect(log.last?.contains("order placed order=\(receipt.order.id)") == true)
  }

  @Test func `logs to standard output if told so`() async throws {
    let outcome = try await demo(line: "checkout --item mug --log stdout --json")
    #expect(outcome.errors.isEmpty)
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count { $0.contains(" info     order placed ") } == 1)
    #expect(lines.last?.hasPrefix("{") == true)
  }

  @Test(arguments: [
    ("info", "info"), ("debug", "debug"), ("WARN", nil), ("off,Checkout=debug", "debug"),
  ])
  func `logs from the level that is said`(level: String, least: String?) async throws {
    let outcome = try await demo(line: "checkout --item mug --log-level \(level)")
    #expect(outcome.status == 0)
    #expect(outcome.errors.contains("Z info ") == (least != nil))
    #expect(outcome.errors.contains("Z debug ") == (least == "debug"))
  }

  @Test(arguments: [
    ("text", #" info     order placed order="#), ("logfmt", #" level=info msg="order placed" "#),
    ("json", #","level":"info","message":"order placed","metadata":{"#),
  ])
  func `logs in the format that is said`(format: String, part: String) async throws {
    let outcome = try await demo(line: "checkout --item mug --log-format \(format)")
    #expect(outcome.status == 0)
    #expect(outcome.errors.contains(part), "\(outcome.errors)")
  }

  @Test func `appends the log and the events to files, in folders that it makes`() async throws {
    for _ in 1...2 {
      let outcome = try await demo(
        line: "checkout --item mug \(blackFriday) --log file:a/b.log --analytics file:c/d.jsonl")
      #expect(outcome.status == 0)
      #expect(outcome.errors.isEmpty)
    }
    let log = try demo.folder.text("a/b.log").split(separator: "\n")
    #expect(log.count { $0.contains("order placed") } == 2)
    let events = try demo.folder.text("c/d.jsonl").split(separator: "\n").map { line in
      try JSONDecoder().decode(EventFields.self, from: Data(line.utf8))
    }
    let names = ["view_item", "add_to_cart", "begin_checkout", "add_payment_info", "purchase"]
    #expect(events.map(\.event) == names + names)
    #expect(events.allSatisfy { $0.time == "2026-11-27T05:00:00.000Z" })
  }

  @Test func `happens now unless an instant is said`() async throws {
    let start = Date()
    let outcome = try await demo(line: "checkout --item mug --json --log none")
    let receipt = try JSONDecoder().decode(ReceiptFields.self, from: Data(outcome.output.utf8))
    let placed = try Date(receipt.order.placedAt, strategy: .iso8601WithFraction)
    // The text is cut off at the millisecond.
    #expect(placed > start.addingTimeInterval(-0.001) && placed <= Date())
  }

  @Test func `buys what is in the store too, and empties it`() async throws {
    try demo.folder.write(.storedBasket, to: "kept/basket.json")
    let outcome = try await demo(line: "checkout --store kept --item mug:2 --json --log none")
    let receipt = try JSONDecoder().decode(ReceiptFields.self, from: Data(outcome.output.utf8))
    #expect(receipt.order.priced.lines.map(\.sku) == ["filters", "mug"])
    let again = try await demo(line: "checkout --store kept --log none")
    #expect(again.status == 1)
    #expect(again.errors == "ambient-demo: the basket is empty; add something first\n")
  }

  @Test func `reads the shop from a file`() async throws {
    try demo.folder.write(
      """
      {
        "name": "Tee & \\u001B[2JCo", "zone": "Europe/Berlin",
        "products": [{ "sku": "tea", "name": "Green tea", "price": "5.95 EUR" }],
        "stock": { "tea": 1 },
        "tax": { "included": true, "rates": [{ "from": "2020-01-01", "percent": 19 }] }
      }
      """, to: "shop.json")
    let outcome = try await demo(
      line: "checkout --shop shop.json --item tea --at 2026-10-25T00:30:00Z --log none")
    #expect(
      outcome.output.replacing(/Order [-0-9A-F]{36} is/, with: "Order … is") == """
        Tee & \\u001b[2JCo, Sun 2026-10-25 02:30:00 +02:00

        product    count  each  promotion           EUR
        Green tea      1  5.95                     5.95
                                to pay             5.95
                                in it, tax of 19%  0.95

        Order … is placed.

        """)
  }

  @Test func `gives no dates of delivery beyond the calendar`() async throws {
    let line = "checkout --item mug --log none --json --at 9999-12-31T"
    let outcome = try await demo(line: line + "23:59:59Z")
    #expect(outcome.status == 0)
    #expect(!outcome.output.contains("delivery"))
    #expect(outcome.output.contains("9999-12-31T23:59:59.000Z"))
  }

  @Test func `sells by age if it is told when the buyer was born`() async throws {
    let line = "checkout --item liqueur --at 2026-11-27T12:00:00-05:00 --log none"
    #expect(try await demo(line: line + " --born 2005-11-27").status == 0)
    let outcome = try await demo(line: line + " --born 2005-11-28")
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("“liqueur” may be sold to people of 21 years"))
    let today = "checkout --item mug --at 2026-11-27T12:00:00-05:00 --log none --born 2026-11-27"
    #expect(try await demo(line: today).status == 0)
  }

  @Test func `says when subscriptions are billed again`() async throws {
    try demo.folder.write(
      """
      {
        "name": "Boxes", "zone": "UTC", "tax": { "included": true, "rates": [] },
        "products": [
          { "sku": "tea", "name": "A box a month", "price": "5.00 EUR", "billingMonths": 1 },
          { "sku": "art", "name": "A print", "price": "9.00 EUR", "billingMonths": 3 },
          { "sku": "mug", "name": "A mug", "price": "7.00 EUR" }
        ],
        "stock": { "tea": 1, "art": 1, "mug": 1 }
      }
      """, to: "shop.json")
    let outcome = try await demo(
      line: "checkout --shop shop.json --item tea --item mug --item art --log none "
        + "--at 2027-01-31T12:00:00Z")
    #expect(
      outcome.output.hasSuffix(
        """
         is placed.
        art is billed again on 2027-04-30, 2027-07-31, 2027-10-31, and so on.
        tea is billed again on 2027-02-28, 2027-03-31, 2027-04-30, and so on.

        """), "\(outcome.output)")
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
  func `says that the order is placed if its receipt cannot be written`() async throws {
    try demo.folder.write(.storedBasket, to: "kept/basket.json")
    let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
    let outcome = try await demo(line: "checkout --store kept --log none", output: full)
    #expect(outcome.status == 1)
    #expect(
      outcome.errors.replacing(/order [-0-9A-F]{36} is/, with: "order … is") == """
        ambient-demo: order … is placed, so do not buy again; but cannot write to standard output: \
        No space left on device

        """)
    #expect(try await demo(line: "checkout --store kept --log none").status == 1)
  }
}
