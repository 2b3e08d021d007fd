#if canImport(Glibc)
  import Ambient
  import AmbientTesting
  import Checkout
  import Foundation
  import Testing

  @Suite(.isolatedAmbients) struct `A basket service that is reached by HTTP` {
    private func withServer<R>(
      _ fault: BasketServer.Fault? = nil,
      _ body: (HTTPBasketService, BasketServer) async throws -> R
    ) async throws -> R {
      let server = try BasketServer(fault: fault)
      defer { server.stop() }
      return try await body(HTTPBasketService(url: #require(server.url)), server)
    }

    @Test func `keeps the newer basket`() async throws {
      try await withServer { service, server in
        var basket = Basket()
        #expect(try await service.fetch(basket.id) == nil)
        let empty = basket
        try basket.add(BasketLine("coffee", 2))
        #expect(try await service.push(basket) == basket)
        #expect(try await service.push(empty) == basket)
        #expect(try await service.fetch(basket.id) == basket)
        let path = "/shop/baskets/\(basket.id)"
        #expect(server.asked == ["GET \(path)", "PUT \(path)", "PUT \(path)", "GET \(path)"])
      }
    }

    @Test(arguments: [
      (BasketServer.Fault(status: 500, body: "oh"), BasketServiceError.status(500)),
      (
        .init(status: 200, body: "{}"),
        .badAnswer(field: "id", reason: "is missing; add this field")
      ),
      (
        .init(
          status: 200,
          body: """
            {"id": "B9D3A9A0-0000-7000-8000-000000000000", "revision": 9, "lines": []}
            """),
        .badAnswer(field: "id", reason: "is that of another basket")
      ),
    ])
    func `says what is wrong with an answer`(
      fault: BasketServer.Fault, error: BasketServiceError
    ) async throws {
      try await withServer(fault) { service, _ in
        let basket = Basket()
        await #expect(throws: error) { try await service.fetch(basket.id) }
        await #expect(throws: error) { try await service.push(basket) }
      }
    }

    @Test func `that is not there leaves the buyer a basket`() async throws {
      let server = try BasketServer()
      let url = try #require(server.url)
      server.stop()
      let log = LogRecorder()
      Log.instance = log
      let client = BasketClient(
        store: MemoryBasketStore(), service: HTTPBasketService(url: url),
        prices: try Shop.example().prices)
      let basket = try await client.add("coffee")
      #expect(try await client.synchronize() == basket)
      #expect(log.records.filter { $0.metadata["reason"] == "unreachable" }.count == 2)
      #expect(!log.records.contains { "\($0)".contains("127.0.0.1") })
    }

    @Test func `serves a whole checkout`() async throws {
      try await withServer { service, server in
        Log.instance = NoLog()
        let desk = CheckoutDesk(
          shop: try Shop.example(), service: service, payments: PaymentLedger())
        let order = try await desk.checkout(
          CheckoutRequest([try BasketLine("mug")], payment: PaymentMethod(.invoice, token: "t")))
        #expect(order.priced.lines.count == 1)
        #expect(server.asked.filter { $0.hasPrefix("PUT") }.count == 2)
        let id = try await desk.basket.basket().id
        #expect(try await service.fetch(id)?.isEmpty == true)
      }
    }
  }
#endif
