// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientTesting
import Checkout
import TestSupport
import Testing

@testable import ambient_demo

@Suite(.frozen(at: "2026-11-20T12:00:00-05:00")) struct `Settling a stored checkout desk` {
  private let folder = TemporaryFolder()
  private let kept: ShopFolder

  init() throws {
    Log.instance = NoLog()
    Analytics.instance = NoAnalytics()
    kept = try ShopFolder(folder.path("kept"), Shop.example())
  }

  private func makeDesk(_ failure: FailingPayments.Failure? = nil) throws -> StoredDesk {
    try StoredDesk(shop: Shop.example(), folder: kept, failure: failure)
  }

  private func buy(_ failure: FailingPayments.Failure? = nil) async throws -> Order {
    try await makeDesk(failure).checkout(
      CheckoutRequest([BasketLine("mug")], payment: PaymentMethod(.invoice, token: "t")))
  }

  @Test(arguments: [1, 2])
  func `StoredDesk.settle() counts unpaid purchases and purchases with an unknown outcome`(
    count: Int
  ) async throws {
    for _ in 0..<count {
      await #expect(throws: CheckoutError.self) { try await buy(.down) }
    }
    #expect(try await makeDesk(.down).settle() == Settlement(unknown: count))
    #expect(kept.books.available("mug") == 40 - count)
    let settled = try await makeDesk().settle()
    #expect(settled == Settlement(unpaid: count))
    #expect(settled.lines.count == 1)
    #expect(try await makeDesk().settle() == Settlement())
    #expect(Settlement().lines.isEmpty)
  }

  @Test func `StoredDesk.settle() places paid orders and counts unpaid purchases`() async throws {
    let earlier = try await buy()
    for failure in [FailingPayments.Failure.lost, .down] {
      await #expect(throws: CheckoutError.self) { try await buy(failure) }
    }
    let settled = try await makeDesk().settle()
    let order = try #require(kept.books.orders.last)
    #expect(kept.books.orders.count == 2 && order != earlier)
    #expect(settled == Settlement(placed: [order.id], unpaid: 1))
    #expect(settled.lines.count == 2)
  }

  @Test(arguments: [1, 2])
  func `StoredDesk.settle() counts refunds that are unknown, refused or paid`(count: Int)
    async throws
  {
    let order = try await buy()
    func refund(_ failure: FailingPayments.Failure) async throws {
      for _ in 0..<count {
        await #expect(throws: CheckoutError.self) {
          try await makeDesk(failure).desk.refund(order.id, Money("1.00 USD"))
        }
      }
    }
    try await refund(.down)
    #expect(try await makeDesk(.down).settle() == Settlement(unknownRefunds: count))
    #expect(try await makeDesk(.declined).settle() == Settlement(refused: count))
    #expect(try await makeDesk().settle() == Settlement())
    try await refund(.lost)
    #expect(try await makeDesk().settle() == Settlement(refunded: count))
    #expect(
      try kept.books.refunds(of: order.id).map(\.isPaid) == Array(repeating: true, count: count))
  }
}
