import AmbientHTTP
import CHostile
import Foundation
import TestSupport
import Testing

@Suite struct `An HTTP client` {
  @Test(arguments: Network.curls)
  func `sends what it is given, and says what it got`(network: Network) async throws {
    let server = try LoopbackServer(
      always: .answer(200, headers: ["X-Of-Server": "  a"], body: "so"))
    let client = try network.client()
    let url = try #require(URL(string: server.url + "a?b=%20c"))
    let body = (0..<100_000).map { UInt8(32 + $0 % 90) }
    let answer = try await client.exchange(
      OutgoingRequest("PUT", url, headers: ["X-Key": "k", "Content-Type": "a/b"], body: body),
      ExchangeLimits(duration: Patience.short))
    #expect(answer.headers["x-of-server"] == "a")
    #expect(answer.text == "so")
    let request = try #require(server.requests.first)
    #expect(request.method == "PUT")
    #expect(request.target == "/a?b=%20c")
    #expect(request.headers["x-key"] == "k")
    #expect(request.headers["content-type"] == "a/b")
    #expect(request.headers["expect"] == nil)
    #expect(request.headers["accept-encoding"] == nil)
    #expect(Array(request.body.utf8) == body)
  }

  @Test(arguments: Network.curls, ["GET", "DELETE", "POST", "PUT", "PATCH", "HEAD"])
  func `has a length only where a method has a body`(network: Network, method: String) async throws
  {
    let server = try LoopbackServer(always: .steps([bytes("HTTP/1.1 204 So\r\n\r\n")]))
    #expect(
      try await network.client().outcome(server.url, method: method, body: "") == "204 ")
    let request = try #require(server.requests.first)
    #expect(request.method == method)
    let isLong = ["POST", "PUT", "PATCH"].contains(method)
    #expect(request.headers["content-length"] == (isLong ? "0" : nil))
    #expect(request.headers["content-type"] == nil)
    #expect(request.headers["user-agent"]?.hasPrefix("Ambient/") == true)
  }

  @Test(arguments: Network.curls)
  func `waits for no body after HEAD`(network: Network) async throws {
    let server = try LoopbackServer(
      always: .steps([bytes("HTTP/1.1 200 So\r\nContent-Length: 99\r\n\r\n")]))
    #expect(
      try await network.client().outcome(server.url, method: "HEAD", body: "") == "200 ")
  }

  @Test(arguments: Network.curls)
  func `joins fields that come several times, and folded lines`(network: Network) async throws {
    let head =
      "HTTP/1.1 204 So\r\nX-A: 1\r\nx-a: 2\r\nX-B: one\r\n\t two\r\nX-\u{e9}: \u{e9}\r\n\r\n"
    let server = try LoopbackServer(
      always: .steps([.send(head.unicodeScalars.map { UInt8($0.value) })]))
    let url = try #require(URL(string: server.url))
    let answer = try await network.client().exchange(
      OutgoingRequest("GET", url, body: []), ExchangeLimits(duration: Patience.short))
    #expect(answer.headers == ["x-a": "1, 2", "x-b": "one two", "x-\u{e9}": "\u{e9}"])
  }

  @Test(arguments: [
    ("GE T", [:], "a request's method is one word"),
    ("GET\r\nX: y", [:], "a request's method is one word"),
    ("", [:], "a request's method is one word"),
    (
      "GET", ["X\r\nY": "z"],
      "the header field “X” cannot be sent: a name has letters, digits and hyphens"
    ),
    (
      "GET", ["X\0": "z"],
      "the header field “X” cannot be sent: a name has letters, digits and hyphens"
    ),
    (
      "GET", ["X": "z\r\nY: 1"],
      "the header field “X” cannot be sent: its value has a line break or another control character in it"
    ),
    (
      "GET", ["X": "z\nY: 1"],
      "the header field “X” cannot be sent: its value has a line break or another control character in it"
    ),
    (
      "GET", ["X": "\0"],
      "the header field “X” cannot be sent: its value has a line break or another control character in it"
    ),
    (
      "GET", ["Transfer-Encoding": "chunked"],
      "the header field “Transfer-Encoding” cannot be sent: it is the connection's own; leave it out"
    ),
    (
      "GET", ["content-length": "1"],
      "the header field “content-length” cannot be sent: it is the connection's own; leave it out"
    ),
    ("HEAD", ["X": "y"], "a request of HEAD has no body"),
  ])
  func `sends no request that would be another`(
    method: String, headers: [String: String], reason: String
  ) async throws {
    let server = try LoopbackServer(always: .answer(200))
    let outcome = try await HTTPClient().outcome(server.url, method: method, headers: headers)
    #expect(outcome == "unsent: \(reason)")
    #expect(server.requests.isEmpty)
  }

  @Test(arguments: [
    ("file:///etc/passwd", "the address is none of http or https"),
    ("ftp://127.0.0.1/", "the address is none of http or https"),
    ("gopher://127.0.0.1/", "the address is none of http or https"),
    ("http:///x", "the address is none of http or https"),
    ("http://u:p@127.0.0.1/", "the address has a user; a header field Authorization says who asks"),
  ])
  func `asks at no address of another kind`(url: String, reason: String) async throws {
    #expect(try await HTTPClient().outcome(url) == "unsent: \(reason)")
  }

  @Test(arguments: Network.curls)
  func `follows a redirect within its origin, with all of the request`(
    network: Network
  ) async throws {
    let server = try LoopbackServer { number, _ in
      number < 5 ? .answer(307, headers: ["Location": "/\(number + 1)"]) : .answer(200, body: "so")
    }
    #expect(
      try await network.client().outcome(server.url) == "200 so")
    #expect(server.requests.map(\.target) == ["/", "/1", "/2", "/3", "/4", "/5"])
    #expect(server.requests.allSatisfy { $0.method == "POST" && $0.body == "an event" })
  }

  @Test(arguments: Network.curls)
  func `follows no redirect to another, or with another's password`(
    network: Network
  ) async throws {
    let other = try LoopbackServer(always: .answer(200))
    for target in [other.url, "file:///etc/passwd", "http://u:p@127.0.0.1:PORT/"] {
      let server = try LoopbackServer { _, request in
        let port = request.headers["host"]?.split(separator: ":").last ?? ""
        return .answer(302, headers: ["Location": target.replacing("PORT", with: port)])
      }
      #expect(
        try await network.client().outcome(server.url) == "302 ")
      #expect(server.requests.count == 1)
    }
    #expect(other.requests.isEmpty)
  }

  @Test(arguments: Network.curls)
  func `is not kept by a resolver that hangs`(network: Network) async throws {
    let server = try LoopbackServer(always: .answer(200))
    let (stuck, other) = (try network.client(), try network.client())
    let name = "http://\(UUID().uuidString).hangs.test/"
    // Before version 7.80 it is not told when a request begins.
    let known = network == .oldCurl ? "unknown" : "unsent"
    let outcome = await stuck.outcome(name, limit: .milliseconds(300))
    #expect(outcome == "\(known): no whole answer within 0.3 seconds")
    #expect(await other.outcome(server.url) == "200 ")
    let task = Task { await stuck.outcome(name) }
    task.cancel()
    #expect(await task.value.hasSuffix("the exchange was given up"))
    if network != .oldCurl { #expect(await stuck.outcome(server.url) == "200 ") }
    // With an old libcurl its thread waits for the resolver; the limit holds all the same.
    let last = await stuck.outcome(server.url, limit: .milliseconds(300))
    #expect(["200 ", "unsent: no whole answer within 0.3 seconds"].contains(last))
  }

  @Test func `leaves neither files nor threads behind`() async throws {
    await #expect(processExitsWith: .success) {
      func open(_ folder: String) -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/\(folder)").count) ?? 0
      }
      let server = try LoopbackServer(always: .answer(200))
      func round() async throws {
        for _ in 0..<100 {
          let outcome = try await HTTPClient().outcome(server.url)
          precondition(outcome == "200 ", outcome)
          // One that was never used has none.
          _ = try HTTPClient()
        }
      }
      try await round()
      let (files, threads) = (open("fd"), open("task"))
      for _ in 0..<8 { try await round() }
      let isFlat = await Patience.waitIdly {
        open("fd") <= files + 8 && open("task") <= threads + 8
      }
      precondition(isFlat, "\(files) \(threads) \(open("fd")) \(open("task"))")
    }
  }

  @Test func `says that there is no libcurl, or none that may be used`() async throws {
    #expect(throws: HTTPClientError.noLibrary(names: ["libnone.so.4"])) {
      try CurlLibrary.system(["libnone.so.4"])
    }
    // A library, and none of its kind.
    #expect(throws: HTTPClientError.noLibrary(names: ["libm.so.6"])) {
      try CurlLibrary.system(["libm.so.6"])
    }
    #expect(throws: HTTPClientError.privileged) { try CurlLibrary.system(isPrivileged: true) }
    #expect(throws: HTTPClientError.authorities(path: "/nowhere")) {
      try HTTPClient(authorities: "/nowhere")
    }
  }

  @Test(
    .enabled(if: geteuid() == 0, "only root can make a program of another user's"),
    .disabled(if: Network.isLeakChecked, "the leak sanitizer fails in such a program"))
  func `is not made in a program with rights of its file's`() async throws {
    let folder = TemporaryFolder()
    let program = folder.path("Fetcher")
    try FileManager.default.copyItem(
      atPath: Products.program("Fetcher").path, toPath: program)
    #expect(chown(program, 65_534, 65_534) == 0)
    #expect(chmod(program, 0o6755) == 0)
    let server = try LoopbackServer(always: .answer(200))
    var end: (status: Int32, lines: [String])?
    // A program that another test starts at this moment may still have the copy open to be written.
    #expect(
      await Patience.waitIdly {
        end = try? await fetch("GET", server.url, program: program)
        return end != nil
      })
    let (status, lines) = try #require(end)
    #expect(status == 3)
    #expect(lines.first?.contains("setuid") == true, "\(lines)")
  }

  @Test func `uses the proxies of the usual variables, and tells what they answer`() async throws {
    let proxy = try LoopbackServer { _, request in
      request.method == "CONNECT"
        ? .steps([bytes("HTTP/1.1 403 So\r\nContent-Length: 2\r\n\r\nno"), .close])
        : .answer(407, body: "who?")
    }
    let server = try LoopbackServer(always: .answer(204))
    let environment = ["http_proxy": proxy.url, "https_proxy": proxy.url]
    let plain = try await fetch("GET", "http://events.example/a", environment: environment)
    #expect(plain.lines.first == "1 status 407, 4 bytes")
    #expect(proxy.requests.last?.target == "http://events.example/a")
    let secure = try await fetch("GET", "https://events.example/a", environment: environment)
    #expect(secure.lines.first?.hasSuffix("the proxy answers with status 403") == true)
    #expect(proxy.requests.last?.target == "events.example:443")
    let own = try await fetch(
      "GET", server.url, environment: environment.merging(["no_proxy": "127.0.0.1"]) { $1 })
    #expect(own.lines.first == "1 status 204, 0 bytes")
    #expect(server.requests.count == 1)
  }
}
