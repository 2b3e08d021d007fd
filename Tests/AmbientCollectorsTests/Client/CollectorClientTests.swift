// SPDX-License-Identifier: Apache-2.0

import Ambient
import CHostile
import Foundation
import TestSupport
import Testing

@testable import AmbientCollectors

@Suite struct `HTTP client` {
  @Test(arguments: Network.curls)
  func `an HTTP client sends the whole request and returns the response`(network: Network)
    async throws
  {
    let server = try LoopbackServer(
      always: .answer(200, headers: ["X-Of-Server": "  a"], body: "so"))
    let client = try network.client()
    let url = try #require(URL(string: server.url + "a?b=%20c"))
    let body = (0..<100_000).map { UInt8(32 + $0 % 90) }
    let answer = try await client.exchange(
      OutgoingRequest("PUT", url, body: body).with {
        $0.headers = ["X-Key": "k", "Content-Type": "a/b"]
      },
      ExchangeLimits(duration: Patience.long))
    #expect(answer.headers["x-of-server"] == "a")
    #expect(answer.text == "so")
    let request = try #require(server.requests.first)
    #expect(request.method == "PUT")
    #expect(request.target == "/a?b=%20c")
    #expect(request.headers["x-key"] == "k")
    #expect(request.headers["content-type"] == "a/b")
    #expect(request.headers["expect"] == nil)
    #expect([nil, "identity"].contains(request.headers["accept-encoding"]))
    #expect(request.headers["upgrade"] == nil)
    #expect(Array(request.body.utf8) == body)
  }

  private static func makeExchange(_ url: String) throws -> RunningExchange {
    let request = OutgoingRequest("POST", try #require(URL(string: url)), body: [1]).with {
      $0.isRepeatable = false
    }
    return RunningExchange(
      request, ExchangeLimits(duration: Patience.short), until: .now + Patience.short)
  }

  private static func failure(of exchange: RunningExchange) async -> TransportError? {
    guard case .failure(let error) = await exchange.outcome else { return nil }
    return error
  }

