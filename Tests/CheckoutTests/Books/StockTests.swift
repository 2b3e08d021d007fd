// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientTesting
import Checkout
import Foundation
import TestSupport
import Testing

@Suite(.frozen(at: "2026-11-20T12:00:00-05:00")) struct `Stock reservations` {
  private let minutes = Duration.seconds(900)

  @Test func `a stock reservation reserves all of its goods or none`() throws {
    let room = try ShopStore.stocked(["coffee": 5, "mug": 1])
    let wanted = [try BasketLine("coffee", 2), try BasketLine("mug", 2)]
    #expect(throws: CheckoutError.insufficientStock("mug", wanted: 2, available: 1)) {
      try room.reserve(wanted, for: minutes)
    }
    #expect(room.available("coffee") == 5)
    let more = [try BasketLine("mug", 2), try BasketLine("coffee", 6)]
    #expect(throws: CheckoutError.insufficientStock("coffee", wanted: 6, available: 5)) {
      try room.reserve(more, for: minutes)
    }
    #expect(throws: CheckoutError.insufficientStock("tea", wanted: 1, available: 0)) {
      try room.reserve([try BasketLine("tea")], for: minutes)
    }
  }

  @Test func `a product that was never stocked has an availability of zero`() throws {
    let shop = try Shop(
      name: "Small", zone: .utc,
      products: [Product(sku: "tea", name: "Tea", price: Money("1.00 USD"))],
      tax: TaxSchedule(rates: []))
    let room = ShopStore(shop)
    #expect(room.available("tea") == 0)
    try room.restock([BasketLine("tea", 2)])
    #expect(room.available("tea") == 2)
  }

  @Test func `a reservation counts two lines of one product together`() throws {
    let room = try ShopStore.stocked(["coffee": 5])
    #expect(throws: CheckoutError.insufficientStock("coffee", wanted: 6, available: 5)) {
      try room.reserve([try BasketLine("coffee", 3), try BasketLine("coffee", 3)], for: minutes)
    }
  }

  @Test func `a reservation lapses by monotonic time, not by wall time`() throws {
    let room = try ShopStore.stocked(["coffee": 5])
    let start = FixedTime(at: Time.now, uptime: .seconds(100))
    let reservation = try Time.withInstance(start) {
      try room.reserve([try BasketLine("coffee", 5)], for: .seconds(900))
    }
    let wall = Time.now.addingTimeInterval(-7_200)
    Time.withInstance(FixedTime(at: wall, uptime: .seconds(1_000) - .nanoseconds(1))) {
      #expect(reservation.isHeld && room.available("coffee") == 0)
    }
    Time.withInstance(FixedTime(at: wall, uptime: .seconds(1_000))) {
      #expect(!reservation.isHeld && room.available("coffee") == 5)
    }
  }

  @Test func `goods of a lapsed reservation can be reserved again`() throws {
    let room = try ShopStore.stocked(["coffee": 5])
    let all = [try BasketLine("coffee", 5)]
    let first = try room.reserve(all, for: .seconds(900))
    let later = FixedTime(at: Time.now, uptime: first.lifetime.start + .seconds(900))
    let second = try Time.withInstance(later) { try room.reserve(all, for: minutes) }
    #expect(second.isHeld)
  }

  @Test func `releasing a stock reservation twice returns its goods only once`() throws {
    let room = try ShopStore.stocked(["coffee": 5])
    let start = Time.uptime
    let first = try room.reserve([try BasketLine("coffee", 2)], for: minutes)
    let second = try room.reserve([try BasketLine("coffee", 2)], for: minutes)
    room.release(first)
    room.release(first)
    #expect(room.available("coffee") == 3)
    Time.withInstance(FixedTime(at: Time.now, uptime: start + minutes)) {
      #expect(!second.isHeld && room.available("coffee") == 5)
      room.release(second)
      #expect(room.available("coffee") == 5)
    }
  }

  @Test func `each of 500 reservations lapses at its own time`() throws {
    let count = 500
    let room = try ShopStore.stocked(["coffee": count])
    let start = Time.uptime
    var numbers = SeededNumbers(7)
    var ends: [Int] = []
    for _ in 0..<count {
      let seconds = Int.random(in: 1...100, using: &numbers)
      ends.append(seconds)
      _ = try room.reserve([try BasketLine("coffee")], for: .seconds(seconds))
    }
    for seconds in 1...101 {
      Time.withInstance(FixedTime(at: Time.now, uptime: start + .seconds(seconds))) {
        #expect(room.available("coffee") == ends.count { $0 <= seconds })
      }
    }
  }

  @Test func `a reservation without goods or with an invalid length is refused`() throws {
    let room = try ShopStore.stocked(["coffee": 5])
    #expect(throws: CheckoutError.emptyBasket) { try room.reserve([], for: minutes) }
    for length in [Duration.zero, .seconds(-1), .seconds(367 * 86_400), .seconds(Int64.max)] {
      #expect(throws: CheckoutError.lifetime(length)) {
        try room.reserve([try BasketLine("coffee")], for: length)
      }
    }
    #expect(room.available("coffee") == 5)
  }

  @Test func `concurrent reservations don't exceed the stock`() async throws {
    let room = try ShopStore.stocked(["coffee": 100])
    let sold = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<300 {
        group.addTask {
          guard let reservation = try? room.reserve([try BasketLine("coffee")], for: minutes) else {
            return false
          }
          return reservation.isHeld
        }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(sold == 100)
    #expect(room.available("coffee") == 0)
  }
}
