import Foundation
import TestSupport
import Testing

@Suite struct `A stored shop as a process` {
  private struct Listed: Decodable {
    struct Row: Decodable {
      let order: ReceiptFields.Order
      let refunds: [Refund]
    }

    struct Refund: Decodable { let amount: ReceiptFields.Amount }

    let settled: [String]
    let orders: [Row]
  }

  private let demo = Demo()
  private let store = "--store kept --at 2026-11-20T12:00 --log none"

  private func orders() async throws -> Listed {
    let outcome = try await demo(line: "orders \(store) --json")
    #expect(outcome.status == 0, "\(outcome.errors)")
    return try JSONDecoder().decode(Listed.self, from: Data(outcome.output.utf8))
  }

  @Test(arguments: [("note", 0), ("charge", 1), ("order", 1)])
  func `killed after a step has the order that was paid, and no other`(
    step: String, count: Int
  ) async throws {
    let killed = try await demo(line: "checkout --item coffee:2 --crash-after \(step) \(store)")
    #expect(killed.status != 0 && killed.output.isEmpty)
    let listed = try await orders()
    #expect(listed.orders.count == count)
    #expect(listed.orders.allSatisfy { $0.order.priced.total.description == "30.49 USD" })
    let said =
      switch step {
      case "note": "1 of an earlier run was not paid: the goods are back."
      case "charge": "An earlier run had paid 30.49 USD: order "
      default: ""
      }
    #expect(listed.settled.joined().hasPrefix(said) && listed.settled.count == (said == "" ? 0 : 1))
    #expect(try await orders().settled.isEmpty)
  }

  @Test func `whose payment has no answer says so, and asks again`() async throws {
    let pending = try await demo(line: "checkout --item mug --fail-payment lost \(store)")
    #expect(pending.status == 1)
    #expect(
      pending.errors == """
        ambient-demo: it is not known yet whether the payment was made; the goods are kept until it \
        is: orders --store kept asks again

        """)
    let next = try await demo(line: "checkout --item coffee \(store)")
    #expect(next.status == 0)
    #expect(next.output.hasPrefix("An earlier run had paid 13.61 USD: order "))
    #expect(
      try await orders().orders.map(\.order.priced.total.description) == ["13.61 USD", "15.24 USD"])
    let declined = try await demo(line: "checkout --item mug --fail-payment declined \(store)")
    #expect(declined.errors.contains("the payment was declined"))
    #expect(try await orders().orders.count == 2)
  }

  @Test func `gives an order back by goods, by amount, and no more than it was`() async throws {
    _ = try await demo(line: "checkout --item coffee:2 \(store)")
    let id = try #require(try await orders().orders.first).order.id
    let goods = try await demo(line: "refund \(id) --item coffee \(store)")
    #expect(goods.output == "15.24 USD of order \(id) is given back.\n")
    let amount = try await demo(
      "refund", id, "--amount", "0.25 USD", "--store", "kept", "--log", "none", "--json")
    #expect(amount.output.contains(#""amount":{"amount":"0.25","currency":"USD"}"#))
    let rest = try await demo(line: "refund \(id) \(store)")
    #expect(rest.output == "15.00 USD of order \(id) is given back.\n")
    let more = try await demo(line: "refund \(id) \(store)")
    #expect(more.status == 1)
    #expect(more.errors == "ambient-demo: nothing of the order is left to refund\n")
    let listed = try await demo(line: "orders \(store)")
    #expect(listed.output.contains("2026-11-20  30.49 USD       30.49"), "\(listed.output)")
    let stranger = try await demo(line: "refund \(UUID()) \(store)")
    #expect(stranger.status == 1 && stranger.errors.contains("the shop has no order"))
    let wrong = try await demo(line: "refund tomorrow \(store)")
    #expect(wrong.status == 64 && wrong.errors.contains("“tomorrow” is no order"))
  }

  /// The order is of 44.09 USD: 30.48 for two packets of coffee, and 13.61 for a mug.
  @Test(arguments: [
    ("--item coffee --item mug", "28.85 USD"), ("--item mug --item coffee:2", "44.09 USD"),
    ("--item coffee --item coffee", "30.48 USD"),
  ])
  func `gives back all of the goods that come back at once`(
    goods: String, amount: String
  ) async throws {
    let bought = try await demo(line: "checkout --item coffee:2 --item mug \(store) --json")
    let order = try JSONDecoder().decode(ReceiptFields.self, from: Data(bought.output.utf8)).order
    #expect(order.priced.total.description == "44.09 USD")
    let refund = try await demo(line: "refund \(order.id) \(goods) \(store)")
    #expect(refund.output == "\(amount) of order \(order.id) is given back.\n", "\(refund.errors)")
  }

  @Test func `gives nothing back if one of the goods has come back already`() async throws {
    let bought = try await demo(line: "checkout --item coffee:2 --item mug \(store) --json")
    let id = try JSONDecoder().decode(ReceiptFields.self, from: Data(bought.output.utf8)).order.id
    #expect(try await demo(line: "refund \(id) --item mug \(store)").status == 0)
    let refused = try await demo(line: "refund \(id) --item coffee --item mug \(store)")
    #expect(refused.status == 1 && refused.output.isEmpty)
    #expect(
      refused.errors == "ambient-demo: 1 of “mug” cannot come back; write at most 0\n")
    #expect(try await orders().orders.first?.refunds.map(\.amount.description) == ["13.61 USD"])
  }

  @Test func `whose refund has no answer is asked for again`() async throws {
    _ = try await demo(line: "checkout --item coffee \(store)")
    let id = try #require(try await orders().orders.first).order.id
    let lost = try await demo(line: "refund \(id) --fail-payment lost \(store)")
    #expect(lost.status == 1, "\(lost.output)\(lost.errors)")
    #expect(try await orders().settled == ["1 refund of an earlier run is paid now."])
    let listed = try await demo(line: "orders \(store)")
    #expect(listed.output.contains("15.24 USD       15.24"), "\(listed.output)")
    #expect(!listed.output.contains("earlier run"))
  }

  @Test func `lists what was paid, and says so if there is nothing`() async throws {
    #expect(try await demo(line: "orders \(store)").output == "There are no orders.\n")
    _ = try await demo(line: "checkout --item mug \(store)")
    let listed = try await demo(line: "orders \(store)").output
    #expect(listed.hasSuffix("  2026-11-20  13.61 USD\n"), "\(listed)")
  }

  @Test func `takes a date and the shop's local time`() async throws {
    for (moment, shown) in [
      ("2026-11-27", "Fri 2026-11-27 00:00:00 -05:00"),
      ("2026-11-27T09:30", "Fri 2026-11-27 09:30:00 -05:00"),
    ] {
      let outcome = try await demo(line: "checkout --item mug --log none --at \(moment)")
      #expect(outcome.output.contains(shown))
    }
  }
}
