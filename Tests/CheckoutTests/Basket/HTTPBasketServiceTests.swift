#if canImport(Glibc)
  import Ambient
  import AmbientTesting
  import Checkout
  import Foundation
  import TestSupport
  import Testing

  @Suite(.isolatedAmbients) struct `A basket service that is reached by HTTP` {
    private func withServer<R>(
      _ fault: BasketServer.Fault? = nil,
      _ body: (HTTPBasketService, BasketServer) async throws -> R
    ) async throws -> R {
      let server = try BasketServer(fault: fault)
      defer { server.stop() }
      return try await body(HTTPBasketService(url: #require(server.url), timeout: 600), server)
    }

    private static let id = "B9D3A9A0-0000-7000-8000-000000000000"
    private static let marks = Array(repeating: "\"\(id)\"", count: 33).joined(separator: ",")

    @Test func `keeps a basket in place of the revision that it replaces, and of no other`()
      async throws
    {
      try await withServer { service, server in
        var basket = Basket()
        #expect(try await service.fetch(basket.id) == nil)
        let empty = basket
        try basket.add(BasketLine("coffee", 2))
        #expect(try await service.push(basket, replacing: 7) == nil)
        #expect(try await service.push(basket, replacing: nil) == basket)
        #expect(try await service.push(empty, replacing: nil) == basket)
        #expect(try await service.push(empty, replacing: 7) == basket)
        #expect(try await service.push(empty, replacing: 1) == empty)
        #expect(try await service.fetch(basket.id) == empty)
        let path = "/shop/baskets/\(basket.id)"
        let put = "PUT \(path)"
        let get = "GET \(path)"
        #expect(server.asked == [get, put, get, put, put, get, put, get, put, get])
      }
    }

    @Test func `keeps a basket whose server says no more than that it was taken`() async throws {
      try await withServer(BasketServer.Fault(status: 204, body: "")) { service, _ in
        let basket = Basket()
        let kept = try await service.push(basket, replacing: nil)
        #expect(kept == basket)
      }
    }

    @Test(arguments: [
      (BasketServer.Fault(status: 500, body: "oh"), BasketServiceError.status(500)),
      (.init(status: 300, body: "{}"), .status(300)),
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
      (
        .init(status: 200, body: #"{"id": "\#(id)", "revision": 9007199254740992, "lines": []}"#),
        .badAnswer(
          field: "revision",
          reason: "9007199254740992 is out of range; write 0 to 9007199254740991")
      ),
      (
        .init(
          status: 200,
          body: #"{"id": "\#(id)", "revision": 1, "lines": [{"sku": "mug", "quantity": 0}]}"#),
        .badAnswer(field: "lines[0]", reason: "0 of “mug” cannot be bought; write 1 or more")
      ),
      (
        .init(
          status: 200,
          body: #"{"id": "\#(id)", "revision": 1, "lines": [{"sku": "mug", "quantity": 1000001}]}"#),
        .badAnswer(
          field: "lines[0]", reason: "that many of “mug” cannot be bought; write at most 1000000")
      ),
      (
        .init(
          status: 200,
          body: #"{"id": "\#(id)", "revision": 1, "lines": [], "offers": [\#(marks)]}"#),
        .badAnswer(field: "offers", reason: "33 is out of range; write 0 to 32")
      ),
    ])
    func `says what is wrong with an answer`(
      fault: BasketServer.Fault, error: BasketServiceError
    ) async throws {
      try await withServer(fault) { service, _ in
        let basket = Basket()
        await #expect(throws: error) { try await service.fetch(basket.id) }
        await #expect(throws: error) { try await service.push(basket, replacing: nil) }
      }
    }

    @Test func `is waited for no longer than it was said`() async throws {
      let server = try LoopbackServer(always: .hang)
      let url = try #require(URL(string: server.url))
      let service = HTTPBasketService(url: url, timeout: 1.5)
      let basket = Basket()
      let first = await #expect(throws: BasketServiceError.self) {
        try await service.fetch(basket.id)
      }
      #expect(first == .unreachable("no whole answer within 1.5 seconds"))
      // No time, as for less than none.
      let none = HTTPBasketService(url: url, timeout: -1)
      await #expect(
        throws: BasketServiceError.unreachable("no whole answer within 0.0 seconds")
      ) { try await none.fetch(basket.id) }
    }

    @Test func `is waited for as long for two requests of a call as for one`() async throws {
      let server = try LoopbackServer { _, request in
        request.method == "PUT" ? .answer(412) : .hang
      }
      let url = try #require(URL(string: server.url))
      // More than once, since a busy machine may take all of the time for the first request, or so
      // much of it that the second does not arrive.
      var left: String?
      func isAsked() -> Bool { server.requests.contains { $0.method == "GET" } }
      for _ in 0..<600 where left == nil || !isAsked() {
        let error = await #expect(throws: BasketServiceError.self) {
          try await HTTPBasketService(url: url, timeout: 0.5).push(Basket(), replacing: nil)
        }
        guard case .unreachable(let reason)? = error else {
          Issue.record("\(String(describing: error))")
          return
        }
        if reason != "no whole answer within 0.5 seconds" { left = reason }
      }
      #expect(left?.hasPrefix("no whole answer within 0.") == true)
      #expect(isAsked())
    }

    @Test(arguments: [(262_144, true), (262_145, false)])
    func `may answer with 256 KiB`(length: Int, isTaken: Bool) async throws {
      let basket = Basket()
      let text = String(decoding: try JSONEncoder().encode(basket), as: UTF8.self)
      let long = text + String(repeating: " ", count: length - text.utf8.count)
      try await withServer(BasketServer.Fault(status: 200, body: long)) { service, _ in
        if isTaken {
          let kept = try await service.fetch(basket.id)
          #expect(kept == basket)
        } else {
          let error = BasketServiceError.badAnswer(
            field: "", reason: "is longer than 262144 bytes")
          await #expect(throws: error) { try await service.fetch(basket.id) }
        }
      }
    }

    @Test func `that is not there leaves the buyer a basket`() async throws {
      let server = try BasketServer()
      let url = try #require(server.url)
      server.stop()
      let log = LogRecorder()
      Log.instance = log
      let client = BasketClient(
        store: MemoryBasketStore(), service: HTTPBasketService(url: url, timeout: 600),
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

    /// What a server can do to a buyer, and what the buyer's device says of it.
    private static let attacks: [String: (action: LoopbackServer.Action, told: String)] = [
      "says nothing": (.hang, "unreachable"),
      "drips": (.drip(milliseconds: 5), "unreachable"),
      "floods": (.flood(1 << 30), "bad_answer"),
      "speaks no HTTP": (.rubbish("no HTTP\r\n\r\n"), "unreachable"),
      "nests": (.answer(200, body: String(repeating: "[", count: 200_000)), "bad_answer"),
      "sends elsewhere": (.answer(307, headers: ["Location": "http://127.0.0.1:9/"]), "status_307"),
      "always says “go on”": (
        .steps([.sendForEver(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))]), "unreachable"
      ),
      "always has another one": (.answer(412), "status_412"),
      "has many lines": (
        .answer(
          200,
          body: #"{"id": "\#(id)", "revision": 1, "lines": ["#
            + String(repeating: "{},", count: 80_000) + "1]}"),
        "bad_answer"
      ),
    ]

    @Test(arguments: attacks.keys.sorted())
    func `that means ill is told when its time is over, in little memory`(
      attack: String
    ) async throws {
      let (action, reason) = try #require(Self.attacks[attack])
      let server = try LoopbackServer(always: action)
      defer { server.close() }
      let told = try await Command.run(
        Products.program("BasketWriter").path, "meet", server.url,
        reason == "unreachable" ? "0.5" : "300")
      let words = told.output.split(whereSeparator: \.isWhitespace)
      #expect(told.status == 0, "\(told.output)")
      #expect(words.count == 3)
      #expect(words.prefix(2) == ["\(reason),\(reason)", "[1]"])
      let memory = try #require(words.last.flatMap { Int($0) })
      #expect(memory < 20 * 1_024 * Sanitizer.memory)
    }
  }
#endif
