// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientCollectors
import AmbientTesting
import Foundation
import TestSupport
import Testing

@Suite(.frozen(at: "2026-11-27T05:00:00Z"), .quiet) struct `Invalid OTLP input` {
  private let folder = TemporaryFolder()
  private let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
  private let span = "00f067aa0ba902b7"

  private func broken(_ event: Event, _ options: OTLPOptions = .test()) -> [String] {
    EventValidator.otlp(options).problems(in: [event]).map { "\($0.rule) \($0.field)" }
  }

  @Test(arguments: [
    CollectorEndpoint<OTLPOptions>.base(""), .base("collector:4318"), .base("ftp://c"),
    .exact("http://"),
    .base("http://c/#part"), .exact("http://c:0"), .base("http://a b"), .base("http://c\n"),
  ])
  func `an invalid OTLP endpoint throws an invalidSetting error`(
    endpoint: CollectorEndpoint<OTLPOptions>
  ) throws {
    for sender in OTLPSender.allCases {
      let error = try #require(throws: CollectorError.self) {
        try sender.make(folder, .test(endpoint))
      }
      #expect(error.code == .invalidSetting && error.setting == nil, "\(error)")
    }
  }

  @Test(arguments: [
    ("X-Key", "s3cret\r\nInjected: 1"), ("X Key", "s3cret"), ("", "s3cret"),
    ("Content-Length", "s3cret"), ("X-Key", "s3cret\u{0}"),
  ])
  func `an invalid OTLP header field throws an error that hides the field's value`(
    name: String, value: String
  ) throws {
    for sender in OTLPSender.allCases {
      let error = try #require(throws: CollectorError.self) {
        try sender.make(folder, .test(headers: [name: value]))
      }
      #expect(!"\(error)".contains("s3cret"))
      #expect(error.code == .invalidSetting && error.setting == nil, "\(error)")
    }
  }

  @Test func `a negative timeout in OTLPOptions throws an error`() throws {
    var options = OTLPOptions.test()
    options.timeout = .milliseconds(-1)
    for sender in OTLPSender.allCases {
      let error = try #require(throws: CollectorError.self) { try sender.make(folder, options) }
      #expect(error.code == .invalidSetting && error.setting == "timeout", "\(error)")
    }
  }

  @Test func `a user with an empty ID is sent over OTLP with the traits and without the ID`()
    async throws
  {
    let event = Event("a", user: AnalyticsUser("", ["plan": "free"]))
    #expect(broken(event) == ["identity-malformed user.id"])
    let record = try #require(try await records(of: [event]).first)
    #expect(!record.contains(#""user.id""#))
    #expect(record.contains(#"{"key":"user.plan","value":{"stringValue":"free"}}"#))
  }

  @Test(arguments: OTLPSender.allCases)
  func `an event is refused if its OTLP request would have 4,000,000 bytes or more`(
    sender: OTLPSender
  ) async throws {
    let transport = ScriptedTransport([])
    let sending = try sender.make(
      folder, journal: EventQueue.Options(), transport: transport,
      upload: UploadOptions().with { $0.interval = .zero })
    func send(_ count: Int) async {
      sending.send("a", ["text": String(repeating: "x", count: count)])
      #expect(await sending.isEmptied())
    }
    await send(1)
    let size = try #require(transport.bodies.first).utf8.count
    await send(4_000_000 - size)
    #expect(transport.bodies.last?.utf8.count == 3_999_999)
    await send(4_000_001 - size)
    #expect(sending.status.delivered == 2)
    #expect(sending.status.lost == ["event: expected fewer than 4000000 bytes": 1])
    await sending.finish()
  }

  @Test func `an event whose list becomes too large in OTLP encoding isn't sent`() async throws {
    let event = Event("a", ["list": Array(repeating: 1, count: 250_000).ambientValue])
    #expect(broken(event) == ["too-large event"])
    #expect(try await records(of: [event]) == [])
  }

  @Test func `an event without a name isn't sent over OTLP`() async throws {
    #expect(broken(Event("")) == ["name-malformed event"])
    #expect(try await records(of: [Event("")]) == [])
  }

  @Test func `properties and traits with an empty or reserved name are left out of OTLP records`()
    async throws
  {
    let user = AnalyticsUser("ada", ["id": "other", "user.id": "another"])
    let event = Event("a", ["": 1, "user.id": "x", "log.record.uid": "y", "ok": 2], user: user)
    #expect(
      broken(event) == [
        "name-taken user.traits.id", "name-taken user.traits.user.id",
        "name-malformed properties.", "name-taken properties.user.id",
        "name-taken properties.log.record.uid",
      ])
    let record = try #require(try await records(of: [event]).first)
    #expect(record.components(separatedBy: #""user.id""#).count == 2)
    #expect(record.contains(#"{"key":"user.id","value":{"stringValue":"ada"}}"#))
    #expect(record.contains(#"{"key":"ok","value":{"intValue":"2"}}"#))
  }

  @Test(arguments: [
    "", "00", "00-TRACE-SPAN", "00-TRACE-SPAN-01-", "00-TRACE-SPAN-01-x", "00-TRACE-SPAN-1",
    "ff-TRACE-SPAN-01", "0-TRACE-SPAN-01", "00-SPAN-TRACE-01", " 00-TRACE-SPAN-01",
    "00-00000000000000000000000000000000-SPAN-01", "00-TRACE-0000000000000000-01",
    "00-4BF92F3577B34DA6A3CE929D0E0E4736-SPAN-01", "00-TRACE-SPAN-0g", "0x-TRACE-SPAN-01",
    "00-TRACE-SPAN-é1",
  ])
  func `a malformed traceparent is reported and sent as an ordinary attribute`(
    form: String
  ) async throws {
    let text = form.replacing("TRACE", with: trace).replacing("SPAN", with: span)
    #expect(broken(Event("a", ["traceparent": text])) == ["trace-malformed properties.traceparent"])
    let reports = Reports()
    for sender in OTLPSender.allCases {
      let transport = ScriptedTransport([])
      let folder = TemporaryFolder()
      defer { withExtendedLifetime(folder) {} }
      let sending = try sender.make(
        folder, transport: transport, reports: reports)
      sending.send("a", ["traceparent": text])
      await sending.finish()
      #expect(sending.amendments == ["trace-malformed": 1])
      let record = try #require(transport.records.first)
      #expect(!record.contains("traceId") && !record.contains("spanId"))
      #expect(!record.contains("flags"))
      #expect(record.contains(#"{"key":"traceparent","value":{"stringValue":"\#(text)"}}"#))
    }
    #expect(reports.all.map(\.kind) == [.amended, .amended])
  }

  @Test(arguments: [("00", "ff", 255), ("01", "03-more", 3), ("fe", "00", 0)])
  func `a traceparent with any flags or a version above 00 is accepted`(
    version: String, end: String, flags: Int
  ) async throws {
    let text = "\(version)-\(trace)-\(span)-\(end)"
    #expect(broken(Event("a", ["traceparent": text])) == [])
    let record = try #require(try await records(of: [Event("a", ["traceparent": text])]).first)
    #expect(record.contains(#""flags":\#(flags),"traceId":"\#(trace)","spanId":"\#(span)""#))
  }

  @Test func `a traceparent that isn't text is reported as malformed`() {
    let event = Event("a", ["traceparent": 7])
    #expect(broken(event) == ["trace-malformed properties.traceparent"])
    let problems = EventValidator.otlp(.test()).problems(in: [event])
    #expect(problems.map(\.found) == ["7"] && problems.map(\.effect) == [.kept])
  }

  @Test(arguments: [
    ("00-TRACE-SPAN", "hyphens", "3 "), ("00-TRACE-SPAN-01-x", "hyphens", "5 "),
    ("ff-TRACE-SPAN-01", "version", "“ff”"), ("0-TRACE-SPAN-01", "version", "“0”"),
    ("00-abc-SPAN-01", "trace", "“abc”"), ("00-TRACE-00F067AA0BA902B7-01", "span", "“00F067AA"),
    ("00-TRACE-SPAN-0g", "flags", "“0g”"),
    ("00-TRACE-0000000000000000-01", "span", "“0000000000000000”"),
  ])
  func `the problem for a malformed traceparent names the malformed part`(
    form: String, part: String, found: String
  ) throws {
    let text = form.replacing("TRACE", with: trace).replacing("SPAN", with: span)
    let problem = try #require(
      EventValidator.otlp(.test()).problems(in: [Event("a", ["traceparent": text])]).first)
    #expect(problem.rule == .traceMalformed && problem.demand.contains(part), "\(problem)")
    #expect(problem.found.hasPrefix(found), "\(problem)")
  }

  @Test func `OTLPOptions.attributeLength cuts traits but not the IDs of users and records`()
    async throws
  {
    var options = OTLPOptions.test()
    options.attributeLength = 5
    let user = AnalyticsUser("ada@shop.example", ["plan": "monthly"])
    let event = Event("a", user: user)
    #expect(broken(event, options) == ["text-too-long user.traits.plan"])
    let record = try #require(try await records(of: [event], options).first)
    #expect(record.contains(#"{"key":"log.record.uid","value":{"stringValue":"ID"}}"#))
    #expect(record.contains(#"{"key":"user.id","value":{"stringValue":"ada@shop.example"}}"#))
    #expect(record.contains(#"{"key":"user.plan","value":{"stringValue":"month"}}"#))
    let logged = try await records(options) { $0.info("x") }
    #expect(logged.first?.contains(#""log.record.uid","value":{"stringValue":"ID"}"#) == true)
    let device = try TrackedEvent(
      json: #"{"id":"01A1F9E6-9280-7D9C-A6FC-EDF527C19B83","time":"2026-11-27T05:00:00.000Z","#
        + #""event":"a","anonymous_id":"anonymous-1","properties":{}}"#)
    #expect(device.anonymousID == "anonymous-1")
    #expect(EventValidator.otlp(options).problems(in: [device]) == [])
  }

  @Test func `with attribute limits, excess OTLP attributes are left out and long texts are cut`()
    async throws
  {
    var options = OTLPOptions.test()
    options.attributeCount = 3
    options.attributeLength = 36
    let event = Event("a", ["b": String(repeating: "x", count: 37), "c": 1, "d": 2, "e": 3])
    #expect(
      broken(event, options) == [
        "text-too-long properties.b", "too-many properties.d", "too-many properties.e",
      ])
    let record = try #require(try await records(of: [event], options).first)
    #expect(record.hasSuffix(#"{"key":"c","value":{"intValue":"1"}}],"droppedAttributesCount":2}"#))
    options.policy = .strict
    #expect(try await records(of: [event, Event("good")], options).count == 1)
    let logged = try await records(options) { log in
      log.info("x", ["b": 1])
      log.info("x")
    }
    #expect(logged == [])
  }

  @Test func `the EventProblem for an exceeded OTLP attribute limit names the limit`() {
    var options = OTLPOptions.test()
    options.attributeCount = 3
    options.attributeLength = 36
    let long = String(repeating: "x", count: 37)
    let event = Event("a", ["b": long, "c": [long].ambientValue, "d": 1, "": 2])
    let problems = EventValidator.otlp(options).problems(in: [event])
    #expect(problems.map(\.field).map { $0.dropFirst("properties.".count) } == ["b", "c", "d", ""])
    #expect(problems.map { $0.demand.numbers } == [[36], [36], [3], []])
    #expect(problems.first?.found == "“\(long)”")
  }

  @Test func `a negative OTLP attribute limit counts as zero`() async throws {
    var options = OTLPOptions.test()
    options.attributeLength = -1
    let event = Event("a", ["b": "text", "c": 1])
    #expect(broken(event, options) == ["text-too-long properties.b"])
    let record = try #require(try await records(of: [event], options).first)
    #expect(record.contains(#"{"key":"b","value":{"stringValue":""}},{"key":"c""#), "\(record)")
    options.attributeCount = -1
    #expect(
      broken(event, options) == [
        "too-many event.log.record.uid", "too-many properties.b", "too-many properties.c",
      ])
    let empty = try #require(try await records(of: [event], options).first)
    #expect(empty.hasSuffix(#""eventName":"a","droppedAttributesCount":3}"#), "\(empty)")
  }

  @Test(arguments: [
    ("1970-01-01T00:00:00Z", false), ("1970-01-01T00:00:00.001Z", true),
    ("2554-07-21T23:34:33Z", true), ("2554-07-21T23:34:34Z", false),
  ])
  func `an event time that doesn't fit OTLP's 64-bit nanoseconds is reported as unreadable`(
    time: String, isTime: Bool
  ) throws {
    let event = try TrackedEvent(Event("a"), at: time)
    let rules = EventValidator.otlp(.test()).problems(in: [event]).map(\.rule)
    #expect(rules == (isTime ? [] : [.unreadable]))
  }

  @Test func `an event dated before 1970 is sent over OTLP without its time`() async throws {
    let event = try TrackedEvent(Event("old"), at: "1969-12-31T23:59:59Z")
    let problems = EventValidator.otlp().problems(in: [event])
    #expect(problems.map { "\($0.rule) \($0.field)" } == ["unreadable time"])
    #expect(problems.map(\.demand.numbers) == [[1970, 2554]])
    #expect(problems.map(\.found) == ["1969-12-31T23:59:59.000Z"])
    #expect(problems.map(\.effect) == [.leftOut])
    let transport = ScriptedTransport([])
    let analytics = try OTLPAnalytics(
      queue: EventQueue(folder: folder.path("queue")), options: .test(),
      transport: transport)
    analytics.record(event)
    await analytics.finish()
    #expect(
      transport.bodies.first?.contains(
        #""logRecords":[{"observedTimeUnixNano":"1795755600000000000","severityNumber":9,"#) == true
    )
  }
}
