import Ambient
import AmbientTesting
import Checkout
import Foundation
import Testing

@Suite(.frozen(at: "2026-11-20T12:00:00-05:00")) struct `The stock room` {
  @Test func `keeps all of the goods or none`() throws {
    let room = StockRoom(["coffee": 5, "mug": 1])
    let wanted = [try BasketLine("coffee", 2), try BasketLine("mug", 2)]
    #expect(throws: CheckoutError.insufficientStock("mug", wanted: 2, available: 1)) {
      try room.reserve(wanted)
    }
    #expect(room.available("coffee") == 5)
    #expect(throws: CheckoutError.insufficientStock("tea", wanted: 1, available: 0)) {
      try room.reserve([try BasketLine("tea")])
    }
  }

  @Test func `counts two lines of a product together`() throws {
    let room = StockRoom(["coffee": 5])
    #expect(throws: CheckoutError.insufficientStock("coffee", wanted: 6, available: 5)) {
      try room.reserve([try BasketLine("coffee", 3), try BasketLine("coffee", 3)])
    }
  }

  @Test func `gives goods back when monotonic time has passed, whatever the wall shows`() throws {
    let room = StockRoom(["coffee": 5])
    let start = FixedTime(at: Time.now, uptime: .seconds(100))
    let reservation = try Time.withInstance(start) {
      try room.reserve([try BasketLine("coffee", 5)], for: .seconds(900))
    }
    let wall = Time.now.addingTimeInterval(-7_200)
    Time.withInstance(FixedTime(at: wall, uptime: .seconds(1_000) - .nanoseconds(1))) {
      #expect(reservation.isHeld && room.available("coffee") == 0)
    }
    Time.withInstance(FixedTime(at: wall, uptime: .seconds(1_000))) {
      #expect(throws: CheckoutError.lapsedReservation(after: .seconds(900))) {
        try room.take(reservation)
      }
      #expect(!reservation.isHeld && room.available("coffee") == 5)
    }
  }

  @Test func `lets the next buyer reserve what a lapsed reservation kept`() throws {
    let room = StockRoom(["coffee": 5])
    let all = [try BasketLine("coffee", 5)]
    let first = try room.reserve(all, for: .seconds(900))
    let later = FixedTime(at: Time.now, uptime: first.lifetime.start + .seconds(900))
    let second = try Time.withInstance(later) { try room.reserve(all) }
    #expect(second.isHeld)
  }

  @Test func `takes goods once`() throws {
    let room = StockRoom(["coffee": 5])
    let reservation = try room.reserve([try BasketLine("coffee", 2)])
    try room.take(reservation)
    #expect(room.available("coffee") == 3)
    #expect(throws: CheckoutError.self) { try room.take(reservation) }
    room.putBack(reservation)
    #expect(room.available("coffee") == 3)
    room.release(reservation)
    #expect(room.available("coffee") == 5)
  }

  @Test func `sells no more than it has, however many ask at once`() async throws {
    let room = StockRoom(["coffee": 100])
    let sold = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<300 {
        group.addTask {
          guard let reservation = try? room.reserve([try BasketLine("coffee")]) else {
            return false
          }
          return (try? room.take(reservation)) != nil
        }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(sold == 100)
    #expect(room.available("coffee") == 0)
  }
}
