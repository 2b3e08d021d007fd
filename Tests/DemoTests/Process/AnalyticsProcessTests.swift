// SPDX-License-Identifier: Apache-2.0

import Ambient
import Foundation
import TestSupport
import Testing

@Suite struct `Event delivery` {
  private let demo = Demo()
  private let buy = "checkout --item mug --log none --at 2026-11-27T12:00:00-05:00"

  /// Refuses connections, and keeps other servers from the port.
  private let dead = Result {
    let server = try LoopbackServer([])
    server.refuse()
    return server
  }

  /// An address that refuses connections.
  private func deadAddress() throws -> String { try dead.get().url + "events" }

  private func events(_ lines: [some StringProtocol]) throws -> [EventFields] {
    try lines.map { try JSONDecoder().decode(EventFields.self, from: Data($0.utf8)) }
  }

  private func names(_ lines: [some StringProtocol]) throws -> [String] {
    try events(lines).map(\.event)
  }

  @Test(arguments: ["http:http://", "http://", "http:HTTP://"])
  func `the demo's events have the frozen time, and a successful retry isn't reported`(
    prefix: String
  ) async throws {
    // Deliveries are tried again, though the shop's time is frozen.
    let server = try LoopbackServer([.answer(503)])
    let outcome = try await demo(
      line: "\(buy) --analytics \(prefix)127.0.0.1:\(server.port)/events?table=a")
    #expect(outcome.status == 0)
    #expect(outcome.errors.isEmpty, "\(outcome.errors)")
    #expect(server.requests.map(\.target) == ["/events?table=a", "/events?table=a"])
    let events = try events(#require(server.requests.last).lines)
    #expect(events.map(\.event) == EventFields.ofPurchase)
    #expect(events.allSatisfy { $0.time == "2026-11-27T17:00:00.000Z" })
  }

  @Test func `HTTP header fields and credentials are sent, but never shown or stored`() async throws
  {
    let server = try LoopbackServer(always: .answer(401, body: "the key topsecret is wrong"))
    let outcome = try await demo(
      line: "\(buy) --queue q --analytics http://ada:pass%77ord@127.0.0.1:\(server.port)/?k=v4lue",
      environment: ["AMBIENT_HTTP_HEADERS": "X-Key: topsecret; a=b:c\n\n x-shop : corner\n"])
    #expect(outcome.status == 0)
    let headers = try #require(server.requests.first).headers
    #expect(headers["x-key"] == "topsecret; a=b:c")
    #expect(headers["x-shop"] == "corner")
    #expect(headers["authorization"] == "Basic YWRhOnBhc3N3b3Jk")
    let list = try await demo(line: "queue q")
    try expectNoTrace(
      of: ["topsecret; a=b:c", "corner", "pass", "YWRh", "v4lue"],
      in: [outcome.output, outcome.errors, list.output])
  }

  @Test func `events are delivered even if the payment is declined`() async throws {
    let server = try LoopbackServer([])
    let outcome = try await demo(
      line: "\(buy) --fail-payment declined --analytics \(server.url) --analytics file:a.jsonl")
    #expect(outcome.status == 1)
    let file = try demo.folder.text("a.jsonl").split(separator: "\n").map(String.init)
    #expect(try names(file).starts(with: EventFields.ofPurchase.dropLast()))
    #expect(server.requests.flatMap(\.lines) == file)
  }

  @Test func `events reach the other destinations if one destination fails`() async throws {
    let (one, two) = (try LoopbackServer([]), try LoopbackServer([]))
    let dead = try deadAddress()
    let outcome = try await demo(
      line: """
        \(buy) --analytics \(one.url) --analytics \(dead) --analytics file:a.jsonl \
        --analytics http:\(two.url) --analytics stdout --queue q
        """)
    #expect(outcome.status == 0)
    let file = try demo.folder.text("a.jsonl").split(separator: "\n").map(String.init)
    #expect(try names(file) == EventFields.ofPurchase)
    #expect(one.requests.flatMap(\.lines) == file)
    #expect(two.requests.flatMap(\.lines) == file)
    #expect(outcome.output.contains(file.joined(separator: "\n")))
    #expect(outcome.errors.hasPrefix("ambient-demo: waiting: 5 events for \(dead): "))
    #expect(outcome.errors.contains(" --queue q ") && outcome.errors.count { $0 == "\n" } == 1)
    #expect(try await demo.queues().map(\.waiting).sorted { $0! < $1! } == [0, 0, 5])
  }

  @Test func `queued events are delivered by the next run of any command`() async throws {
    let isUp = Guarded(false)
    let server = try LoopbackServer { _, _ in
      isUp.withLock { $0 } ? .answer(204) : .answer(503, body: "closed")
    }
    let options = "--analytics \(server.url) --queue a/b"
    for count in [5, 10] {
      let outcome = try await demo(line: "\(buy) \(options)")
      #expect(outcome.errors.contains(": \(count) events for \(server.url): "))
      #expect(outcome.errors.contains("--queue a/b"))
    }
    isUp.withLock { $0 = true }
    let before = server.requests.count
    let outcome = try await demo(line: "products --log none \(options)")
    #expect(outcome.status == 0)
    #expect(outcome.errors.isEmpty, "\(outcome.errors)")
    let arrived = server.requests.dropFirst(before).flatMap(\.lines)
    #expect(try names(arrived) == EventFields.ofPurchase + EventFields.ofPurchase)
  }

  @Test func `undelivered events without a queue are reported as lost`() async throws {
    let dead = try deadAddress()
    try demo.folder.makeFolder("tmp")
    let outcome = try await demo(
      line: "\(buy) --analytics \(dead)", environment: ["TMPDIR": demo.folder.path("tmp")])
    #expect(outcome.status == 0)
    #expect(outcome.errors.hasPrefix("ambient-demo: lost: 5 events for \(dead): "))
    #expect(outcome.errors.contains("--queue DIR") && outcome.errors.count { $0 == "\n" } == 1)
    let left = try FileManager.default.contentsOfDirectory(atPath: demo.folder.path("tmp"))
    #expect(left.isEmpty)
  }

  @Test func `if the server hangs, the demo ends and reports the waiting events`() async throws {
    let server = try LoopbackServer(always: .hang)
    let outcome = try await demo(line: "\(buy) --analytics \(server.url) --queue q")
    #expect(outcome.status == 0)
    #expect(outcome.errors.matches(of: /waiting: 5 events for/).count == 1, "\(outcome.errors)")
  }

  @Test(arguments: [true, false])
  func `if Ctrl-C stops the delivery, events are reported as waiting or lost`(isKept: Bool)
    async throws
  {
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
      text.contains("\(isKept ? "waiting" : "lost"): 5 events for \(server.url): "), "\(text)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: demo.folder.path("tmp")).isEmpty)
  }

  @Test func `an event that the server refuses is counted as lost and reported with the reason`()
    async throws
  {
    let server = try LoopbackServer { _, request in
      request.body.contains("begin_checkout") ? .answer(400, body: "no such column") : .answer(200)
    }
    let outcome = try await demo(line: "\(buy) --analytics \(server.url) --queue q")
    #expect(outcome.status == 0)
    #expect(outcome.errors.contains("retryRefused(in:): status 400 (no such column)"))
    #expect(outcome.errors.hasSuffix("lost: 1 event for \(server.url): status 400 (1)\n"))
    let queue = try #require(try await demo.queues().first)
    #expect(queue.waiting == 0 && queue.refused == 1 && queue.lost == ["status 400": 1])
  }

  @Test func `if the server refuses all events, the events wait in the queue`() async throws {
    let server = try LoopbackServer(always: .answer(400, body: "no such column"))
    let outcome = try await demo(line: "\(buy) --analytics \(server.url) --queue q")
    #expect(outcome.status == 0)
    let queue = try #require(try await demo.queues().first)
    #expect(queue.waiting == 5 && queue.lost.isEmpty)
    let reason = try #require(queue.trouble)
    #expect(reason.contains("status 400") && reason.contains("no such column"))
    #expect(
      outcome.errors.contains("waiting: 5 events for \(server.url): \(reason)"),
      "\(outcome.errors)")
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
  func `an analytics service receives its API secrets, which are neither shown nor stored`(
    service: String, path: String, target: String, name: String
  ) async throws {
    let server = try LoopbackServer(always: .answer(503, body: "topsecret"))
    let outcome = try await demo(
      line: "checkout --item mug --log none --queue q --analytics \(service)\(server.url)\(path)",
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
    for event in EventFields.ofPurchase { #expect(request.lines.joined().contains(event)) }
    let list = try await demo(line: "queue q")
    #expect(list.output.contains(name), "\(list.output)")
    try expectNoTrace(
      of: ["topsecret", "anothersecret"], in: [outcome.output, outcome.errors, list.output])
  }

  @Test func `OTLP events and OTLP log records are queued separately`() async throws {
    let dead = try deadAddress()
    let words = "checkout --item mug --log otlp:\(dead) --analytics otlp:\(dead) --queue q"
    let outcome = try await demo(line: words)
    #expect(outcome.status == 0)
    #expect(outcome.errors.count { $0 == "\n" } == 2)
    let queues = try await demo.queues()
    func waiting(_ collector: String) -> Int? {
      queues.first { $0.destination == "\(collector) \(dead)/v1/logs" }?.waiting
    }
    let records = try #require(waiting("OTLPLog"))
    #expect(records > 0 && waiting("OTLPAnalytics") == 5 && queues.count == 2)
    #expect(outcome.errors.contains("waiting: \(records) records for otlp:\(dead)/v1/logs: "))
    // A disabled collector reports that itself, and sends nothing.
    let disabled = try await demo(line: words, environment: ["OTEL_SDK_DISABLED": "true"])
    #expect(disabled.status == 0)
    #expect(disabled.errors.matches(of: /OTEL_SDK_DISABLED is true/).count == 2)
    #expect(disabled.errors.contains(" \(records) ") && disabled.errors.contains(" 5 "))
    #expect(!disabled.errors.contains("ambient-demo: "))
    #expect(try await demo.queues().map(\.waiting) == queues.map(\.waiting))
  }

  @Test func `a server's 404 response is reported with the settings to check`() async throws {
    let server = try LoopbackServer(always: .answer(404))
    let outcome = try await demo(line: "\(buy) --queue q --analytics otlp:\(server.url)")
    #expect(outcome.errors.contains("5 events for otlp:\(server.url)v1/logs: status 404; check"))
    #expect(outcome.errors.contains("OTEL_EXPORTER_OTLP_HEADERS"))
  }

  /// Looks for secrets in the texts, and in all files in the folder of queues.
  private func expectNoTrace(of secrets: [String], in shown: [String]) throws {
    var texts = shown
    let enumerator = FileManager.default.enumerator(atPath: demo.folder.path("q"))
    while let name = enumerator?.nextObject() as? String {
      let bytes = FileManager.default.contents(atPath: demo.folder.path("q/\(name)")) ?? Data()
      texts += [name, String(decoding: bytes, as: UTF8.self)]
    }
    for secret in secrets { #expect(!texts.contains { $0.contains(secret) }, "\(secret)") }
  }
}
