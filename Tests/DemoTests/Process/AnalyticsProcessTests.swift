import Ambient
import Foundation
import TestSupport
import Testing

@Suite struct `Events that are sent` {
  private let demo = Demo()
  private let buy = "checkout --item mug --log none --at 2026-11-27T12:00:00-05:00"
  private let names = [
    "view_item", "add_to_cart", "begin_checkout", "add_payment_info", "purchase",
  ]

  /// Refuses connections, and keeps other servers from the port.
  private let dead = Result {
    let server = try LoopbackServer([])
    server.refuse()
    return server
  }

  /// An address that refuses connections.
  private func deadAddress() throws -> String { try dead.get().url + "events" }

  private func events(_ lines: [String]) throws -> [EventFields] {
    try lines.map { try JSONDecoder().decode(EventFields.self, from: Data($0.utf8)) }
  }

  @Test(arguments: ["http:http://", "http://", "http:HTTP://"])
  func `arrive with the instant at which time stands still, and nothing is said`(
    prefix: String
  ) async throws {
    // Deliveries are tried again, though the shop's time stands still.
    let server = try LoopbackServer([.answer(503)])
    let outcome = try await demo(
      line: "\(buy) --analytics \(prefix)127.0.0.1:\(server.port)/events?table=a")
    #expect(outcome.status == 0)
    #expect(outcome.errors.isEmpty, "\(outcome.errors)")
    #expect(server.requests.map(\.target) == ["/events?table=a", "/events?table=a"])
    let events = try events(#require(server.requests.last).lines)
    #expect(events.map(\.event) == names)
    #expect(events.allSatisfy { $0.time == "2026-11-27T17:00:00.000Z" })
  }

  @Test func `have the header fields of the environment, which are shown nowhere`() async throws {
    let server = try LoopbackServer(always: .answer(401, body: "the key topsecret is wrong"))
    let words =
      "\(buy) --queue q --analytics http://ada:pass%77ord@127.0.0.1:\(server.port)/?k=v4lue"
    let outcome = try await demo(
      words.split(separator: " ").map(String.init),
      environment: ["AMBIENT_HTTP_HEADERS": "X-Key: topsecret; a=b:c\n\n x-shop : corner\n"])
    #expect(outcome.status == 0)
    let headers = try #require(server.requests.first).headers
    #expect(headers["x-key"] == "topsecret; a=b:c")
    #expect(headers["x-shop"] == "corner")
    #expect(headers["authorization"] == "Basic YWRhOnBhc3N3b3Jk")
    let list = try await demo("queue", "q")
    try expectNoTrace(
      of: ["topsecret; a=b:c", "corner", "pass", "YWRh", "v4lue"],
      in: [outcome.output, outcome.errors, list.output])
  }

  @Test func `go to both of two destinations`() async throws {
    let outcome = try await demo(line: "\(buy) --analytics stdout --analytics file:a.jsonl")
    let file = try demo.folder.text("a.jsonl")
    #expect(try events(file.split(separator: "\n").map(String.init)).map(\.event) == names)
    #expect(outcome.output.contains(file))
  }

  @Test func `arrive though the payment was declined`() async throws {
    let server = try LoopbackServer([])
    let outcome = try await demo(
      line: "\(buy) --fail-payment declined --analytics \(server.url) --analytics file:a.jsonl")
    #expect(outcome.status == 1)
    let file = try demo.folder.text("a.jsonl").split(separator: "\n").map(String.init)
    #expect(try events(file).map(\.event).starts(with: names.dropLast()))
    #expect(server.requests.flatMap(\.lines) == file)
  }

  @Test func `are told of as one if there is one`() async throws {
    let dead = try deadAddress()
    let bought = try await demo(line: "checkout --item mug --store kept --log none --json")
    let id = try JSONDecoder().decode(ReceiptFields.self, from: Data(bought.output.utf8)).order.id
    let words = [
      "refund", id, "--store", "kept", "--amount", "1.00 USD", "--log", "none", "--analytics", dead,
    ]
    for (queue, said, advice) in [
      (["--queue", "q"], "waits", "the next run with --queue q sends it"),
      ([], "is lost", "with --queue DIR the next run would send it"),
    ] {
      let outcome = try await demo(words + queue)
      #expect(outcome.status == 0)
      let text = outcome.errors
      #expect(text.contains("ambient-demo: 1 event for \(dead) \(said): "), "\(text)")
      #expect(text.hasSuffix("; \(advice)\n"), "\(text)")
    }
  }

  @Test func `go to each destination, and those that cannot wait on their own`() async throws {
    let (one, two) = (try LoopbackServer([]), try LoopbackServer([]))
    let dead = try deadAddress()
    let outcome = try await demo(
      line: """
        \(buy) --analytics \(one.url) --analytics \(dead) --analytics file:a.jsonl \
        --analytics http:\(two.url) --analytics stdout --queue q
        """)
    #expect(outcome.status == 0)
    let file = try demo.folder.text("a.jsonl").split(separator: "\n").map(String.init)
    #expect(try events(file).map(\.event) == names)
    #expect(one.requests.flatMap(\.lines) == file)
    #expect(two.requests.flatMap(\.lines) == file)
    #expect(outcome.output.contains(file.joined(separator: "\n")))
    #expect(
      outcome.errors == """
        ambient-demo: 5 events for \(dead) wait: the connection was refused; the next run with \
        --queue q sends them

        """)
    #expect(try FileManager.default.contentsOfDirectory(atPath: demo.folder.path("q")).count == 3)
  }

