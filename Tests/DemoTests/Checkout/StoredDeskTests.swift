import Ambient
import AmbientTesting
import Checkout
import TestSupport
import Testing

@testable import ambient_demo

@Suite(.frozen(at: "2026-11-20T12:00:00-05:00")) struct `A stored desk` {
  private let folder = TemporaryFolder()
  private let kept: ShopFolder

  init() throws {
    Log.instance = NoLog()
    Analytics.instance = NoAnalytics()
    kept = try ShopFolder(folder.path("kept"), Shop.example())
  }

  private func makeDesk(_ failure: FailingPayments.Failure? = nil) throws -> StoredDesk {
    try StoredDesk(
      shop: Shop.example(), store: kept.basket, books: kept.books,
      payments: FailingPayments(payments: kept.ledger, failure: failure, lastStep: nil))
  }

  private func buy(_ failure: FailingPayments.Failure? = nil) async throws -> Order {
    try await makeDesk(failure).desk.checkout(
      CheckoutRequest([BasketLine("mug")], payment: PaymentMethod(.invoice, token: "t")))
  }

  @Test(arguments: [1, 2])
  func `says of how many payments nothing is known, and how many were not made`(
    count: Int
  ) async throws {
    for _ in 0..<count {
      await #expect(throws: CheckoutError.self) { try await buy(.down) }
    }
    #expect(
      try await makeDesk(.down).settle()
        == [
          count == 1
            ? "Of 1 it is not known yet whether it was paid."
            : "Of 2 it is not known yet whether they were paid."
        ])
    #expect(kept.books.available("mug") == 40 - count)
    #expect(
      try await makeDesk().settle()
        == [
          count == 1
            ? "1 of an earlier run was not paid: the goods are back."
            : "2 of earlier runs were not paid: the goods are back."
        ])
    #expect(try await makeDesk().settle() == [])
  }

  @Test func `places what was paid, and says what was not`() async throws {
    let earlier = try await buy()
    for failure in [FailingPayments.Failure.lost, .down] {
      await #expect(throws: CheckoutError.self) { try await buy(failure) }
    }
    let said = try await makeDesk().settle()
    let order = try #require(kept.books.orders.last)
    #expect(kept.books.orders.count == 2 && order != earlier)
    #expect(
      said == [
        "An earlier run had paid 13.61 USD: order \(order.id) is placed.",
        "1 of an earlier run was not paid: the goods are back.",
      ])
  }

  @Test(arguments: [1, 2])
  func `says of how many refunds nothing is known, and how many were refused or paid`(
    count: Int
  ) async throws {
    let order = try await buy()
    func refund(_ failure: FailingPayments.Failure) async throws {
      for _ in 0..<count {
        await #expect(throws: CheckoutError.self) {
          try await makeDesk(failure).desk.refund(order.id, Money("1.00 USD"))
        }
      }
    }
    try await refund(.down)
    #expect(
      try await makeDesk(.down).settle()
        == [
          count == 1
            ? "Of 1 refund it is not known yet whether it was paid."
            : "Of 2 refunds it is not known yet whether they were paid."
        ])
    #expect(
      try await makeDesk(.declined).settle()
        == [
          count == 1
            ? "1 refund of an earlier run was refused." : "2 refunds of earlier runs were refused."
        ])
    #expect(try await makeDesk().settle() == [])
    try await refund(.lost)
    #expect(
      try await makeDesk().settle() == [
        count == 1
          ? "1 refund of an earlier run is paid now." : "2 refunds of earlier runs are paid now."
      ])
    #expect(
      try kept.books.refunds(of: order.id).map(\.isPaid) == Array(repeating: true, count: count))
  }

  @Test func `saves each change once, beside what another has saved meanwhile`() async throws {
    let (one, other) = (try makeDesk(), try makeDesk())
    try await other.desk.basket.add("mug")
    try other.save()
    try await one.desk.basket.add("coffee")
    try one.save()
    #expect(try kept.basket.load()?.lines == [BasketLine("mug"), BasketLine("coffee")])
    try await one.desk.basket.add("filters", 2)
    try one.save()
    #expect(
      try kept.basket.load()?.lines
        == [BasketLine("mug"), BasketLine("coffee"), BasketLine("filters", 2)])
  }
}
