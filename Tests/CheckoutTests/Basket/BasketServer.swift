// The sockets are spelt as Glibc spells them; the service that is tested is the same everywhere.
#if canImport(Glibc)
  import Ambient
  import Checkout
  import Foundation
  import Glibc

  /// A small HTTP server for baskets on this machine, on a thread of its own, one request at a time.
  final class BasketServer: Sendable {
    /// What the server answers in place of a basket.
    struct Fault: Sendable {
      let status: Int
      let body: String
    }

    private let descriptor: CInt
    private let port: UInt16
    private let baskets = Guarded<[UUID: Basket]>([:])
    private let requests = Guarded<[String]>([])
    private let fault: Fault?

    var url: URL? { URL(string: "http://127.0.0.1:\(port)/shop") }

    /// The first lines of what was asked, oldest first.
    var asked: [String] { requests.withLock { $0 } }

    struct CannotListen: Error {}

    init(fault: Fault? = nil) throws {
      self.fault = fault
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = inet_addr("127.0.0.1")
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      // Valid: the pointer is to `address`, which lives through the call, and is as long as it says.
      let bound = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(descriptor, $0, length) == 0 && listen(descriptor, 16) == 0
            && getsockname(descriptor, $0, &length) == 0
        }
      }
      guard bound else { throw CannotListen() }
      self.descriptor = descriptor
      port = UInt16(bigEndian: address.sin_port)
    }

    /// Serves until it is stopped.
    func start() {
      let thread = Thread { [self] in
        while case let client = accept(descriptor, nil, nil), client >= 0 {
          let answer = answer(to: read(client))
          _ = answer.withCString { send(client, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
          close(client)
        }
      }
      thread.start()
    }

    func stop() {
      shutdown(descriptor, Int32(SHUT_RDWR))
      close(descriptor)
    }

    private func read(_ client: CInt) -> String {
      var text = ""
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while true {
        let count = recv(client, &buffer, buffer.count, 0)
        guard count > 0 else { return text }
        text += String(decoding: buffer[..<count], as: UTF8.self)
        guard let end = text.range(of: "\r\n\r\n") else { continue }
        let head = text[..<end.lowerBound].lowercased().split(separator: "\r\n")
        let length = head.first { $0.hasPrefix("content-length: ") }?.dropFirst(16)
        if text[end.upperBound...].utf8.count >= Int(length ?? "0") ?? 0 { return text }
      }
    }

    private func answer(to request: String) -> String {
      let line = String(request.prefix { $0 != "\r\n" && $0 != "\r" })
      requests.withLock { $0.append(line) }
      if let fault { return response(fault.status, fault.body) }
      let words = line.split(separator: " ")
      guard words.count == 3,
        let id = UUID(uuidString: String(words[1].split(separator: "/").last ?? ""))
      else { return response(400, "") }
      if words[0] == "PUT" {
        let body = request.range(of: "\r\n\r\n").map { String(request[$0.upperBound...]) } ?? ""
        guard let basket = try? JSONDecoder().decode(Basket.self, from: Data(body.utf8)) else {
          return response(400, "")
        }
        return response(200, keep(basket))
      }
      return baskets.withLock { $0[id] }.map { response(200, $0) } ?? response(404, "")
    }

    private func keep(_ basket: Basket) -> Basket {
      baskets.withLock { baskets in
        if let kept = baskets[basket.id], kept.revision >= basket.revision { return kept }
        baskets[basket.id] = basket
        return basket
      }
    }

    private func response(_ status: Int, _ basket: Basket) -> String {
      let data = (try? JSONEncoder().encode(basket)) ?? Data()
      return response(status, String(decoding: data, as: UTF8.self))
    }

    private func response(_ status: Int, _ body: String) -> String {
      """
      HTTP/1.1 \(status) Status\r
      Content-Type: application/json\r
      Content-Length: \(body.utf8.count)\r
      Connection: close\r
      \r
      \(body)
      """
    }
  }
#endif
