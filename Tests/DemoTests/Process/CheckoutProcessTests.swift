// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite struct `Checkout command` {
  private let demo = Demo()
  private let blackFriday = "--at 2026-11-27T00:00:00-05:00"

  private func order(_ line: String) async throws -> ReceiptFields.Order {
    try await demo(line: "checkout --json --log none \(line)").decoded(as: ReceiptFields.self).order
  }

  @Test(arguments: [
    "checkout", "checkout --coupon welcome10",
    "checkout --item coffee:2 --item mug --coupon WELCOME10",
  ])
  func `the checkout command prints a receipt and buys the example basket by default`(line: String)
    async throws
  {
    let outcome = try await demo(line: "\(line) \(blackFriday) --log none")
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
        Ships 2026-11-27, arrives 2026-12-02 to 2026-12-04.

        """)
  }

  @Test func `the checkout command with --json prints the order and logs to standard error`()
    async throws
  {
    let outcome = try await demo(line: "checkout --item coffee:2 \(blackFriday) --json")
    #expect(outcome.status == 0)
    let receipt = try outcome.decoded(as: ReceiptFields.self)
    #expect(receipt.shop == "The Corner Roastery")
    #expect(receipt.zone == "America/New_York")
    #expect(receipt.order.placedAt == "2026-11-27T05:00:00.000Z")
    #expect(receipt.order.priced.total.description == "22.86 USD")
    #expect(receipt.order.priced.lines.map(\.quantity) == [2])
    let log = outcome.errors.split(separator: "\n")
    #expect(log.allSatisfy { $0.hasPrefix("2026-11-27T05:00:00.000000Z info ") })
    #expect(log.last?.contains("order placed order=\(receipt.order.id)") == true)
  }

  @Test func `checkout --log stdout logs to standard output`() async throws {
    let outcome = try await demo(line: "checkout --item mug --log stdout --json")
    #expect(outcome.errors.isEmpty)
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count { $0.contains(" info     order placed ") } == 1)
    #expect(lines.last?.hasPrefix("{") == true)
  }

  @Test(arguments: [
    ("info", "info"), ("debug", "debug"), ("WARN", nil), ("off,Checkout=debug", "debug"),
  ])
  func `checkout --log-level sets the lowest logged level`(level: String, least: String?)
    async throws
  {
    let outcome = try await demo(line: "checkout --item mug --log-level \(level)")
    #expect(outcome.status == 0)
    #expect(outcome.errors.contains("Z info ") == (least != nil))
    #expect(outcome.errors.contains("Z debug ") == (least == "debug"))
  }

  @Test(arguments: [
    ("text", #" info     order placed order="#), ("logfmt", #" level=info msg="order placed" "#),
    ("json", #","level":"info","message":"order placed","metadata":{"#),
  ])
  func `checkout --log-format sets the format of the log`(format: String, part: String) async throws
  {
    let outcome = try await demo(line: "checkout --item mug --log-format \(format)")
    #expect(outcome.status == 0)
    #expect(outcome.errors.contains(part), "\(outcome.errors)")
  }

  @Test func `the checkout command appends its log and its events to the given files`() async throws
  {
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
    #expect(events.map(\.event) == EventFields.ofPurchase + EventFields.ofPurchase)
    #expect(events.allSatisfy { $0.time == "2026-11-27T05:00:00.000Z" })
  }

  @Test(arguments: [
    ("2026-11-27", "2026-11-27T05:00:00.000Z"), ("2026-11-27T09:30", "2026-11-27T14:30:00.000Z"),
    ("9999-12-31T23:59:59Z", "9999-12-31T23:59:59.000Z"),
  ])
  func `checkout --at accepts a date, a local time or an instant`(
    moment: String, placedAt: String
  ) async throws {
    let order = try await order("--item mug --at \(moment)")
    #expect(order.placedAt == placedAt)
    // The calendar has no dates of delivery after its last year.
    #expect((order.delivery == nil) == moment.hasPrefix("9999"))
  }

  @Test func `the checkout command without --at uses the current time`() async throws {
    let start = Date()
    let order = try await order("--item mug")
    let placed = try Date(order.placedAt, strategy: .iso8601WithFraction)
    // The text is cut off at the millisecond.
    #expect(placed > start.addingTimeInterval(-0.001) && placed <= Date())
  }

  @Test func `checkout --store also buys the stored basket and empties it`() async throws {
    try demo.folder.write(.storedBasket, to: "kept/basket.json")
    let order = try await order("--store kept --item mug:2")
    #expect(order.priced.lines.map(\.sku) == ["filters", "mug"])
    let again = try await demo(line: "checkout --store kept --log none")
    #expect(again.isFailure(about: "the basket is empty"))
  }

  @Test func `checkout --shop reads the shop from a file`() async throws {
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

        product    count  each  promotion             EUR
        Green tea      1  5.95                       5.95
                                to pay               5.95
                                included tax of 19%  0.95

        Order … is placed.

        """)
  }

  @Test(arguments: [
    ("liqueur", "2005-11-27", 0), ("liqueur", "2005-11-28", 1), ("mug", "2026-11-27", 0),
  ])
  func `checkout --born enforces a product's minimum age`(sku: String, born: String, status: Int32)
    async throws
  {
    let outcome = try await demo(
      line: "checkout --item \(sku) --at 2026-11-27T12:00:00-05:00 --log none --born \(born)")
    #expect(outcome.status == status)
    #expect(status == 0 || outcome.isFailure(about: "“liqueur”"))
  }

  @Test func `the checkout command lists the next billing dates of subscriptions`() async throws {
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
  func `the checkout command reports the placed order if its receipt can't be written`()
    async throws
  {
    try demo.folder.write(.storedBasket, to: "kept/basket.json")
    let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
    let outcome = try await demo(line: "checkout --store kept --log none", output: full)
    #expect(outcome.isFailure(about: "do not buy again"))
    #expect(outcome.errors.contains(/order [-0-9A-F]{36} is placed/))
    #expect(try await demo(line: "checkout --store kept --log none").status == 1)
  }
}
