// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientTesting
import Foundation
import TestSupport
import Testing

@testable import AmbientCollectors

@Suite(.frozen(at: "2026-11-27T05:00:00Z")) struct `OTLP environment variables` {
  private let folder = TemporaryFolder()
  private let reports = Reports()

  /// The request and its record, of one event with those properties.
  private func sent(
    _ environment: [String: String], _ options: OTLPOptions? = nil,
    _ properties: AmbientFields = [:]
  ) async throws -> (request: OutgoingRequest, body: String) {
    var options = options ?? OTLPOptions().with { $0.environment = [:] }
    options.environment = environment
    let transport = ScriptedTransport([])
    let sending = try OTLPSender.analytics.make(
      folder, options, transport: transport, reports: reports)
    sending.send("a", properties)
    await sending.finish()
    return (try #require(transport.exchanges.first?.request), try #require(transport.bodies.first))
  }

  @Test(arguments: [
    ([:], "http://localhost:4318/v1/logs"),
    (["OTEL_EXPORTER_OTLP_ENDPOINT": ""], "http://localhost:4318/v1/logs"),
    (["OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318"], "http://c:4318/v1/logs"),
    (["OTEL_EXPORTER_OTLP_ENDPOINT": " http://c:4318/ "], "http://c:4318/v1/logs"),
    (["OTEL_EXPORTER_OTLP_ENDPOINT": "https://c/in/otlp//"], "https://c/in/otlp/v1/logs"),
    (["OTEL_EXPORTER_OTLP_ENDPOINT": "https://c/in?a=b"], "https://c/in/v1/logs?a=b"),
    (["OTEL_EXPORTER_OTLP_LOGS_ENDPOINT": "http://c:1/mine"], "http://c:1/mine"),
    (["OTEL_EXPORTER_OTLP_LOGS_ENDPOINT": "http://c:1"], "http://c:1/"),
    (
      [
        "OTEL_EXPORTER_OTLP_LOGS_ENDPOINT": "http://l:1/logs",
        "OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318",
      ], "http://l:1/logs"
    ),
  ])
  func `the OTLP endpoint environment variables set the URL of requests`(
    environment: [String: String], address: String
  ) async throws {
    #expect(try await sent(environment).request.url.absoluteString == address)
    #expect(reports.all.isEmpty)
  }

  @Test(arguments: [
    (CollectorEndpoint<OTLPOptions>.base("http://mine:7/x"), "http://mine:7/x/v1/logs"),
    (.exact("http://mine:7/x"), "http://mine:7/x"),
  ])
  func `OTLPOptions override the OTEL environment variables`(
    endpoint: CollectorEndpoint<OTLPOptions>, address: String
  ) async throws {
    let options = OTLPOptions().with {
      $0.endpoint = endpoint
      $0.headers = ["x-key": "mine"]
      $0.resource = ["service.name": "mine"]
    }
    let (request, body) = try await sent(
      [
        "OTEL_EXPORTER_OTLP_LOGS_ENDPOINT": "no address", "OTEL_SERVICE_NAME": "theirs",
        "OTEL_EXPORTER_OTLP_HEADERS": "X-Key=theirs,other=kept",
      ], options)
    #expect(request.url.absoluteString == address)
    #expect(request.headers["x-key"] == "mine")
    #expect(request.headers["other"] == "kept")
    #expect(request.headers["X-Key"] == nil)
    #expect(body.contains(#"{"key":"service.name","value":{"stringValue":"mine"}}"#))
  }

  @Test func `an OTEL_EXPORTER_OTLP_ENDPOINT that already ends in the logs path is reported once`()
    async throws
  {
    let environment = ["OTEL_EXPORTER_OTLP_ENDPOINT": "http://ada:h1dden@c/v1/logs/?a=h1dden"]
    let request = try await sent(environment).request
    #expect(request.url.absoluteString == "http://c/v1/logs/v1/logs?a=h1dden")
    #expect(reports.all.map(\.kind) == [.invalidSetting])
    let message = reports.messages.first ?? ""
    #expect(message.contains("“http://c/v1/logs/v1/logs”"), "\(message)")
    #expect(message.contains("OTEL_EXPORTER_OTLP_ENDPOINT") && !message.contains("h1dden"))
  }

  @Test(arguments: OTLPSender.allCases, ["http://c/v1/logs", "http://c/in/v1/logs/?a=h1dden"])
  func `an OTLP base endpoint that already ends in the logs path throws an error`(
    sender: OTLPSender, address: String
  ) throws {
    let error = try #require(throws: CollectorError.self) {
      try sender.make(folder, .test(.base(address)))
    }
    #expect("\(error)".contains("/v1/logs/v1/logs”") && "\(error)".contains(".exact"), "\(error)")
    #expect(!"\(error)".contains("h1dden"))
    _ = try sender.make(folder, .test(.exact(address)), transport: ScriptedTransport([]))
  }

  @Test(arguments: [
    ("api-key=t0ken, tenant = a%20b%3D%2C ,", ["api-key": "t0ken", "tenant": "a b=,"]),
    ("a=b=c", ["a": "b=c"]), ("a=", ["a": ""]), ("a=1,A=2,b=3", ["a": "2", "b": "3"]),
    ("content-type=text/plain,User-Agent=me", ["User-Agent": "me"]),
  ])
  func `the OTLP headers environment variables set the header fields of requests`(
    text: String, fields: [String: String]
  ) async throws {
    for environment in [
      ["OTEL_EXPORTER_OTLP_HEADERS": text],
      ["OTEL_EXPORTER_OTLP_LOGS_HEADERS": text, "OTEL_EXPORTER_OTLP_HEADERS": "other=1"],
    ] {
      var headers = try await sent(environment).request.headers
      #expect(headers.removeValue(forKey: "Content-Type") == "application/json")
      if fields["User-Agent"] == nil { headers["User-Agent"] = nil }
      #expect(headers == fields)
      try FileManager.default.removeItem(atPath: folder.path("queue"))
    }
  }

  @Test(arguments: [
    ("OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318"), ("OTEL_EXPORTER_OTLP_ENDPOINT", "ftp://c"),
    ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://h1dden@"),
    ("OTEL_EXPORTER_OTLP_LOGS_ENDPOINT", "http://c:99999"),
    ("OTEL_EXPORTER_OTLP_LOGS_ENDPOINT", "http://a b/"),
    ("OTEL_EXPORTER_OTLP_HEADERS", "h1dden"), ("OTEL_EXPORTER_OTLP_HEADERS", "=h1dden"),
    ("OTEL_EXPORTER_OTLP_LOGS_HEADERS", "a=%h1dden"),
    ("OTEL_EXPORTER_OTLP_HEADERS", "a=1,b=%FFh1dden"),
  ])
  func `an invalid OTLP endpoint or headers variable throws an error that names the variable`(
    name: String, text: String
  ) throws {
    let error = try #require(throws: CollectorError.self) {
      try OTLPSender.log.make(folder, OTLPOptions().with { $0.environment = [name: text] })
    }
    #expect("\(error)".contains("“\(name)”"))
    #expect(!"\(error)".contains("h1dden"))
    #expect("\(error)".contains("name=value,name2=") == name.hasSuffix("HEADERS"))
  }

  @Test(
    arguments: [
      ("a=x%0D%0Ay", "“a”"), ("a%20aDFk=x", "“a…”"), ("Content-Length=5", "“Content-Length”"),
      ("b=1,a=%00", "“a”"), ("Authorization: Basic aDFkZGVu==", "“Authorization…”"),
    ], ["OTEL_EXPORTER_OTLP_HEADERS", "OTEL_EXPORTER_OTLP_LOGS_HEADERS"])
  func `an invalid header field throws an error that names the OTLP headers variable`(
    form: (text: String, part: String), name: String
  ) throws {
    let error = try #require(throws: CollectorError.self) {
      try OTLPSender.log.make(folder, OTLPOptions().with { $0.environment = [name: form.text] })
    }
    #expect("\(error)".contains("“\(name)”"))
    #expect("\(error)".contains(form.part), "\(error)")
    #expect(!"\(error)".contains("aDFk"))
  }

  @Test func `OTEL_SERVICE_NAME overrides the service name in OTEL_RESOURCE_ATTRIBUTES`()
    async throws
  {
    let attributes = "service.name=other,team=a%2Cb%3D%25, deployment.environment.name = prod "
    let (_, body) = try await sent(
      ["OTEL_RESOURCE_ATTRIBUTES": attributes, "OTEL_SERVICE_NAME": "shop"])
    for (name, value) in [
      ("service.name", "shop"), ("team", "a,b=%"), ("deployment.environment.name", "prod"),
    ] {
      #expect(body.contains(#"{"key":"\#(name)","value":{"stringValue":"\#(value)"}}"#))
    }
    #expect(body.components(separatedBy: #""service.name""#).count == 2)
  }

  @Test func `without OTEL variables, the OTLP service name is made from the process name`()
    async throws
  {
    let name = "unknown_service:\(ProcessInfo.processInfo.processName)"
    #expect(
      try await sent([:]).body.contains(
        #"{"key":"service.name","value":{"stringValue":"\#(name)"}}"#))
  }

  @Test(arguments: [
    ("OTEL_RESOURCE_ATTRIBUTES", "a=1,b", " 2 "), ("OTEL_RESOURCE_ATTRIBUTES", "a=1,, ,b", " 4 "),
    ("OTEL_RESOURCE_ATTRIBUTES", "a=%zz", " 1 "),
    ("OTEL_EXPORTER_OTLP_TIMEOUT", "soon", "2147483647"),
    ("OTEL_EXPORTER_OTLP_LOGS_TIMEOUT", "-1", "2147483647"),
    ("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc", "http/json"),
    ("OTEL_EXPORTER_OTLP_LOGS_PROTOCOL", "http/protobuf", "http/json"),
    ("OTEL_EXPORTER_OTLP_COMPRESSION", "deflate", "gzip"),
    ("OTEL_EXPORTER_OTLP_LOGS_COMPRESSION", "zip", "gzip"),
    ("OTEL_ATTRIBUTE_COUNT_LIMIT", "1.5", "2147483647"),
    ("OTEL_LOGRECORD_ATTRIBUTE_VALUE_LENGTH_LIMIT", "99999999999", "2147483647"),
    ("OTEL_SDK_DISABLED", "yes", "false"),
  ])
  func `an invalid OTEL variable is ignored and reported with the first upload`(
    name: String, text: String, reason: String
  ) async throws {
    let (request, body) = try await sent([name: text])
    #expect(request.url.absoluteString == "http://localhost:4318/v1/logs")
    #expect(!body.contains(#"{"key":"a","#))
    #expect(reports.all.map(\.kind) == [.invalidSetting])
    #expect(reports.messages.first?.contains("\(name) “\(text)”: ") == true)
    #expect(reports.messages.first?.contains(reason) == true)
  }

  @Test(arguments: [
    ["OTEL_EXPORTER_OTLP_PROTOCOL": "grpc", "OTEL_EXPORTER_OTLP_LOGS_PROTOCOL": "http/json"],
    ["OTEL_EXPORTER_OTLP_COMPRESSION": "none"], ["OTEL_EXPORTER_OTLP_COMPRESSION": "gzip"],
    ["OTEL_SDK_DISABLED": "FALSE"],
    ["OTEL_EXPORTER_OTLP_TIMEOUT": "", "OTEL_SDK_DISABLED": " "],
  ])
  func `valid OTEL variables are accepted without a report`(environment: [String: String])
    async throws
  {
    _ = try await sent(environment)
    #expect(reports.all.isEmpty)
  }

  @Test(arguments: [
    (["OTEL_ATTRIBUTE_COUNT_LIMIT": "2"], 2), (["OTEL_ATTRIBUTE_COUNT_LIMIT": "0"], 0),
    (["OTEL_ATTRIBUTE_COUNT_LIMIT": "2", "OTEL_LOGRECORD_ATTRIBUTE_COUNT_LIMIT": "5"], 5),
    ([:], 128),
  ])
  func `attributes beyond the OTEL attribute count limit are dropped and counted`(
    environment: [String: String], count: Int
  ) async throws {
    let numbers = AmbientFields(
      Dictionary(uniqueKeysWithValues: (0..<200).map { ("n\($0)", $0) }))
    let (_, body) = try await sent(environment, .test(), numbers)
    let record = try #require(body.range(of: "logRecords")).upperBound
    #expect(body[record...].matches(of: /"key":/).count == count)
    #expect(body[record...].contains(#""attributes":["#) == (count > 0))
    #expect(body.contains(#""droppedAttributesCount":\#(201 - count)}"#))
  }

  @Test(arguments: [
    ["OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT": "40"],
    [
      "OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT": "1", "OTEL_LOGRECORD_ATTRIBUTE_VALUE_LENGTH_LIMIT": "40",
    ],
  ])
  func `the OTEL attribute value length limit also cuts texts in lists and objects`(
    environment: [String: String]
  ) async throws {
    let long = String(repeating: "é", count: 41)
    let (_, body) = try await sent(
      environment, .test(),
      ["b": [long].ambientValue, "a": long, "c": ["d": long] as AmbientFields, "e": "short"])
    #expect(!body.contains(long))
    #expect(body.components(separatedBy: String(long.dropLast())).count == 4)
    #expect(body.contains("short"))
    #expect(reports.all.map(\.kind) == [.amended])
    let message = reports.messages.first ?? ""
    #expect(message.hasPrefix("a, properties.b: ") && message.numbers == [40], "\(message)")
    #expect(message.contains(" properties.a, properties.c; "), "\(message)")
  }

  @Test(arguments: [("2500", 2.5), ("0", 864_000), ("1", 0.001)])
  func `OTEL_EXPORTER_OTLP_TIMEOUT limits an exchange unless OTLPOptions set a timeout`(
    text: String, seconds: Double
  ) async throws {
    let environment = ["OTEL_EXPORTER_OTLP_TIMEOUT": text]
    let usual = UploadOptions()
    let short = UploadOptions().with { $0.exchange = ExchangeLimits(duration: .seconds(3)) }
    let cases: [(OTLPOptions, UploadOptions, Double)] = [
      (OTLPOptions().with { $0.environment = environment }, usual, seconds),
      (OTLPOptions().with { $0.environment = environment }, short, seconds),
      (
        OTLPOptions().with {
          $0.timeout = .seconds(7)
          $0.environment = environment
        }, usual, 7
      ),
      (
        OTLPOptions().with {
          $0.timeout = .zero
          $0.environment = [:]
        }, usual, 864_000
      ),
      (OTLPOptions().with { $0.environment = [:] }, usual, 10),
      (OTLPOptions().with { $0.environment = [:] }, short, 3),
    ]
    for (options, upload, expected) in cases {
      let transport = ScriptedTransport([])
      let folder = TemporaryFolder()
      defer { withExtendedLifetime(folder) {} }
      let sending = try OTLPSender.log.make(
        folder, options, transport: transport, upload: upload)
      sending.send("a")
      #expect(await sending.isEmptiedAfterFlush())
      #expect(transport.exchanges.first?.limits.duration == .seconds(expected))
    }
  }

  @Test(arguments: OTLPSender.allCases)
  func `if OTEL_SDK_DISABLED is true, nothing is sent and the queue is kept`(sender: OTLPSender)
    async throws
  {
    let first = try sender.make(folder, transport: ScriptedTransport { _, _ in .answer(503) })
    first.send("waits")
    await first.finish()
    #expect(first.status.waiting == 1)
    let transport = ScriptedTransport([])
    let reports = Reports()
    let disabled = try sender.make(
      folder, .test(.base("http://c:1"), ["OTEL_SDK_DISABLED": "True"]), transport: transport)
    await Diagnostics.withInstance(reports) {
      disabled.send("not wanted")
      disabled.flush()
      await disabled.finish()
    }
    #expect(transport.exchanges.isEmpty)
    #expect(
      reports.messages == [
        CollectorEngine.off(by: "OTEL_SDK_DISABLED is true", sender.noun, waiting: 1)
      ])
    #expect(disabled.status.waiting == 1)
    #expect(disabled.status.lost == [:])
    #expect(disabled.status.isDisabled && !first.status.isDisabled)
  }

  @Test(arguments: [("ada", nil), ("ada", "bob"), (nil, nil)] as [(String?, String?)])
  func `a collector that is off forgets the stored identities at a reset or another sign-in`(
    stored: String?, next: String?
  ) async throws {
    let identified = EventQueue.Options.small.with { $0.hasAnonymousID = true }
    func start(_ options: OTLPOptions = .test()) throws -> QueuedAnalytics {
      let sender = try OTLPSender.analytics.make(
        folder, options, journal: identified, transport: ScriptedTransport([]))
      return try #require(sender as? QueuedAnalytics)
    }
    let user = stored.map { AnalyticsUser($0) }
    let first = try start()
    if let user { first.store(user) }
    let anonymousID = try #require(first.queue.anonymousID)
    await first.finish()
    let disabled = try start(.test(.base("http://c:1"), ["OTEL_SDK_DISABLED": "true"]))
    if let user { disabled.store(user) }
    #expect(disabled.storedUser == user && disabled.queue.anonymousID == anonymousID)
    disabled.store(next.map { AnalyticsUser($0) })
    #expect(disabled.storedUser == nil && disabled.queue.anonymousID != anonymousID)
    await Diagnostics.withInstance(Reports()) { await disabled.finish() }
  }

  @Test(arguments: OTLPSender.allCases, 0..<4)
  func `the first call on an OTLP collector reports once that OTEL_SDK_DISABLED is true`(
    sender: OTLPSender, call: Int
  ) async throws {
    let folder = TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let first = try sender.make(folder, transport: ScriptedTransport { _, _ in .answer(401) })
    if call > 1 { for _ in 0..<call { first.send("waits") } }
    await first.finish()
    let disabled = try sender.make(
      folder, .test(.base("http://c:1"), ["OTEL_SDK_DISABLED": "true"]),
      transport: ScriptedTransport([]))
    await Diagnostics.withInstance(reports) {
      switch (call, disabled) {
      case (0, let analytics as QueuedAnalytics): #expect(!analytics.isEnabled)
      case (1, let analytics as QueuedAnalytics):
        analytics.record(TrackedEvent(Event("a"), id: UUID(), date: Date()))
      case (0...1, let log as OTLPLog):
        log.write(
          LogRecord(
            date: Date(), level: .info, message: "a", metadata: [:],
            source: SourcePlace(fileID: "Shop/A.swift", line: 1)))
      case (2, _): disabled.flush()
      default: await disabled.finish()
      }
    }
    let waiting = call > 1 ? call : 0
    #expect(
      reports.messages == [
        CollectorEngine.off(by: "OTEL_SDK_DISABLED is true", sender.noun, waiting: waiting)
      ])
    #expect(disabled.status.waiting == (call > 1 ? call : 0))
    let withheld = sender == .analytics ? (call == 1 ? 1 : 0) : (call < 2 ? 1 : 0)
    #expect(disabled.status.withheld == withheld)
  }
}
