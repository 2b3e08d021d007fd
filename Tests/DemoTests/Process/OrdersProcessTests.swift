// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite struct `Orders and refunds` {
  private struct Listed: Decodable {
    struct Settled: Decodable {
      let placed: [String]
      let unpaid: Int
      let refunded: Int
    }

    struct Row: Decodable {
      let order: ReceiptFields.Order
      let refunds: [Refund]
    }

    struct Refund: Decodable { let amount: ReceiptFields.Amount }

    let settled: Settled
    let orders: [Row]
  }

  private let demo = Demo()
  private let store = "--store kept --at 2026-11-20T12:00 --log none"

  private func orders() async throws -> Listed {
    let outcome = try await demo(line: "orders \(store) --json")
    #expect(outcome.status == 0, "\(outcome.errors)")
    return try outcome.decoded()
  }

  private func buy(_ goods: String) async throws -> ReceiptFields.Order {
    try await demo(line: "checkout \(goods) \(store) --json").decoded(as: ReceiptFields.self).order
  }

  @Test(arguments: [("note", 0), ("charge", 1), ("order", 1)])
  func `a killed checkout process leaves an order only if the payment was charged`(
    step: String, count: Int
  ) async throws {
    let killed = try await demo(line: "checkout --item coffee:2 --crash-after \(step) \(store)")
    #expect(killed.status != 0 && killed.output.isEmpty)
    let listed = try await orders()
    #expect(
      listed.orders.map(\.order.priced.total.description)
        == Array(repeating: "30.49 USD", count: count))
    #expect(listed.settled.unpaid == (step == "note" ? 1 : 0))
    #expect(listed.settled.placed.count == (step == "charge" ? 1 : 0))
    let again = try await orders()
    #expect(again.settled.unpaid == 0 && again.settled.placed.isEmpty)
    // The killed run has left nothing in the basket.
    #expect(try await demo(line: "basket \(store)").output == "The basket is empty.\n")
  }

  @Test func `a payment without a response is settled by the next run of the demo`() async throws {
    let pending = try await demo(line: "checkout --item mug --fail-payment lost \(store)")
    #expect(pending.isFailure(about: "orders --store kept"))
    let next = try await demo(line: "checkout --item coffee \(store)")
    #expect(next.status == 0)
    let totals = try await orders().orders.map(\.order.priced.total.description)
    #expect(totals == ["13.61 USD", "15.24 USD"])
    let declined = try await demo(line: "checkout --item mug --fail-payment declined \(store)")
    #expect(declined.isFailure(about: "declined"))
    #expect(try await orders().orders.count == 2)
  }

  @Test func `refunds of an order can add up to the order's total, but not to more`() async throws {
    let id = try await buy("--item coffee:2").id
    let goods = try await demo(line: "refund \(id) --item coffee \(store)")
    #expect(goods.output == "Refunded 15.24 USD of order \(id).\n")
    let words = [
      "refund", id, "--amount", "0.25 USD", "--store", "kept", "--log", "none", "--json",
    ]
    let amount = try await demo(words)
    #expect(amount.output.contains(#""amount":{"amount":"0.25","currency":"USD"}"#))
    let rest = try await demo(line: "refund \(id) \(store)")
    #expect(rest.output == "Refunded 15.00 USD of order \(id).\n")
    #expect(try await demo(line: "refund \(id) \(store)").isFailure(about: "refunded"))
    let listed = try await demo(line: "orders \(store)")
    #expect(listed.output.contains("2026-11-20  30.49 USD     30.49"), "\(listed.output)")
    let stranger = UUID().uuidString
    #expect(try await demo(line: "refund \(stranger) \(store)").isFailure(about: stranger))
    #expect(
      try await demo(line: "refund tomorrow \(store)")
        .isUsageError(of: "refund", about: "“tomorrow”"))
  }

  /// The order is of 44.09 USD: 30.48 for two packets of coffee, and 13.61 for a mug.
  @Test(arguments: [
    ("--item coffee --item mug", "28.85 USD"), ("--item mug --item coffee:2", "44.09 USD"),
    ("--item coffee --item coffee", "30.48 USD"),
  ])
  func `one refund can cover several products`(goods: String, amount: String) async throws {
    let order = try await buy("--item coffee:2 --item mug")
    #expect(order.priced.total.description == "44.09 USD")
    let refund = try await demo(line: "refund \(order.id) \(goods) \(store)")
    #expect(refund.output == "Refunded \(amount) of order \(order.id).\n", "\(refund.errors)")
  }

  @Test func `a refund is refused if one of its products has already been refunded`() async throws {
    let id = try await buy("--item coffee:2 --item mug").id
    #expect(try await demo(line: "refund \(id) --item mug \(store)").status == 0)
    let refused = try await demo(line: "refund \(id) --item coffee --item mug \(store)")
    #expect(refused.isFailure(about: "1 of “mug” "))
    #expect(try await orders().orders.first?.refunds.map(\.amount.description) == ["13.61 USD"])
  }

  @Test func `a refund without a response is settled by the next run of the demo`() async throws {
    let id = try await buy("--item coffee").id
    let lost = try await demo(line: "refund \(id) --fail-payment lost \(store)")
    #expect(lost.status == 1, "\(lost.output)\(lost.errors)")
    #expect(try await orders().settled.refunded == 1)
    let listed = try await demo(line: "orders \(store)")
    #expect(listed.output.contains("15.24 USD     15.24"), "\(listed.output)")
    #expect(try await orders().settled.refunded == 0)
  }

  @Test func `the orders command lists each order with the paid amount`() async throws {
    #expect(try await demo(line: "orders \(store)").output == "There are no orders.\n")
    _ = try await buy("--item mug")
    let listed = try await demo(line: "orders \(store)").output
    #expect(listed.hasSuffix("  2026-11-20  13.61 USD\n"), "\(listed)")
  }
}
