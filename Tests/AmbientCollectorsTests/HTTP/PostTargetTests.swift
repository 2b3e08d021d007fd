// SPDX-License-Identifier: Apache-2.0

import Ambient
import Foundation
import TestSupport
import Testing

@testable import AmbientCollectors

@Suite(.quiet) struct `PostTarget URLs` {
  private let folder = TemporaryFolder()

  private func error(
    url: String = "https://events.example/", headers: [String: String] = [:]
  ) throws -> String {
    let queue = try EventQueue(folder: folder.path("q"), .small)
    let error = #expect(throws: CollectorError.self) {
      _ = try HTTPAnalytics(
        url: url, queue: queue, options: HTTPOptions().with { $0.headers = headers })
    }
    return error?.description ?? ""
  }

  @Test(arguments: [
    "", "events.example", "ftp://events.example", "https://", "https:///path",
    "https://a b.example/", "https://a.example/\r\nX: y", "https://a.example:99999/",
    "https://a.example/#part", "https://[::1/",
  ])
  func `a malformed endpoint URL throws an error of one line`(url: String) throws {
    let text = try error(url: url)
    #expect(!text.isEmpty && !text.contains { $0.isNewline }, "\(text)")
  }

  @Test(arguments: [
    (":0", false), (":1", true), (":65535", true), (":65536", false), ("", true),
    ("/%20!~", true), ("/ ", false), ("/\u{7F}", false), ("/a\u{1F}", false),
  ])
  func `an endpoint URL with an invalid port, a space or a control character throws an error`(
    end: String, isTaken: Bool
  ) {
    let target = try? PostTarget(url: "http://a.example\(end)", headers: [:], query: [:])
    #expect((target != nil) == isTaken)
  }

  @Test func `the error for a malformed URL or header shows only the start of a long part`() throws
  {
    func long(_ count: Int) -> String { String(repeating: "a", count: count) }
    let host = try error(url: "http://\(long(200)):99999/")
    #expect(host.contains("“http://\(long(100))/”"), "\(host)")
    let header = try error(headers: [long(50) + " s3cret": "v"])
    #expect(header.contains("“\(long(40))…”"), "\(header)")
    let path = try error(url: "http://a.example:99999/\(String(repeating: "b/", count: 100))")
    #expect(path.contains("99999/\(String(repeating: "b/", count: 49))b”"), "\(path)")
  }

  @Test(arguments: [
    ("http://a.example", "http://a.example/"), ("HTTP://a.example/", "http://a.example/"),
    ("http://a.example?b", "http://a.example/?b&c%20d=e%2B"),
    ("http://a.example/?b=c", "http://a.example/?b=c&c%20d=e%2B"),
  ])
  func `PostTarget adds a missing path and the configured query items to a URL`(
    url: String, sent: String
  )
    throws
  {
    let query = sent.contains("?") ? ["c d": "e+"] : [:]
    let target = try PostTarget(url: url, headers: [:], query: query)
    #expect(target.url.absoluteString == sent)
    let request = target.request(posting: [Array("a".utf8), Array("b".utf8)])
    #expect(String(decoding: request.body, as: UTF8.self) == "a\nb\n")
    #expect(request.method == "POST" && request.url == target.url)
    #expect(target.request(posting: [[UInt8]]()).body == [])
  }

  @Test(arguments: [
    ("X Key", "v"), ("", "v"), ("Schlüssel", "v"), ("X-Key", "a\r\nX-Evil: b"),
    ("X-Key", "a\u{0}b"),
    ("Content-Length", "7"), ("host", "b.example"), ("X\nY", "v"),
  ])
  func `an invalid or reserved header field throws an error`(name: String, value: String) throws {
    let text = try error(headers: [name: value])
    #expect(!text.isEmpty && !text.contains("\n"))
  }

  @Test func `the description of a CollectorEndpoint hides the secrets in the URL`() {
    let address = "https://joe:hunter22@a.example/in?key=hidden"
    var shown = ""
    for endpoint in [
      CollectorEndpoint<OTLPOptions>.base(address), .exact(address),
      .exact("https://joe:hidden@ a.example"),
      .exact("https:/joe:hidden@a.example"), .base("joe:hidden@a.example"),
    ] {
      shown += "\(endpoint)"
      dump(endpoint, to: &shown)
    }
    shown +=
      "\(CollectorEndpoint<GoogleOptions>.url(address)) \(CollectorEndpoint<AdobeOptions>.url(address))"
    dump(CollectorEndpoint<GoogleOptions>.url(address), to: &shown)
    dump(CollectorEndpoint<AdobeOptions>.url(address), to: &shown)
    #expect(shown.contains("https://a.example/in"))
    #expect(!shown.contains("hunter22") && !shown.contains("hidden"), "\(shown)")
  }

  @Test func `a base endpoint that already ends in Adobe's path throws an error`() throws {
    let queue = try EventQueue(folder: folder.path("q"), .small)
    let error = #expect(throws: CollectorError.self) {
      _ = try AdobeAnalytics(
        datastreamID: "0123abcd-0123-4567-89ab-0123456789ab", queue: queue,
        options: AdobeOptions().with {
          $0.endpoint = .base("https://joe:hidden@a.example/ee/v2/collect")
        })
    }
    let text = error?.description ?? ""
    #expect(text.contains("/ee/v2/collect/ee/v2/collect") && text.contains(".exact"), "\(text)")
    #expect(!text.contains("hidden"))
  }

  @Test(arguments: [
    (
      "https://logs.example/inputs/0b1c2d3e-aaaa/tag/http/",
      "https://logs.example/inputs/…/tag/http/"
    ),
    ("https://hooks.example/services/T0AB1/B0/pZq8Rr", "https://hooks.example/services/…/…/…"),
    ("https://[::1]:8443/v1/my-events/t%2Fk%2Fn", "https://[::1]:8443/v1/my-events/…"),
    ("http://[fe80::1]/", "http://[fe80::1]/"),
  ])
  func `parts of a URL's path that look like API keys are hidden in reports and files`(
    url: String, shown: String
  ) async throws {
    let reports = Reports()
    let secrets = try #require(URL(string: url)).path(percentEncoded: true).split(separator: "/")
      .filter { !shown.contains($0) }.map(String.init)
    let said = "no \(secrets) \(secrets.compactMap(\.removingPercentEncoding)) here"
    try await Diagnostics.withInstance(reports) {
      let analytics = try HTTPAnalytics(
        url: url,
        queue: EventQueue(folder: folder.path("q"), .small),
        upload: .atFlush, transport: ScriptedTransport { _, _ in .answer(403, body: said) })
      analytics.track(Event("a"))
      await analytics.finish()
      #expect("\(analytics)" == "HTTPAnalytics \(shown)")
    }
    #expect(try folder.text("q/destination") == "HTTPAnalytics \(shown)\n")
    #expect(reports.all.map(\.source) == ["HTTPAnalytics \(shown)"])
    let error = try error(url: url.replacing(/:\/\/[^\/]+/, with: "://a.example:99999"))
    let all = "\(reports.all) \(folder.texts) \(error)"
    for secret in secrets where secret.count > 3 {
      #expect(!all.contains(secret) && !all.contains(secret.removingPercentEncoding ?? secret))
    }
    #expect(secrets.isEmpty || error.contains("a.example:99999/"))
  }

  @Test func `a header field that is given twice in different capitals throws an error`() throws {
    let text = try error(headers: ["X-Key": "one", "x-key": "two"])
    #expect(text.contains("“X-Key”") || text.contains("“x-key”"), "\(text)")
    #expect(!text.contains("one") && !text.contains("two"))
  }

  @Test func `OTLPOptions refuse duplicate headers and override the headers of the environment`()
    async throws
  {
    let twice = OTLPOptions().with {
      $0.headers = ["X-Key": "one", "x-key": "two"]
      $0.environment = [:]
    }
    #expect(throws: CollectorError.self) { try twice.check() }
    let environment = ["OTEL_EXPORTER_OTLP_HEADERS": "x-key=theirs,x-other=1"]
    let transport = ScriptedTransport([])
    let analytics = try OTLPAnalytics(
      transport, folder,
      OTLPOptions().with {
        $0.headers = ["X-Key": "mine"]
        $0.environment = environment
      })
    analytics.track(Event("a"))
    await analytics.finish()
    let headers = transport.exchanges.first?.request.headers ?? [:]
    #expect(headers["X-Key"] == "mine" && headers["x-key"] == nil && headers["x-other"] == "1")
  }

  @Test func `a custom Authorization header replaces the user and password in the endpoint's URL`()
    async throws
  {
    let transport = ScriptedTransport([])
    let analytics = try HTTPAnalytics(
      url: "http://ada:pw@a.example/", queue: EventQueue(folder: folder.path("q"), .small),
      options: HTTPOptions().with { $0.headers = ["authorization": "Bearer mine"] },
      transport: transport)
    analytics.track(Event("a"))
    await analytics.finish()
    let headers = transport.exchanges.first?.request.headers
    #expect(headers == ["authorization": "Bearer mine", "Content-Type": "application/x-ndjson"])
  }

  @Test(arguments: ["Content-Type", "content-type", "CONTENT-TYPE"])
  func `a custom Content-Type header replaces the default and isn't hidden as a secret`(
    name: String
  ) async throws {
    let type = "application/json; charset=utf-8"
    let transport = ScriptedTransport { _, _ in .answer(403, body: "no \(type) here") }
    let analytics = try HTTPAnalytics(
      url: "http://a.example/", queue: EventQueue(folder: folder.path("q"), .small),
      options: HTTPOptions().with { $0.headers = [name: type] }, transport: transport)
    analytics.track(Event("a"))
    await analytics.finish()
    #expect(transport.exchanges.first?.request.headers == [name: type])
    #expect(
      analytics.status.trouble?.reason
        == "status 403 (no \(type) here); check url, headers and query")
  }

  @Test(arguments: [
    CollectorEndpoint<OTLPOptions>.url("http://ada@a.example"), .base("http://ada@a.example"),
    .exact("http://ada@a.example/v1/logs"),
  ])
  func `the user of an OTLP URL without a password is sent in an Authorization header`(
    endpoint: CollectorEndpoint<OTLPOptions>
  ) async throws {
    let transport = ScriptedTransport([])
    let analytics = try OTLPAnalytics(transport, folder, .test(endpoint))
    analytics.track(Event("a"))
    await analytics.finish()
    let request = try #require(transport.exchanges.first?.request)
    #expect(request.url.absoluteString == "http://a.example/v1/logs")
    #expect(request.headers["Authorization"] == "Basic YWRhOg==")
  }

  @Test func `the user name of a URL without a password is hidden in status as a possible token`()
    async throws
  {
    let transport = ScriptedTransport { _, _ in .answer(403, body: "no t0ken, no dDBrZW46 here") }
    let analytics = try HTTPAnalytics(
      url: "http://t0ken@a.example/", queue: EventQueue(folder: folder.path("q"), .small),
      transport: transport)
    analytics.track(Event("a"))
    await analytics.finish()
    #expect(transport.exchanges.first?.request.headers["Authorization"] == "Basic dDBrZW46")
    #expect(
      analytics.status.trouble?.reason
        == "status 403 (no …, no … here); check url, headers and query")
    #expect("\(analytics)" == "HTTPAnalytics http://a.example/")
  }

  @Test func `errors and OutgoingRequest descriptions show no secrets of a URL or header`() throws {
    let text = try error(url: "https://ada:s3cret@a.example:99999/p?key=k3y")
    #expect(!text.contains("s3cret") && !text.contains("k3y"))
    let header = try error(headers: ["X-Key": "s3cret\n"])
    #expect(!header.contains("s3cret"))
    let request = OutgoingRequest(
      "POST", try #require(URL(string: "https://a.example/p?key=k3y")), body: []
    ).with { $0.headers = ["X": "s3cret"] }
    #expect("\(request)" == "POST https://a.example/p, 0 bytes")
    var dumped = ""
    dump(request, to: &dumped)
    #expect(dumped.contains("https://a.example/p\"") && !dumped.contains("s3cret"), "\(dumped)")
    #expect(!dumped.contains("k3y"))
  }

  @Test(arguments: [
    "https://ada:s3?cret@a.example/p", "https://ada:s3#cret@a.example/p", "ada:s3?cret@a.example",
    "https://ada:s3/cret@a.example:99999/", "https://a.example:99999/?mail=s3@b&key=cret",
    "https://ada:s3@cret@a.example:99999/", "s3:cret@x", "https://a.example:99999/#s3cret",
  ])
  func `the error for an invalid URL hides a password that contains URL delimiters`(url: String)
    throws
  {
    let text = try error(url: url)
    #expect(!text.contains("s3") && !text.contains("cret"), "\(text)")
  }
}