  #if os(Linux)
    @Test func `an HTTP exchange fails if the system can't start a thread`() async {
      await #expect(processExitsWith: .success) {
        await ResourceLimit.forbidThreads()
        let client = try CollectorClient()
        for _ in 0..<2 {
          let outcome = await client.outcome("http://localhost/")
          precondition(outcome == "unsent: \(CurlCarrier.noThread)", outcome)
        }
      }
    }

    @Test
    func `HTTP exchanges fail while no file descriptor is free, and succeed once some are free`()
      async
    {
      await #expect(processExitsWith: .success) {
        endIfHanging()
        let carrier = CurlCarrier(try CurlLibrary.system())
        let client = CollectorClient(carrier)
        let exchanges = try (0..<2).map { _ in try Self.makeExchange("http://localhost/") }
        // No task may start meanwhile: with work to do, Dispatch opens files, and crashes if it
        // cannot.
        precondition(ResourceLimit.openFiles.set(0, most: 1_024))
        for exchange in exchanges { carrier.start(exchange) }
        ResourceLimit.openFiles.set(1_024)
        let message = SystemError(number: EMFILE).description
        for exchange in exchanges {
          let error = await Self.failure(of: exchange)
          precondition(error?.outcome == .unsent && error?.reason.hasSuffix(message) == true)
        }
        let server = try LoopbackServer(always: .answer(200))
        let later = await client.outcome(server.url)
        precondition(later == "200 " && server.requests.count == 1, later)
      }
    }
  #endif

  @Test(arguments: Network.curls)
  func `an HTTP client sends a header field that has an empty value`(network: Network) async throws
  {
    let server = try LoopbackServer(always: .answer(200))
    let url = try #require(URL(string: server.url))
    _ = try await network.client().exchange(
      OutgoingRequest("GET", url, body: []).with { $0.headers = ["X-Empty": ""] },
      ExchangeLimits(duration: Patience.long))
    #expect(server.requests.map { $0.headers["x-empty"] } == [""])
  }

  @Test(arguments: Network.curls)
  func `an HTTP client doesn't send a server's cookies back`(network: Network) async throws {
    let server = try LoopbackServer(
      always: .answer(200, headers: ["Set-Cookie": "visitor=7; Path=/; Max-Age=1000"]))
    let client = try network.client()
    for _ in 0..<2 { #expect(await client.outcome(server.url) == "200 ") }
    #expect(server.requests.map { $0.headers["cookie"] } == [nil, nil])
  }

  @Test(arguments: Network.curls, ["GET", "DELETE", "POST", "PUT", "PATCH", "HEAD"])
  func `for an empty body, an HTTP client sends Content-Length only with POST, PUT and PATCH`(
    network: Network, method: String
  )
    async throws
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
  func `a response to HEAD is complete without the body that Content-Length announces`(
    network: Network
  ) async throws {
    let server = try LoopbackServer(
      always: .steps([bytes("HTTP/1.1 200 So\r\nContent-Length: 99\r\n\r\n")]))
    #expect(
      try await network.client().outcome(server.url, method: "HEAD", body: "") == "200 ")
  }

  @Test(arguments: Network.curls)
  func `repeated header fields and folded header lines of a response are joined`(network: Network)
    async throws
  {
    let head =
      "HTTP/1.1 204 So\r\nX-A: 1\r\nx-a: 2\r\nX-B: one\r\n\t two\r\nX-\u{e9}: \u{e9}\r\n\r\n"
    let server = try LoopbackServer(
      always: .steps([.send(head.unicodeScalars.map { UInt8($0.value) })]))
    let url = try #require(URL(string: server.url))
    let answer = try await network.client().exchange(
      OutgoingRequest("GET", url, body: []), ExchangeLimits(duration: Patience.long))
    #expect(answer.headers == ["x-a": "1, 2", "x-b": "one two", "x-\u{e9}": "\u{e9}"])
  }

  @Test(arguments: [
    ("GE T", [:]), ("GET\r\nX: y", [:]), ("", [:]), ("GET", ["X\r\nY": "z"]),
    ("GET", ["X\0": "z"]), ("GET", ["X": "z\r\nY: 1"]), ("GET", ["X": "z\nY: 1"]),
    ("GET", ["X": "\0"]), ("GET", ["": "z"]), ("GET", ["Transfer-Encoding": "chunked"]),
    ("GET", ["content-length": "1"]), ("HEAD", ["X": "y"]),
  ])
  func `a request with an invalid method, header field or body isn't sent`(
    method: String, headers: [String: String]
  ) async throws {
    let server = try LoopbackServer(always: .answer(200))
    let outcome = try await CollectorClient().outcome(server.url, method: method, headers: headers)
    #expect(outcome.hasPrefix("unsent: ") && !outcome.contains("\n"), "\(outcome)")
    #expect(server.requests.isEmpty)
  }

  @Test(arguments: [
    "file:///etc/passwd", "ftp://127.0.0.1/", "gopher://127.0.0.1/", "http:///x",
    "http://:p@127.0.0.1/", "http://u:p@127.0.0.1/",
  ])
  func `an HTTP client refuses a URL with a user name or a scheme other than http or https`(
    url: String
  )
    async throws
  {
    let outcome = try await CollectorClient().outcome(url)
    #expect(outcome.hasPrefix("unsent: the address "), "\(outcome)")
  }

  @Test(arguments: Network.curls)
  func `an HTTP redirect within the same origin repeats the whole request`(
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

  @Test(arguments: [301, 302, 303, 307, 308])
  func `HTTP redirects with status 301, 302, 303, 307 or 308 are followed`(status: Int) async throws
  {
    let server = try LoopbackServer { number, _ in
      number == 0 ? .answer(status, headers: ["Location": "/there"]) : .answer(200, body: "so")
    }
    #expect(try await CollectorClient().outcome(server.url) == "200 so")
    #expect(server.requests.map(\.target) == ["/", "/there"])
  }

  @Test(arguments: [(5, false), (6, true), (7, true)])
  func `an HTTP client returns the sixth redirect response with isRedirectedTooOften set`(
    count: Int, isTooOften: Bool
  ) async throws {
    let server = try LoopbackServer { number, _ in
      number < count ? .answer(302, headers: ["Location": "/\(number + 1)"]) : .answer(200)
    }
    let url = try #require(URL(string: server.url))
    let answer = try await CollectorClient().exchange(
      OutgoingRequest("GET", url, body: []), ExchangeLimits(duration: Patience.short))
    #expect(answer.isRedirectedTooOften == isTooOften)
    #expect(answer.status == (isTooOften ? 302 : 200))
    #expect(server.requests.count == 6)
  }

  @Test(arguments: Network.curls)
  func `an HTTP redirect to another origin or to a URL with a password isn't followed`(
    network: Network
  ) async throws {
    let other = try LoopbackServer(always: .answer(200))
    for target in [
      other.url, "file:///etc/passwd", "http://u:p@127.0.0.1:PORT/", "http://:p@127.0.0.1:PORT/",
    ] {
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

  @Test(arguments: [300, 304, 305, 306])
  func `the Location header of a 300, 304, 305 or 306 response isn't followed`(status: Int)
    async throws
  {
    let server = try LoopbackServer { _, _ in
      .steps([
        bytes("HTTP/1.1 \(status) So\r\nLocation: /other\r\nContent-Length: 0\r\n\r\n")
      ])
    }
    #expect(try await CollectorClient().outcome(server.url) == "\(status) ")
    #expect(server.requests.map(\.target) == ["/"])
  }

  @Test func `an HTTP client accepts a URL with HTTP in capitals, with no path or with a fragment`()
    async throws
  {
    let server = try LoopbackServer(always: .answer(200))
    let client = try CollectorClient()
    #expect(await client.outcome("HTTP://127.0.0.1:\(server.port)") == "200 ")
    #expect(await client.outcome("http://127.0.0.1:\(server.port)?x=1#part") == "200 ")
    // The first and the last character that an address may have.
    #expect(await client.outcome("http://127.0.0.1:\(server.port)/!~?!~") == "200 ")
    #expect(server.requests.map(\.target) == ["/", "/?x=1", "/!~?!~"])
  }

  @Test func `ExchangeLimits are clamped to their valid range`() {
    var limits = ExchangeLimits()
    limits.duration = .seconds(Int64.max)
    #expect(limits == ExchangeLimits(duration: .seconds(Int64.max)))
    #expect(limits.duration == .seconds(864_000))
    limits.duration = .seconds(-1)
    #expect(limits.duration == .zero)
    #expect(ExchangeLimits(answerBytes: -1).answerBytes == 0)
    #expect(ExchangeLimits() == ExchangeLimits(duration: .seconds(30), answerBytes: 65_536))
  }

  /// Ends an exchange when it is asked to, if it is late then.
  private struct AskedCarrier: Carrier {
    func start(_ exchange: RunningExchange) {}

    func cancel(_ exchange: RunningExchange) {
      if exchange.isLate { exchange.end(.success(HTTPAnswer(503))) }
    }
  }

  /// Ends no exchange, and counts how often it is asked to free what an exchange has taken.
  private final class StuckCarrier: Carrier {
    private let calls = Guarded<(starts: Int, cancels: Int)>((0, 0))

    var starts: Int { calls.withLock { $0.starts } }
    var cancels: Int { calls.withLock { $0.cancels } }

    func start(_ exchange: RunningExchange) {
      exchange.noteSending()
      calls.withLock { $0.starts += 1 }
    }

    func cancel(_ exchange: RunningExchange) { calls.withLock { $0.cancels += 1 } }
  }

  @Test func `at the time limit, an HTTP client returns a response that its Carrier already has`()
    async
  {
    let client = CollectorClient(AskedCarrier())
    #expect(await client.outcome("http://127.0.0.1/", limit: .milliseconds(50)) == "503 ")
  }

  @Test func `if a Carrier never ends an exchange, the client cancels the exchange in time`()
    async
  {
    let carrier = StuckCarrier()
    let outcome = Guarded<String?>(nil)
    let task = Task {
      let text = await CollectorClient(carrier).outcome("http://127.0.0.1/", limit: .seconds(1))
      outcome.withLock { $0 = text }
    }
    #expect(await Patience.waitIdly { outcome.withLock { $0 != nil } })
    task.cancel()
    await task.value
    #expect(outcome.withLock { $0 } == "unknown: \(RunningExchange.lateness(after: .seconds(1)))")
    // Once at the limit, and once after its grace.
    #expect(await Patience.waitIdly { carrier.cancels >= 2 })
    #expect(carrier.starts == 1 && carrier.cancels == 2)
  }

  @Test func `cancelling a task calls the Carrier's cancel() for the task's HTTP exchange`() async {
    let carrier = StuckCarrier()
    let outcome = Guarded<String?>(nil)
    let task = Task {
      let text = await CollectorClient(carrier).outcome(
        "http://127.0.0.1/", limit: .seconds(86_400))
      outcome.withLock { $0 = text }
    }
    #expect(await Patience.waitIdly { carrier.starts == 1 })
    task.cancel()
    #expect(await Patience.waitIdly { outcome.withLock { $0 != nil } })
    #expect(outcome.withLock { $0 } == "unknown: \(TransportError.cancelled)")
    #expect(carrier.cancels == 1)
  }

  @Test func `a child process doesn't inherit the connections of an HTTP client`() async throws {
    let server = try LoopbackServer(always: .answer(200))
    let client = try CollectorClient()
    #expect(await client.outcome(server.url) == "200 ")
    var flags: [Int32] = []
    for name in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
      guard let number = Int32(name), Self.peer(of: number) == server.port else { continue }
      flags.append(fcntl(number, F_GETFD))
    }
    #expect(flags == [FD_CLOEXEC])
    withExtendedLifetime(client) {}
  }

  /// The port of the other end of a connection.
  private static func peer(of number: Int32) -> Int? {
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) { place in
      // Valid: the structure has room for any address of its family, for the time of the call.
      place.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(number, $0, &size) }
    }
    guard result == 0, address.sin_family == sa_family_t(AF_INET) else { return nil }
    return Int(UInt16(bigEndian: address.sin_port))
  }

  @Test func `an HTTP client still works after other code closes and replaces its WakeDescriptor`()
    async throws
  {
    let server = try LoopbackServer(always: .answer(200))
    await #expect(processExitsWith: .success) { [url = server.url as String] in
      // Dispatch has its own by then. This client stays: the next would get its number.
      let first = try CollectorClient()
      _ = await first.outcome(url)
      try await Task.sleep(for: .milliseconds(1))
      let others = try bells()
      let client = try CollectorClient()
      let before = await client.outcome(url)
      let own = try bells().subtracting(others)
      precondition(own.count == 1, "\(own)")
      let bell = own.first ?? -1
      close(bell)
      let replaced = dup2(open("/dev/null", O_WRONLY), bell)
      precondition(replaced == bell)
      let after = await client.outcome(url)
      precondition(before == "200 " && after == "200 ", "\(before) \(after)")
      precondition(fcntl(replaced, F_GETFD) >= 0)
      withExtendedLifetime(first) {}
    }
  }

  @Test func `if a program closes an HTTP client's eventfd, a running exchange ends as unknown`()
    async
  {
    await #expect(processExitsWith: .success) {
      endIfHanging()
      // Each byte wakes the client's thread.
      let server = try LoopbackServer { _, request in
        request.target == "/slow" ? .drip(milliseconds: 5) : .answer(200)
      }
      // Dispatch has its own by then. This client stays: the next would get its number.
      let first = try CollectorClient()
      _ = await first.outcome(server.url)
      try await Task.sleep(for: .milliseconds(1))
      let others = try bells()
      let client = try CollectorClient()
      async let slow = client.outcome(server.url + "slow", limit: Patience.short)
      #expect(await Patience.waitIdly { server.requests.count == 2 })
      for bell in try bells().subtracting(others) { close(bell) }
      #expect(await slow.hasPrefix("unknown: "))
      #expect(await client.outcome(server.url, limit: Patience.short) == "200 ")
      withExtendedLifetime(first) {}
    }
  }

  #if os(Linux)
    @Test
    func `if the process is stopped past the time limit, a response that arrived is still read`()
      async throws
    {
      let program = Guarded<ChildProgram?>(nil)
      // The process runs again when its limit of a second is over for more than half a second.
      let server = try LoopbackServer { _, _ in
        guard Patience.wait(until: { program.withLock { $0 != nil } }) else { return .close }
        program.withLock { $0?.send(SIGSTOP) }
        // Until then, the process may still read the answer.
        guard Patience.wait(until: { program.withLock { $0?.isStopped == true } }) else {
          return .close
        }
        Thread.detachNewThread {
          usleep(1_800_000)
          program.withLock { $0?.send(SIGCONT) }
        }
        return .answer(200)
      }
      // More than once, since a busy machine may send the request too late.
      var outcomes: [String] = []
      while outcomes.count < 8, outcomes.last != "1 status 200, 0 bytes" {
        program.withLock { $0 = nil }
        let (_, lines) = try await fetch("GET", server.url, milliseconds: 1_000) { child in
          program.withLock { $0 = child }
        }
        outcomes.append(lines.first ?? "")
      }
      #expect(outcomes.last == "1 status 200, 0 bytes", "\(outcomes)")
    }
  #endif

  #if !canImport(Darwin)
    @Test func `without a free file descriptor, the error of an HTTP exchange mentions ulimit -n`()
      async throws
    {
      let server = try LoopbackServer(always: .answer(200))
      await #expect(processExitsWith: .success) { [url = server.url as String] in
        endIfHanging()
        let carrier = CurlCarrier(try CurlLibrary.system())
        let client = CollectorClient(carrier)
        // Starts the client's thread, which has a descriptor.
        let first = await client.outcome(url, isRepeatable: false)
        precondition(first == "200 ", first)
        let second = try Self.makeExchange(url)
        // No task may start meanwhile: with work to do, Dispatch opens files, and crashes if it
        // cannot.
        precondition(ResourceLimit.openFiles.set(3, most: 1_024))
        carrier.start(second)
        precondition(Patience.wait { second.hasEnded })
        precondition(ResourceLimit.openFiles.set(1_024))
        let error = await Self.failure(of: second)
        precondition(error?.outcome == .unsent && error?.reason.contains("ulimit -n") == true)
        let third = await client.outcome(url, isRepeatable: false)
        precondition(third == "200 ", third)
      }
    }
  #endif

  @Test
  func `an HTTP client doesn't take descriptors 0 to 2 after the standard streams are closed`()
    async throws
  {
    let server = try LoopbackServer(always: .answer(200))
    await #expect(processExitsWith: .success) { [url = server.url as String] in
      // Dispatch and Foundation have their descriptors by then.
      let first = try CollectorClient()
      _ = await first.outcome(url)
      for number: CInt in 0...2 { close(number) }
      let second = try CollectorClient()
      guard await second.outcome(url) == "200 " else { exit(1) }
      // The client keeps the connection.
      let open = (0...2).compactMap {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
      }
      #expect(open == [])
      withExtendedLifetime((first, second)) {}
    }
  }

  @Test func `a proxy that sends an endless response doesn't block later HTTP exchanges`()
    async throws
  {
    let proxy = try LoopbackServer(
      always: .steps([
        bytes("HTTP/1.1 407 So\r\nContent-Length: 999999999999\r\n\r\n"),
        .sendForEver(Array(repeating: 120, count: 65_536)),
      ]))
    let server = try LoopbackServer(always: .answer(200, body: "so"))
    await #expect(processExitsWith: .success) {
      [proxy = proxy.url as String, url = server.url as String] in
      let client = try CollectorClient()
      setenv("https_proxy", proxy, 1)
      let outcome = await client.outcome("https://events.example/", limit: .milliseconds(300))
      precondition(
        outcome == "unsent: \(RunningExchange.lateness(after: .milliseconds(300)))", outcome)
      unsetenv("https_proxy")
      let next = await client.outcome(url)
      precondition(next == "200 so", next)
    }
  }

  #if !canImport(Darwin)
    @Test func `a program can exit safely while a TLS handshake of an HTTP client is pending`()
      async throws
    {
      await #expect(processExitsWith: .success) {
        // Runs after all that is registered later.
        atexit {
          // Fails once OpenSSL has freed its state, which threads may still use.
          guard let library = dlopen("libcrypto.so.3", RTLD_NOW | RTLD_NOLOAD),
            let start = dlsym(library, "OPENSSL_init_crypto")
          else { _exit(77) }
          let isUsable = unsafeBitCast(
            start, to: (@convention(c) (UInt64, OpaquePointer?) -> CInt).self)
          if isUsable(0, nil) != 1 { _exit(9) }
        }
        let server = try LoopbackServer(always: .hang)
        let outcome = try await CollectorClient().outcome(
          "https://127.0.0.1:\(server.port)/", limit: .milliseconds(300))
        precondition(outcome.hasPrefix("unsent: "), outcome)
      }
    }
  #endif

  #if !canImport(Darwin)
    @Test
    func `with an old libcurl, an HTTP exchange succeeds or the error names the refused option`()
      async
    {
      await #expect(processExitsWith: .success) {
        let server = try LoopbackServer(always: .answer(200))
        let table = try CurlLibrary.system().table
        for (newest, expected) in [
          (278, "200 "), (285, "200 "), (312, "200 "),
          (20, "noSignal"), (100, "protocols"),
        ] {
          let library = CurlLibrary(hostile_old_curl(table, CInt(newest)))
          let outcome = await CollectorClient(CurlCarrier(library)).outcome(server.url)
          precondition(
            outcome == expected || outcome.hasPrefix("unsent: ") && outcome.hasSuffix(expected),
            "\(newest): \(outcome)")
        }
      }
    }
  #endif

  @Test(arguments: Network.curls)
  func `a hanging DNS lookup doesn't block the HTTP client`(network: Network) async throws {
    let server = try LoopbackServer(always: .answer(200))
    let (stuck, other) = (try network.client(), try network.client())
    let name = "http://\(UUID().uuidString).hangs.test/"
    // Before version 7.80 it is not told when a request begins.
    let known = network == .oldCurl ? ["unknown", "unsent"] : ["unsent"]
    let outcome = await stuck.outcome(name, limit: .milliseconds(300))
    let late = RunningExchange.lateness(after: .milliseconds(300))
    #expect(known.map { "\($0): \(late)" }.contains(outcome))
    #expect(await other.outcome(server.url) == "200 ")
    let task = Task { await stuck.outcome(name) }
    task.cancel()
    #expect(await task.value.hasSuffix(TransportError.cancelled))
    guard network == .oldCurl else {
      #expect(await stuck.outcome(server.url) == "200 ")
      return
    }
    // With an old libcurl its thread waits for the resolver; the limit holds all the same.
    let last = await stuck.outcome(server.url, limit: .milliseconds(300))
    #expect(["200 ", "unsent: \(late)"].contains(last))
  }

  @Test func `released HTTP clients don't leak file descriptors or threads`() async throws {
    await #expect(processExitsWith: .success) {
      func open(_ folder: String) -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/\(folder)").count) ?? 0
      }
      let server = try LoopbackServer(always: .answer(200))
      func round() async throws {
        for _ in 0..<100 {
          let outcome = try await CollectorClient().outcome(server.url)
          precondition(outcome == "200 ", outcome)
          // One that was never used has none.
          _ = try CollectorClient()
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

  #if !canImport(Darwin)
    @Test func `a missing or unusable libcurl throws a CollectorError`() async throws {
      #expect(throws: CollectorError.noLibrary(names: ["libnone.so.4"])) {
        try CurlLibrary.system(["libnone.so.4"])
      }
      // A library, and none of its kind.
      #expect(throws: CollectorError.noLibrary(names: ["libm.so.6"])) {
        try CurlLibrary.system(["libm.so.6"])
      }
      let table = try CurlLibrary.system().table
      #expect(throws: CollectorError.unusable(version: "7.53.1")) {
        try CurlLibrary(starting: hostile_curl_of_version(table, 0x07_3501))
      }
      #expect(throws: Never.self) {
        try CurlLibrary(starting: hostile_curl_of_version(table, 0x07_3600))
      }
      var nameless = table
      nameless.version_info = { _ in nil }
      #expect(throws: CollectorError.unusable(version: "")) {
        try CurlLibrary(starting: nameless)
      }
      // Loaded and started once.
      #expect(try CurlLibrary.system() === CurlLibrary.system())
      let error = #expect(throws: CollectorError.self) {
        try CurlLibrary(starting: hostile_unstarted_curl(table))
      }
      #expect(error?.code == .noHTTP)
      #expect(throws: CollectorError.privileged) { try CurlLibrary.system(isPrivileged: true) }
    }

    @Test func `an unreadable certificate file or an encrypted key throws a CollectorError`() throws
    {
      let key = TLSServer.certificate("client-key")
      for path in ["/tmp", "/nowhere", "/a\0b", ""] {
        let error = CollectorError.unreadable(path: path)
        #expect(throws: error) { try CollectorClient(trustRoots: path) }
        #expect(throws: error) {
          try CollectorClient(certificate: ClientCertificate(path: path, key: key))
        }
        #expect(throws: error) {
          try CollectorClient(certificate: ClientCertificate(path: key, key: path))
        }
      }
      let encrypted = TLSServer.certificate("client-with-password")
      #expect(throws: CollectorError.encryptedKey(path: encrypted)) {
        try CollectorClient(certificate: ClientCertificate(path: encrypted))
      }
      #expect(throws: Never.self) {
        try CollectorClient(
          trustRoots: TLSServer.certificate("authorities"),
          certificate: ClientCertificate(path: TLSServer.certificate("client"), key: key))
      }
    }
  #endif

  @Test(
    .enabled(if: geteuid() == 0, "only root can make a program of another user's"),
    .disabled(if: Network.isLeakChecked, "the leak sanitizer fails in such a program"))
  func `an HTTP client can't be created in a setuid program`() async throws {
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

  @Test func `http_proxy, https_proxy and no_proxy are obeyed, and a proxy's error is reported`()
    async throws
  {
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
    #expect(
      secure.lines.first
        == "1 unsent: \(CurlFailure(code: 56, proxyStatus: 403).reason?.text ?? "")")
    #expect(proxy.requests.last?.target == "events.example:443")
    let own = try await fetch(
      "GET", server.url, environment: environment.merging(["no_proxy": "127.0.0.1"]) { $1 })
    #expect(own.lines.first == "1 status 204, 0 bytes")
    #expect(server.requests.count == 1)
  }
}

/// The descriptors of this process's eventfds.
private func bells() throws -> Set<Int32> {
  let names = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
  return Set(
    names.filter { name in
      let path = "/proc/self/fd/\(name)"
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path)
      return target == "anon_inode:[eventfd]"
    }.compactMap(Int32.init))
}

#if os(Linux)
  extension ChildProgram {
    /// Whether each thread of the program is stopped by a signal.
    fileprivate var isStopped: Bool {
      let tasks = "/proc/\(number)/task"
      let threads = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
      return !threads.isEmpty
        && threads.allSatisfy {
          let text = try? String(contentsOfFile: "\(tasks)/\($0)/stat", encoding: .utf8)
          return text?.contains(") T ") == true
        }
    }
  }
#endif
