// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientTesting
import Foundation
import Testing

@testable import Checkout

@Suite(.frozen(at: "2026-11-20T12:00:00-05:00")) struct `Basket service` {
  private let service = FaultyService()
  private let store = MemoryBasketStore()
  private let log = LogRecorder()
  private let client: BasketClient

  init() throws {
    Log.instance = log
    client = BasketClient(store: store, service: service, prices: try Shop.example().prices)
  }

  /// The basket at the service, which answers again.
  private func copy() async throws -> Basket? {
    service.fault = nil
    return try await service.fetch(#require(store.load()).id)
  }

  @Test func `a basket service receives each change once, and isn't called without a change`()
    async throws
  {
    try await client.add([BasketLine("coffee", 20), BasketLine("mug")], coupon: "WELCOME10")
    try await client.add("coffee", 2)
    try await client.use(coupon: "BIGSPENDER")
    try await client.remove("mug")
    try await client.remove("mug")
    try await client.use(coupon: nil)
    try await client.add([])
    try await client.clear()
    #expect(
      service.calls == [
        "append 20 coffee 1 mug WELCOME10", "append 2 coffee", "append BIGSPENDER",
        "remove 1 mug", "remove BIGSPENDER", "remove 22 coffee",
      ])
    #expect(try await copy() == store.load())
    #expect(await client.serviceError == nil)
  }

  @Test(arguments: [FaultyService.Fault.unreachable, .lostAnswer])
  func `after a basket service failure, the next change also sends the missed changes`(
    fault: FaultyService.Fault
  ) async throws {
    try await client.add("coffee", 2)
    service.fault = fault
    for _ in 0..<2 { try await client.add("mug") }
    try await client.remove("coffee")
    #expect(store.load()?.lines == [try BasketLine("mug", 2)])
    guard case .unavailable? = await client.serviceError else {
      Issue.record("\(String(describing: await client.serviceError))")
      return
    }
    #expect(log.told.count { $0 == "warning basket service lacks a change" } == 3)
    #expect(log.records.last?.metadata["reason"] == "unavailable")
    service.fault = nil
    try await client.use(coupon: "WELCOME10")
    #expect(try await copy() == store.load())
    #expect(await client.serviceError == nil)
  }

  @Test func `if a basket service returns a different basket, the change is kept and sent later`()
    async throws
  {
    let other = Basket()
    service.fault = .lie(other)
    try await client.add("coffee")
    #expect(await client.serviceError == .otherBasket(other.id))
    #expect(store.load()?.lines == [try BasketLine("coffee")])
    #expect(log.records.last?.metadata["reason"] == "other_basket" && service.calls.isEmpty)
    service.fault = nil
    try await client.add("mug")
    #expect(try await copy() == store.load())
  }

  @Test func `wrong goods in the basket service's copy are corrected at the next change`()
    async throws
  {
    let basket = try await client.add("coffee", 2)
    var wrong = Basket(id: basket.id)
    try wrong.add(BasketLine("bicycle", 7))
    try wrong.add(BasketLine("coffee", 9))
    service.fault = .lie(wrong)
    try await client.add("mug")
    #expect(service.calls.suffix(2) == ["remove 7 bicycle 7 coffee", "append 1 mug"])
    #expect(try store.load()?.lines == [BasketLine("coffee", 2), BasketLine("mug")])
  }

  @Test func `a call to a slow basket service ends after ten seconds, and no change is lost`()
    async throws
  {
    try await Time.virtual(from: "2026-11-20T12:00:00-05:00") { _ in
      service.fault = .hang
      let start = Time.uptime
      try await client.add("coffee")
      #expect(Time.uptime - start == .seconds(10))
      #expect(await client.serviceError == .late(limit: .seconds(10)))
      service.fault = nil
      try await client.add("mug")
      #expect(try await copy() == store.load())
      // The answer arrives, and the first change is made once more.
      service.letGo()
      try await Time.sleep(for: .seconds(1))
      #expect(try await copy()?.lines != store.load()?.lines)
      try await client.add("mug")
      #expect(try await copy() == store.load())
      #expect(try store.load()?.lines == [BasketLine("coffee"), BasketLine("mug", 2)])
    }
  }

  @Test
  func `MemoryBasketService adds all goods or none, and removes only goods that the basket has`()
    throws
  {
    let service = MemoryBasketService()
    let basket = Basket()
    service.remove([try BasketLine("mug")], coupon: "A", from: basket.id)
    #expect(service.fetch(basket.id) == nil)
    try service.append([BasketLine("mug", 999_999)], coupon: "a", to: basket.id)
    #expect(throws: BasketServiceError.self) {
      try service.append([BasketLine("coffee"), BasketLine("mug", 2)], coupon: "B", to: basket.id)
    }
    #expect(try service.fetch(basket.id)?.lines == [BasketLine("mug", 999_999)])
    service.remove([try BasketLine("mug", 1_000_000)], coupon: "B", from: basket.id)
    #expect(service.fetch(basket.id)?.isEmpty == true && service.fetch(basket.id)?.coupon == "A")
    #expect(service.fetch(UUID()) == nil)
  }

  @Test func `a BasketServiceError has advice in its description and no basket ID in its code`() {
    let id = UUID()
    for (error, code, part) in [
      (BasketServiceError.unavailable("down"), "unavailable", "down"),
      (.late(limit: .seconds(10)), "late", "10.0 seconds"),
      (.otherBasket(id), "other_basket", "\(id)"),
    ] {
      #expect(error.code == code)
      #expect(error.description.contains(part))
    }
  }
}
