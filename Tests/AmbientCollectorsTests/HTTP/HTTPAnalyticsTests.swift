// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientCollectors
import AmbientTesting
import Foundation
import TestSupport
import Testing

@Suite(.quiet) struct `HTTPAnalytics requests` {
  private let folder = TemporaryFolder()

  @Test func `HTTPAnalytics sends events in order with the configured headers and query`()
    async throws
  {
    let server = try LoopbackServer(always: .answer(200))
    let analytics = try HTTPAnalytics(
      server, folder, path: "in?a=1", headers: ["X-Key": "a secret"],
      query: ["query": "INSERT INTO events + x FORMAT JSONEachRow"])
    analytics.track(0..<100)
    await analytics.finish()
    #expect(numbers(server.lines) == Array(0..<100))
    #expect(Set(ids(server.lines)).count == 100)
    let request = try #require(server.requests.first)
    #expect(request.method == "POST")
    #expect(
      request.target == "/in?a=1&query=INSERT%20INTO%20events%20%2B%20x%20FORMAT%20JSONEachRow")
    #expect(request.headers["content-length"] == "\(request.body.utf8.count)")
    #expect(request.headers["content-type"] == "application/x-ndjson")
    #expect(request.headers["x-key"] == "a secret")
    #expect(request.body.hasSuffix("\n"))
    #expect(analytics.status.delivered == 100)
    #expect(analytics.status.waiting == 0)
    #expect(analytics.lostEvents == 0)
  }

  @Test(
    arguments: [
      ("ada:open@", "Basic YWRhOm9wZW4="), ("ada@", "Basic YWRhOg=="), ("ada:@", "Basic YWRhOg=="),
      ("a%40b:p%3Aw@", "Basic YUBiOnA6dw=="), ("", nil),
    ] as [(String, String?)])
  func `HTTPAnalytics sends the user name and password of a URL in an Authorization header`(
    login: String, field: String?
  ) async throws {
    let server = try LoopbackServer(always: .answer(204))
    let analytics = try HTTPAnalytics(
      url: "http://\(login)127.0.0.1:\(server.port)",
      queue: EventQueue(folder: folder.path("q"), .small))
    analytics.track(0..<1)
    await analytics.finish()
    let request = try #require(server.requests.first)
    #expect(request.headers["authorization"] == field)
    #expect(request.target == "/")
  }

  @Test(arguments: [200, 201, 202, 204, 207])
  func `events that HTTPAnalytics sends count as delivered after a 2xx response`(status: Int)
    async throws
  {
    let server = try LoopbackServer(always: .answer(status, body: "\u{0} rubbish {"))
    let analytics = try HTTPAnalytics(server, folder, upload: .atFlush)
    analytics.track(0..<3)
    await analytics.finish()
    #expect(server.requests.count == 1)
    #expect(analytics.status.delivered == 3)
  }

  @Test(arguments: [429, 500, 503, 408])
  func `HTTPAnalytics retries a batch after a 408, 429, 500 or 503`(status: Int) async throws {
    let server = try LoopbackServer([
      .answer(status, headers: ["Retry-After": "0"]), .answer(status), .answer(200),
    ])
    let analytics = try HTTPAnalytics(server, folder)
    analytics.track(0..<3)
    #expect(await analytics.isEmptiedAfterFlush())
    #expect(server.requests.count >= 3)
    #expect(Set(ids(server.lines)).count == 3)
    #expect(analytics.status.delivered == 3)
    #expect(analytics.status.trouble == nil)
  }

  @Test(arguments: [400, 413, 422])
  func `if a server refuses one event of a batch, the others are delivered in order`(
    status: Int
  ) async throws {
    let reports = Reports()
    let server = try LoopbackServer { _, request in
      request.body.contains(#""number":13}"#) ? .answer(status, body: "no 13") : .answer(200)
    }
    let analytics = try Diagnostics.withInstance(reports) {
      try HTTPAnalytics(
        server, folder,
        upload: UploadOptions().with {
          $0.events = 40
          $0.exchange = UploadOptions.patient
        })
    }
    analytics.track(0..<40)
    await analytics.finish()
    let accepted = server.requests.filter { !$0.body.contains(#""number":13}"#) }.flatMap(\.lines)
    #expect(numbers(accepted) == Array(0..<13) + Array(14..<40))
    #expect(analytics.status.delivered == 39)
    #expect(analytics.status.lost == ["status \(status)": 1])
    #expect(analytics.lostEvents == 1)
    #expect(reports.all.map(\.kind) == [.undelivered])
    let refused = try #require(server.lines.first { $0.contains(#""number":13}"#) })
    #expect(reports.messages.first?.contains(ids([refused])[0]) == true)
  }

  @Test func `an event that ClickHouse refuses with a 500 counts as lost, and the others arrive`()
    async throws
  {
    let transport = ScriptedTransport { _, lines in
      numbers(lines).contains(2)
        ? .answer(500, body: "Code: 27, e.displayText() = DB::Exception: no number")
        : .answer(200)
    }
    let analytics = try HTTPAnalytics(transport, folder, upload: .atFlush)
    analytics.track(0..<4)
    await analytics.finish()
    #expect(analytics.status.delivered == 3)
    #expect(analytics.status.lost == ["ClickHouse code 27": 1])
  }

  @Test(arguments: [401, 403, 404])
  func `after a 401, 403 or 404, HTTPAnalytics keeps the events and reports the status once`(
    status: Int
  )
    async throws
  {
    let reports = Reports()
    let server = try LoopbackServer { number, _ in
      number < 3 ? .answer(status, body: "who are you?") : .answer(200)
    }
    let analytics = try Diagnostics.withInstance(reports) {
      try HTTPAnalytics(server, folder, upload: .atFlush)
    }
    analytics.track(0..<5)
    #expect(await analytics.isEmptiedAfterFlush())
    #expect(analytics.status.delivered == 5)
    #expect(server.requests.count == 4)
    #expect(reports.all.map(\.kind) == [.undelivered, .recovered])
    #expect(reports.messages.first?.contains("who are you?") == true)
  }

  @Test(.virtualTime(from: "2026-11-27T00:00:00Z", advances: .byHand), .quiet)
  func `if 503 and 200 responses alternate, the trouble is reported once in ten minutes`()
    async throws
  {
    let time = try VirtualTime.current
    let transport = ScriptedTransport { number, _ in .answer(number % 2 == 0 ? 503 : 200) }
    let analytics = try HTTPAnalytics(
      transport, folder,
      upload: UploadOptions().with {
        $0.interval = .seconds(1)
        $0.backoff = .milliseconds(10)
      })
    for number in 0..<300 {
      analytics.track(number..<number + 1)
      try await time.advance(by: .seconds(4))
    }
    #expect(analytics.status.delivered == 300 && transport.exchanges.count == 600)
    #expect(Test.reports.map(\.kind) == [.undelivered, .recovered, .undelivered, .recovered])
  }

  @Test func `HTTPAnalytics counts events tracked after a shutdown as lost and reports them once`()
    async throws
  {
    let reports = Reports()
    let analytics = try HTTPAnalytics(
      url: "http://a.example/in?key=hidden", queue: EventQueue(folder: folder.path("q"), .small),
      transport: ScriptedTransport([]))
    #expect("\(analytics)" == "HTTPAnalytics http://a.example/in")
    await analytics.finish()
    Diagnostics.withInstance(reports) { analytics.track(0..<3) }
    #expect(analytics.status.lost == ["the queue was closed": 3])
    #expect(reports.all.map(\.kind) == [.undelivered])
  }

  @Test(
    .virtualTime(from: "2026-11-27T00:00:00Z", advances: .byHand), .quiet,
    arguments: [PropertyLayout.nested, .flattened("_"), .text])
  func `HTTPOptions.sentAt adds the time of each attempt to every event's JSON line`(
    layout: PropertyLayout
  ) async throws {
    let transport = ScriptedTransport([.answer(503, headers: ["retry-after": "60"])])
    let analytics = try HTTPAnalytics(
      url: "http://events.example/", queue: EventQueue(folder: folder.path("queue"), .small),
      options: HTTPOptions().with {
        $0.properties = layout
        $0.sentAt = "sent \"at\""
      }, transport: transport)
    analytics.track(0..<2)
    try await VirtualTime.current.advance(by: .seconds(100))
    #expect(analytics.status.delivered == 2)
    let times = try transport.exchanges.map { exchange in
      try exchange.lines.map { line in
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        #expect(object?["time"] as? String == "2026-11-27T00:00:00.000Z")
        return object?["sent \"at\""] as? String
      }
    }
    #expect(
      times == ["2026-11-27T00:00:05.000Z", "2026-11-27T00:01:05.000Z"].map { [$0, $0] })
  }

  @Test func `by default, HTTPAnalytics adds no sending time to an event's JSON line`() async throws
  {
    let transport = ScriptedTransport([])
    let analytics = try HTTPAnalytics(transport, folder, upload: .atFlush)
    analytics.track(0..<1)
    await analytics.finish()
    let line = try #require(transport.exchanges.first?.lines.first)
    #expect(try TrackedEvent(json: line).json == line)
  }

  @Test func `the member that HTTPOptions.sentAt adds counts toward the size limit of a request`()
    async throws
  {
    let transport = ScriptedTransport([])
    // A line has 123 or 124 bytes without the time, and 37 more with it.
    let analytics = try HTTPAnalytics(
      url: "http://events.example/", queue: EventQueue(folder: folder.path("queue"), .small),
      options: HTTPOptions().with {
        $0.sentAt = "sent_at"
        $0.limits = RequestLimits(events: 100, bytes: 1_000)
      }, upload: .atFlush, transport: transport)
    analytics.track(0..<50)
    await analytics.finish()
    let sizes = transport.exchanges.map(\.request.body.count)
    #expect(
      sizes.allSatisfy { $0 <= 1_000 } && sizes.dropLast().allSatisfy { $0 > 800 }, "\(sizes)")
    #expect(analytics.status.delivered == 50)
  }

  @Test(
    arguments: [
      ("", .nested), ("id", .nested), ("time", .text), ("event", .text), ("user", .nested),
      ("anonymous_id", .nested), ("properties", .text), ("properties_x", .flattened("_")),
      ("user_id", .flattened("_")), ("properties", .flattened(".")),
    ] as [(String, PropertyLayout)])
  func `an HTTPOptions.sentAt name that event lines already use throws an error`(
    name: String, layout: PropertyLayout
  ) throws {
    let queue = try EventQueue(folder: folder.path("queue"), .small)
    let error = #expect(throws: CollectorError.self) {
      try HTTPAnalytics(
        url: "http://events.example/", queue: queue,
        options: HTTPOptions().with {
          $0.properties = layout
          $0.sentAt = name
        }, transport: ScriptedTransport([]))
    }
    #expect(error?.setting == "sentAt")
    _ = try HTTPAnalytics(
      url: "http://events.example/", queue: queue,
      options: HTTPOptions().with {
        $0.properties = layout
        $0.sentAt = "properties-x"
      }, transport: ScriptedTransport([]))
  }

  @Test func `events that the judging closure rejects count as lost despite a 200 response`()
    async throws
  {
    let transport = ScriptedTransport([
      .answer(200, body: "refused 2"), .answer(200, body: "refused 0"), .answer(400),
      .answer(200, body: "busy"), .answer(200, body: "refused 0"),
    ])
    let analytics = try HTTPAnalytics(
      url: "http://events.example/", queue: EventQueue(folder: folder.path("queue"), .small),
      upload: .atFlush,
      judging: { answer in
        if answer.text == "busy" { return .retry("busy") }
        guard answer.status == 200, let count = Int(answer.text.dropFirst(8)), count > 0 else {
          return nil
        }
        return .partlyAccepted(refused: count, reason: "refused in the body")
      }, transport: transport)
    analytics.track(0..<5)
    #expect(await analytics.isEmptiedAfterFlush())
    #expect(analytics.status.delivered == 3)
    #expect(analytics.status.lost == ["refused in the body": 2])
    analytics.track(5..<6)
    #expect(await analytics.isEmptiedAfterFlush())
    #expect(analytics.status.delivered == 4)
    // Nil for the usual verdict: a single event that is refused waits, since no event was accepted
    // with it, and is sent again.
    analytics.track(6..<7)
    #expect(await analytics.isEmptiedAfterFlush())
    #expect(transport.exchanges.count == 5)
    #expect(analytics.status.delivered == 5)
  }

  @Test func `HTTPAnalytics hides secrets in reports even if a server's response repeats them`()
    async throws
  {
    let reports = Reports()
    let server = try LoopbackServer { number, request in
      number == 0
        ? .answer(400, body: "bad key \(request.headers["x-key"] ?? "") at \(request.target)")
        : .answer(
          503, body: "\(request.headers["authorization"] ?? "") s3cret t/ken b3arer wr1tekey")
    }
    let analytics = try Diagnostics.withInstance(reports) {
      try HTTPAnalytics(
        url: "http://wr1tekey:s3cret@127.0.0.1:\(server.port)/?token=t0ken&b4rekey",
        queue: EventQueue(folder: folder.path("q"), .small),
        options: HTTPOptions().with {
          $0.headers = ["X-Key": "k3yk3y", "X-Token": "Bearer b3arer"]
          $0.query = ["secret": "qu3ry", "other": "t/ken"]
        }, upload: .prompt)
    }
    analytics.track(0..<1)
    analytics.flush()
    #expect(await Patience.waitIdly { reports.all.count == 2 })
    await analytics.finish()
    let all = "\(reports.all) \(analytics.status) \(analytics)"
    #expect(reports.all.count == 2)
    for secret in [
      "s3cret", "t0ken", "k3yk3y", "qu3ry", "d3IxdGVrZXk6czNjcmV0", "b3arer", "t/ken", "t%2Fken",
      "wr1tekey", "b4rekey",
    ] {
      #expect(!all.contains(secret), "\(secret) in \(all)")
    }
  }
}