@Suite(.quiet) struct `Property layouts` {
  private let line = Array(
    """
    {"id":"1","event":"buy","user":{"id":"ada","traits":{"plan":"paid"}},"properties":\
    {"value":12.50,"text":"a \\"b\\" {,}","to":{"city":"Rome","zip":[1,{"a":2}]},"empty":""}}
    """.utf8)

  @Test func `PropertyLayout.nested sends an event's JSON line unchanged`() async throws {
    #expect(try await sent(.nested) == String(decoding: line, as: UTF8.self))
  }

  @Test(arguments: ["_", "."])
  func `PropertyLayout.flattened gives each property and trait its own column`(separator: String)
    async throws
  {
    let expected = """
      {"id":"1","event":"buy","user_id":"ada","user_traits_plan":"paid","properties_value":12.50,\
      "properties_text":"a \\"b\\" {,}","properties_to_city":"Rome",\
      "properties_to_zip":[1,{"a":2}],"properties_empty":""}
      """
    let text = try await sent(.flattened(separator))
    #expect(text == (separator == "_" ? expected : text))
    #expect(text.contains("\"properties\(separator)to\(separator)city\":\"Rome\""))
    _ = try JSONSerialization.jsonObject(with: Data(text.utf8))
  }

  @Test func `PropertyLayout.text writes all properties as one JSON string`() async throws {
    let text = try await sent(.text)
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let properties = try #require(object["properties"] as? String)
    let value = try JSONSerialization.jsonObject(with: Data(properties.utf8)) as? [String: Any]
    #expect(value?["text"] as? String == "a \"b\" {,}")
    #expect(object["user"] as? String == #"{"id":"ada","traits":{"plan":"paid"}}"#)
  }

  /// What is sent of the line.
  private func sent(_ layout: PropertyLayout) async throws -> String {
    String(decoding: try #require(layout.line(of: line, Amendments("a"))), as: UTF8.self)
  }

  // In a process of its own: a read beyond the text traps.
  @Test func `the flattened and text property layouts refuse a malformed JSON line`() async {
    await #expect(processExitsWith: .success) {
      endIfHanging()
      for text in [
        "", "{", "{}x", "[1]", #"{"a"}"#, #"{"a":}"#, #"{"a":{"b":1}"#, #"{"a":"b}"#, "}", "x{}",
      ] {
        for layout in [PropertyLayout.flattened("_"), .text] {
          #expect(layout.line(of: Array(text.utf8), Amendments("a")) == nil, "\(text)")
        }
      }
      let empty = Array("{}".utf8)
      #expect(PropertyLayout.text.line(of: empty, Amendments("a")) == empty)
    }
  }
}