  @Test func `that waited are delivered by the next run, whatever it does`() async throws {
    let isUp = Guarded(false)
    let server = try LoopbackServer { _, _ in
      isUp.withLock { $0 } ? .answer(204) : .answer(503, body: "closed")
    }
    let options = "--analytics \(server.url) --queue a/b"
    for count in [5, 10] {
      let outcome = try await demo(line: "\(buy) \(options)")
      #expect(
        outcome.errors == """
          ambient-demo: \(count) events for \(server.url) wait: status 503 (closed); the next run \
          with --queue a/b sends them

          """)
    }
    isUp.withLock { $0 = true }
    let before = server.requests.count
    let outcome = try await demo(line: "products --log none \(options)")
    #expect(outcome.status == 0)
    #expect(outcome.errors.isEmpty, "\(outcome.errors)")
    let arrived = server.requests.dropFirst(before).flatMap(\.lines)
    #expect(try events(arrived).map(\.event) == names + names)
  }

  @Test func `are lost without a queue, which is said, and leave nothing behind`() async throws {
    let dead = try deadAddress()
    try demo.folder.makeFolder("tmp")
    let outcome = try await demo(
      "\(buy) --analytics \(dead)".split(separator: " ").map(String.init),
      environment: ["TMPDIR": demo.folder.path("tmp")])
    #expect(outcome.status == 0)
    #expect(
      outcome.errors == """
        ambient-demo: 5 events for \(dead) are lost: the connection was refused; with --queue DIR \
        the next run would send them

        """)
    let left = try FileManager.default.contentsOfDirectory(atPath: demo.folder.path("tmp"))
    #expect(left.isEmpty)
  }

  @Test func `are waited for seconds only, though the server hangs`() async throws {
    let server = try LoopbackServer(always: .hang)
    let outcome = try await demo(line: "\(buy) --analytics \(server.url) --queue q")
    #expect(outcome.status == 0)
    #expect(outcome.errors.contains("5 events for \(server.url) wait: no "), "\(outcome.errors)")
    let lines = outcome.errors.split(separator: "\n")
    #expect(lines.count { $0.contains("5 events for") } == 1, "\(outcome.errors)")
  }

  @Test(arguments: ["", String(repeating: "shop/", count: 20)])
  func `are shown on a terminal while they are sent, in a line that fits and is erased`(
    path: String
  ) async throws {
    // The answer comes when the line had its time to be there.
    let server = try LoopbackServer { _, _ in
      usleep(1_000_000)
      return .answer(200)
    }
    let terminal = try PseudoTerminal()
    let words = "\(buy) --analytics \(server.url)\(path)".split(separator: " ").map(String.init)
    let outcome = try await demo(
      words, environment: ["TERM": "xterm", "COLUMNS": "80"], errors: terminal.device)
    #expect(outcome.status == 0)
    let text = terminal.text()
    let line = "sending 5 events to \(server.url)\(path); Ctrl-C ends it"
    let shown = path.isEmpty ? line : line.prefix(78) + "…"
    #expect(text.contains("\u{1B}[K\(shown)\r"), "\(text)")
    #expect(text.hasSuffix("\r\u{1B}[K"), "\(text)")
    let dumb = try PseudoTerminal()
    _ = try await demo(words, environment: ["TERM": "dumb"], errors: dumb.device)
    try dumb.device.write(contentsOf: Data("end".utf8))
    #expect(dumb.text() == "end")
  }

  @Test(arguments: [true, false])
  func `are told of when Ctrl-C ends their delivery, and leave nothing behind`(
    isKept: Bool
  ) async throws {
    let child = Guarded<ChildProgram?>(nil)
    // On the server's own thread: the program waits for seconds only, a busy pool may for longer.
    let server = try LoopbackServer { _, _ in
      _ = Patience.wait { child.withLock { $0 } != nil }
      child.withLock { $0 }?.send(SIGINT)
      return .hang
    }
    try demo.folder.makeFolder("tmp")
    let errors = try demo.folder.makeFile("errors")
    let queue = isKept ? " --queue q" : ""
    let line = "\(buy) --analytics \(server.url)\(queue)"
    let process = try ChildProgram(
      Products.program("ambient-demo").path, line.split(separator: " ").map(String.init),
      environment: ["TMPDIR": demo.folder.path("tmp"), "NO_COLOR": "1"], in: demo.folder.path,
      errors: errors)
    child.withLock { $0 = process }
    #expect(await process.end() == 128 + SIGINT)
    let text = try demo.folder.text("errors")
    #expect(
      text.contains("5 events for \(server.url) \(isKept ? "wait" : "are lost"): "), "\(text)")
    #expect(text.contains(isKept ? "the next run with --queue q sends them" : "with --queue DIR"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: demo.folder.path("tmp")).isEmpty)
  }

  @Test func `that a server refuses are counted, with the reason`() async throws {
    let server = try LoopbackServer { _, request in
      request.body.contains("begin_checkout") ? .answer(400, body: "no such column") : .answer(200)
    }
    let outcome = try await demo(line: "\(buy) --analytics \(server.url) --queue q")
    #expect(outcome.status == 0)
    #expect(outcome.errors.contains("is lost: status 400 (no such column)"))
    #expect(
      outcome.errors.hasSuffix(
        "\nambient-demo: 1 event for \(server.url) was lost: status 400 (1)\n"),
      "\(outcome.errors)")
    let list = try await demo("queue", "q")
    #expect(list.output.contains(#/ 0 +0 +1 +1  lost: status 400 \(1\)\n/#), "\(list.output)")
  }

  @Test func `that a server refuses one and all wait, with the reason`() async throws {
    let server = try LoopbackServer(always: .answer(400, body: "no such column"))
    let outcome = try await demo(line: "\(buy) --analytics \(server.url) --queue q")
    #expect(outcome.status == 0)
    let reason = """
      status 400 for every event, and it has never accepted any (no such column); check url, \
      headers and query
      """
    #expect(
      outcome.errors.contains("ambient-demo: 5 events for \(server.url) wait: \(reason)"),
      "\(outcome.errors)")
    let list = try await demo("queue", "q")
    #expect(list.output.contains(#/ 5 +\d+ .* 0  status 400 for every event/#), "\(list.output)")
  }

  @Test(arguments: [
    (
      "google:G-12345ABCDE@", "mp/collect",
      "/mp/collect?api_secret=topsecret&measurement_id=G-12345ABCDE",
      "GoogleAnalytics G-12345ABCDE "
    ),
    (
      "adobe:0123abcd-0123-4567-89ab-0123456789ab@", "ee/v2/collect",
      "/ee/v2/collect?datastreamId=0123abcd-0123-4567-89ab-0123456789ab&requestId=",
      "AdobeAnalytics 0123abcd-0123-4567-89ab-0123456789ab "
    ),
    (
      "google:G-12345ABCDE@", "", "/mp/collect?api_secret=topsecret&measurement_id=G-12345ABCDE",
      "GoogleAnalytics G-12345ABCDE "
    ),
    ("otlp:", "", "/v1/logs", "OTLPAnalytics http://127.0.0.1:"),
    ("otlp:", "v1/logs", "/v1/logs", "OTLPAnalytics http://127.0.0.1:"),
  ])
  func `go to a service with the secrets of the environment, which are shown nowhere`(
    service: String, path: String, target: String, name: String
  ) async throws {
    let server = try LoopbackServer(always: .answer(503, body: "topsecret"))
    let words =
      "checkout --item mug --log none --queue q --analytics \(service)\(server.url)\(path)"
    let outcome = try await demo(
      words.split(separator: " ").map(String.init),
      environment: [
        "AMBIENT_GOOGLE_SECRET": "topsecret", "AMBIENT_ADOBE_TOKEN": "topsecret",
        "AMBIENT_ADOBE_API_KEY": "anothersecret", "AMBIENT_ADOBE_ORGANIZATION": "A@AdobeOrg",
        "OTEL_EXPORTER_OTLP_HEADERS": "authorization=Bearer%20topsecret",
      ])
    #expect(outcome.status == 0)
    let request = try #require(server.requests.first)
    #expect(request.target.hasPrefix(target), "\(request.target)")
    if !service.hasPrefix("google") {
      #expect(request.headers["authorization"] == "Bearer topsecret")
    }
    if service.hasPrefix("adobe") {
      #expect(request.headers["x-api-key"] == "anothersecret")
    }
    for event in names { #expect(request.lines.joined().contains(event)) }
    let list = try await demo("queue", "q")
    #expect(list.output.contains(name), "\(list.output)")
    try expectNoTrace(
      of: ["topsecret", "anothersecret"], in: [outcome.output, outcome.errors, list.output])
  }

  @Test func `are sent beside the records of the log, which wait in a queue of their own`()
    async throws
  {
    let dead = try deadAddress()
    let outcome = try await demo(
      line: "checkout --item mug --log otlp:\(dead) --analytics otlp:\(dead) --queue q")
    #expect(outcome.status == 0)
    let lines = outcome.errors.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.first?.contains(" records for otlp:\(dead)/v1/logs wait: the") == true)
    #expect(lines.last?.hasPrefix("ambient-demo: 5 events for otlp:\(dead)/v1/logs wait: ") == true)
    let list = try await demo("queue", "q")
    #expect(list.output.contains("OTLPLog \(dead)/v1/logs"), "\(list.output)")
    #expect(list.output.contains("OTLPAnalytics \(dead)/v1/logs"), "\(list.output)")
  }

  @Test func `are not sent where the environment says so, which is said`() async throws {
    let server = try LoopbackServer([])
    let dead = try deadAddress()
    for (address, waiting) in [(dead, 5), (server.url + "in", 0)] {
      let words = "checkout --item mug --queue q --log otlp:\(address) --analytics otlp:\(address)"
      let first = waiting == 0 ? nil : try await demo(line: words)
      let records = first?.errors.split(separator: "\n").first?.firstMatch(of: /([0-9]+) records/)
      let disabled = try await demo(
        words.split(separator: " ").map(String.init), environment: ["OTEL_SDK_DISABLED": "true"])
      #expect(disabled.status == 0)
      let said = Set(disabled.errors.split(separator: "\n").map(String.init))
      func line(_ collector: String, _ noun: String, _ count: String?) -> String {
        let rest = count.map { ", and \($0) in the queue are not sent" } ?? ""
        return "Ambient: \(collector) \(address)/v1/logs: OTEL_SDK_DISABLED is true: "
          + "no \(noun) are taken\(rest)"
      }
      #expect(
        said == [
          line("OTLPLog", "records", records.map { String($0.output.1) }),
          line("OTLPAnalytics", "events", waiting == 0 ? nil : "\(waiting)"),
        ])
    }
    #expect(server.requests.isEmpty)
    let nothing = try await demo(
      "products", "--log", "none", "--analytics", "otlp:\(dead)",
      environment: ["OTEL_SDK_DISABLED": "true"])
    #expect(nothing.errors.hasSuffix("OTEL_SDK_DISABLED is true: no events are taken\n"))
  }

  @Test func `that a server turns away say which settings to check`() async throws {
    let server = try LoopbackServer(always: .answer(404))
    let outcome = try await demo(line: "\(buy) --queue q --analytics otlp:\(server.url)")
    #expect(
      outcome.errors == """
        ambient-demo: 5 events for otlp:\(server.url)v1/logs wait: status 404; check endpoint and \
        headers (OTEL_EXPORTER_OTLP_HEADERS); the next run with --queue q sends them

        """)
  }

  /// Looks for secrets in what was said, and in all that stands in the folder of queues.
  private func expectNoTrace(of secrets: [String], in said: [String]) throws {
    var texts = said
    let enumerator = FileManager.default.enumerator(atPath: demo.folder.path("q"))
    while let name = enumerator?.nextObject() as? String {
      let bytes = FileManager.default.contents(atPath: demo.folder.path("q/\(name)")) ?? Data()
      texts += [name, String(decoding: bytes, as: UTF8.self)]
    }
    for secret in secrets { #expect(!texts.contains { $0.contains(secret) }, "\(secret)") }
  }
}
