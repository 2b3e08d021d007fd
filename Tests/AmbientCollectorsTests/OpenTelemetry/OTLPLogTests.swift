// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientCollectors
import AmbientTesting
import Foundation
import TestSupport
import Testing

@Suite(.frozen(at: "2026-11-27T05:00:00.000125Z")) struct `OTLP log record encoding` {
  private let folder = TemporaryFolder()
  private let time =
    #""timeUnixNano":"1795755600000125000","observedTimeUnixNano":"1795755600000125000""#

  private enum Refused: Error { case limit }

  @Test func `OTLPLog sends the level, text, source and metadata of a log record`() async throws {
    let sent = try await records { log in
      log.info(
        "order \("A-17", name: "order") \"placed\"\n", ["total": 19.5, "items": 3],
        fileID: "Shop/Desk.swift", function: "place(_:)", line: 42)
    }
    let attributes = [
      #"{"key":"log.record.uid","value":{"stringValue":"ID"}}"#,
      #"{"key":"code.file.path","value":{"stringValue":"Shop/Desk.swift"}}"#,
      #"{"key":"code.line.number","value":{"intValue":"42"}}"#,
      #"{"key":"code.function.name","value":{"stringValue":"place(_:)"}}"#,
      #"{"key":"order","value":{"stringValue":"A-17"}}"#,
      #"{"key":"total","value":{"doubleValue":19.5}}"#,
      #"{"key":"items","value":{"intValue":"3"}}"#,
    ]
    #expect(
      sent == [
        #"{\#(time),"severityNumber":9,"severityText":"info","#
          + #""body":{"stringValue":"order A-17 \"placed\"\n"},"#
          + #""attributes":[\#(attributes.joined(separator: ","))]}"#
      ])
  }

  @Test(arguments: [
    ("", "", UInt(0), []), ("A/B.swift", "", 0, ["code.file.path"]),
    ("", "", 1, ["code.line.number"]), ("", "f()", 0, ["code.function.name"]),
  ])
  func `OTLPLog sends only the known parts of a record's source (file, function, line)`(
    file: String, function: String, line: UInt, names: [String]
  ) async throws {
    let sent = try await records { log in
      log.write(
        LogRecord(
          date: Time.now, level: .info, message: "x", metadata: [:],
          source: SourcePlace(fileID: file, function: function, line: line)))
    }
    let found = sent.first?.matches(of: /"key":"([^"]+)"/).map { String($0.output.1) }
    #expect(found == ["log.record.uid"] + names)
  }

  @Test(
    arguments: zip(LogLevel.allCases, [1, 5, 9, 10, 13, 17, 21]))
  func `OTLPLog sends each log level with its OpenTelemetry severity number`(
    level: LogLevel, number: Int
  ) async throws {
    let sent = try await records { $0.log(level, "x") }
    #expect(
      sent.first?.contains(#""severityNumber":\#(number),"severityText":"\#(level)""#) == true)
  }

  @Test func `OTLPLog sends an error as OpenTelemetry exception attributes`() async throws {
    let sent = try await records { log in
      log.error("not paid", ["other": .error(Refused.limit)], error: Refused.limit)
    }
    let record = try #require(sent.first)
    #expect(record.contains(#"{"key":"exception.message","value":{"stringValue":"limit"}}"#))
    #expect(record.contains(#"{"key":"exception.type","value":{"stringValue":""#))
    #expect(
      record.contains(
        #"{"key":"other","value":{"kvlistValue":{"values":[{"key":"exception.type","#))
  }

  @Test
  func `a traceparent in the scope's log metadata becomes an OTLP record's trace and span ID`()
    async throws
  {
    let header = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
    let sent = try await records { log in
      Log.withMetadata(["traceparent": header, "request": 7]) { log.info("inside") }
      log.info("outside")
    }
    #expect(
      sent.first?.contains(
        #""flags":1,"traceId":"4bf92f3577b34da6a3ce929d0e0e4736","spanId":"00f067aa0ba902b7","#)
        == true)
    #expect(sent.first?.contains(#""key":"traceparent""#) == false)
    #expect(sent.first?.contains(#"{"key":"request","value":{"intValue":"7"}}"#) == true)
    #expect(sent.last?.contains("traceId") == false)
  }

  @Test func `OTLPLog redacts private values in the text and metadata of a log record`()
    async throws
  {
    let sent = try await records { log in
      log.info("card \("4111", name: "card", privacy: .private)", ["pin": .private("0815")])
    }
    #expect(sent.first?.contains(#""body":{"stringValue":"card <private>"}"#) == true)
    #expect(sent.first?.contains(#"{"key":"card","value":{"stringValue":"<private>"}}"#) == true)
    #expect(sent.first?.contains(#"{"key":"pin","value":{"stringValue":"<private>"}}"#) == true)
  }

  @Test func `all log attributes that the OTEL length limit cuts are reported in one message`()
    async throws
  {
    let reports = Reports()
    let limit = ["OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT": "5"]
    let log = try OTLPSender.log.make(
      folder, .test(nil, limit), transport: ScriptedTransport([]), reports: reports)
    for _ in 0..<3 { log.send("paid", ["one": "a longer text", "two": "another text"]) }
    await log.finish()
    #expect(log.amendments == ["text-too-long": 12])
    #expect(reports.messages.count == 1)
    let message = reports.messages.first ?? ""
    #expect(message.hasPrefix("log record, source.code.file.path: "), "\(message)")
    #expect(message.numbers == [5], "\(message)")
    let others = "source.code.function.name, metadata.one, metadata.two"
    #expect(message.contains(" \(others); "), "\(message)")
  }

  @Test func `when the log call returns, OTLPLog has the record in its queue as JSON`() throws {
    let log = try OTLPSender.log.make(folder, transport: ScriptedTransport { _, _ in .hang })
    log.send("first", ["n": 1])
    #expect(log.status.waiting == 1)
    let file = FileManager.default.contents(atPath: folder.path("queue/queue")) ?? Data()
    let text = String(decoding: file, as: UTF8.self)
    #expect(
      text.contains(
        #"","time":"2026-11-27T05:00:00.000125Z","level":"info","message":"first","#))
    #expect(text.contains(#""metadata":{"n":1},"source":"AmbientCollectorsTests/Sending.swift:"#))
  }

  @Test func `an OTLPLog filters records by level and module`() async throws {
    let transport = ScriptedTransport([])
    let log = try OTLPLog(
      queue: EventQueue(folder: folder.path("queue"), .small),
      level: LogLevels("warning,Shop=debug,Chatter=off"), options: .test(), transport: transport)
    log.info("a", fileID: "Other/A.swift")
    log.warning("b", fileID: "Other/A.swift")
    log.debug("c", fileID: "Shop/A.swift")
    log.critical("d", fileID: "Chatter/A.swift")
    log.level = .off
    log.critical("e", fileID: "Other/A.swift")
    await log.finish()
    let bodies = transport.records.compactMap {
      $0.firstMatch(of: /"body":{"stringValue":"(.)"/)?.1
    }
    #expect(bodies == ["b", "c"])
  }
}

@Suite(.quiet) struct `OTLP log delivery` {
  private let folder = TemporaryFolder()

  @Test func `an OTLPLog set as Log.instance delivers its records at AmbientScope.shutdown`()
    async throws
  {
    let server = try LoopbackServer(always: .answer(200, body: "{}"))
    let reports = Reports()
    await AmbientScope.isolated {
      Diagnostics.instance = reports
      let made = try? OTLPLog(
        queue: EventQueue(folder: folder.path("queue"), .small), level: .info,
        options: .test(.base(server.url)))
      guard let log = made else { return }
      Log.instance = log
      Log.info("one")
      Log.debug("two")
      Log.error("three")
      await AmbientScope.shutdown(within: Patience.long)
      #expect(log.status.delivered == 2)
      Log.info("too late")
      #expect(log.lostRecords == 1)
      #expect(log.status.lost == ["the queue was closed": 1])
    }
    #expect(reports.all.count { $0.kind == .undelivered } == 1)
    // One or several: on a busy machine the first record may go out before the second comes.
    #expect(Set(server.requests.map(\.target)) == ["/v1/logs"])
  }

  @Test func `after the next start, undelivered OTLP log records are sent unchanged`()
    async throws
  {
    let refusing = ScriptedTransport { _, _ in .failure(.unknown, "the line is dead") }
    let first = try OTLPSender.log.make(folder, transport: refusing, upload: .prompt)
    first.send("kept")
    await first.finish()
    #expect(first.status.waiting == 1)
    let transport = ScriptedTransport([])
    let second = try OTLPSender.log.make(folder, transport: transport)
    await second.finish()
    #expect(second.status.delivered == 1)
    #expect(transport.records == Array(refusing.records.prefix(1)))
  }

  @Test func `log records that an OTLPLog's own delivery writes aren't queued`()
    async throws
  {
    /// Logs what it carries, and fails every other time.
    struct TalkativeTransport: HTTPTransport {
      let inner: ScriptedTransport
      let log: @Sendable () -> OTLPLog?

      func exchange(
        _ request: OutgoingRequest, _ limits: ExchangeLimits
      ) async throws(TransportError) -> HTTPAnswer {
        log()?.trace("\(request)")
        Log.trace("\(request)")
        return try await inner.exchange(request, limits)
      }
    }
    let made = Guarded<OTLPLog?>(nil)
    let inner = ScriptedTransport { number, _ in .answer(number.isMultiple(of: 2) ? 503 : 200) }
    let transport = TalkativeTransport(inner: inner) { made.withLock { $0 } }
    try await Diagnostics.withInstance(
      .calling { report in made.withLock { $0 }?.trace("\(report)") }
    ) {
      let log = try OTLPLog(
        queue: EventQueue(folder: folder.path("queue"), .small), level: .trace,
        options: .test(), upload: .prompt, transport: transport)
      made.withLock { $0 = log }
      await Log.withInstance(log) {
        for round in 1...3 {
          Log.trace("round \(round)")
          #expect(await log.isEmptiedAfterFlush())
        }
      }
      await log.finish()
      #expect(log.status.delivered == 3)
      #expect(inner.exchanges.count == 6)
    }
    made.withLock { $0 = nil }
  }

  @Test func `log records that an OTLPLog's own delivery writes go to standard error`() async throws
  {
    let result = try await #require(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) {
      let transport = ScriptedTransport { _, _ in
        Log.trace("on its way")
        return .answer(200)
      }
      let folder = TemporaryFolder()
      defer { withExtendedLifetime(folder) {} }
      let log = try OTLPLog(
        queue: EventQueue(folder: folder.path("queue"), .small), level: .trace, options: .test(),
        transport: transport)
      Log.instance = log
      Log.info("sent")
      await AmbientScope.shutdown(within: Patience.long)
      #expect(log.status.delivered == 1)
    }
    let errors = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(errors.components(separatedBy: "on its way").count == 2, "\(errors)")
    #expect(!errors.contains("sent"), "\(errors)")
  }

  @Test func `OTLPLog records wait for consent, and are dropped if consent is denied`() async throws
  {
    let consent = Consent()
    let transport = ScriptedTransport([])
    let log = try OTLPLog(
      queue: EventQueue(folder: folder.path("queue"), consent: consent), level: .info,
      options: .test(), upload: .prompt, transport: transport)
    log.info("a")
    log.flush()
    #expect(log.status.waiting == 1)
    consent.set(.granted, for: .analytics)
    #expect(await log.isEmptied())
    #expect(log.status.delivered == 1)
    consent.set(.denied, for: .analytics)
    log.info("b")
    await log.finish()
    #expect(log.status.withheld == 1)
    #expect(transport.records.count == 1)
    #expect(log.lostRecords == 0)
  }

  @Test func `an OTLPLog's queue can't be shared with another collector`() throws {
    let queue = try EventQueue(folder: folder.path("queue"), .small)
    let log = try OTLPLog(queue: queue, options: .test(), transport: ScriptedTransport([]))
    #expect(throws: CollectorError.self) {
      try OTLPAnalytics(queue: queue, options: .test(), transport: ScriptedTransport([]))
    }
    #expect(log.queue.folder == queue.folder)
  }
}
