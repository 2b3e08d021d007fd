// The sockets are spelt as Glibc spells them; the service that is tested is the same everywhere.
#if canImport(Glibc)
  import Ambient
  import Checkout
  import Foundation
  import TestSupport

  /// An HTTP server on the loopback address that keeps a basket if it replaces the one that is kept.
  struct BasketServer {
    /// What the server answers in place of a basket.
    struct Fault: Sendable {
      let status: Int
      let body: String
    }

    private let server: LoopbackServer

    init(fault: Fault? = nil) throws {
      let baskets = Guarded<[UUID: Basket]>([:])
      server = try LoopbackServer { _, request in
        if let fault { return .answer(fault.status, body: fault.body) }
        guard let id = UUID(uuidString: String(request.target.split(separator: "/").last ?? ""))
        else { return .answer(400) }
        guard request.method == "PUT" else {
          return baskets.withLock { $0[id] }.map(Self.answer) ?? .answer(404)
        }
        let body = Data(request.body.utf8)
        guard let offered = try? JSONDecoder().decode(Basket.self, from: body) else {
          return .answer(400)
        }
        let isTaken = baskets.withLock { baskets in
          let tag = baskets[id].map { "\"\($0.revision)\"" }
          let isTaken =
            request.headers["if-none-match"] == "*"
            ? tag == nil : tag != nil && request.headers["if-match"] == tag
          if isTaken { baskets[id] = offered }
          return isTaken
        }
        return isTaken ? Self.answer(offered) : .answer(412)
      }
    }

    var url: URL? { URL(string: server.url + "shop") }

    /// Method and path of each request, oldest first.
    var asked: [String] { server.requests.map { "\($0.method) \($0.target)" } }

    /// Refuses from now on; the port stays taken, so that no other server answers there.
    func stop() { server.refuse() }

    private static func answer(_ basket: Basket) -> LoopbackServer.Action {
      let body = (try? JSONEncoder().encode(basket)) ?? Data()
      return .answer(200, body: String(decoding: body, as: UTF8.self))
    }
  }
#endif
