import Foundation
import TestSupport
import Testing

@testable import ambient_demo

@Suite struct `The destinations of events` {
  private let demo = Demo()

  private func target(
    _ address: String, at service: DeliveryTarget.Service = .http
  ) throws -> DeliveryTarget {
    try DeliveryTarget(service, address, of: ServiceOptions.analytics)
  }

  @Test(arguments: [
    ("none --analytics stdout", "none means that events go nowhere; leave it out, or the others\n"),
    ("stdout --analytics stdout", "“stdout” is named twice; name it once\n"),
    ("file:a --analytics file:a", "“file:a” is named twice; name it once\n"),
    (
      "http://a.example --analytics http:HTTP://me:secret@A.example:80/",
      "“http://A.example:80/” is named twice; name it once\n"
    ),
    (
      "http:a.example/x", "cannot send to “a.example/x”: it does not begin with https:// or http://"
    ),
    ("http:ftp://secret@a.example/", "cannot send to “ftp://…@a.example/”: it does not begin with"),
    ("http:///x?secret", "cannot send to “http:///x”: it names no host"),
    (
      "http://a.example/#secret",
      "cannot send to “http://a.example/”: its fragment (#…) is never sent"
    ),
    ("http://a.example:99999/", "cannot send to “http://a.example:99999/”: there is no such port"),
    ("google:secret", "the setting “measurementID” is wrong: it is not a measurement id; one is"),
    (
      "adobe:secret@http://a.example",
      "the setting “datastreamID” is wrong: it is not a datastream id; one is a UUID"
    ),
    ("otlp:a.example", "cannot send to “a.example”: it does not begin with"),
    ("google:G-12345ABCDE@a.example", "cannot send to “a.example”: it does not begin with"),
    (
      "google:G-12345ABCDE --analytics google:G-12345ABCDE",
      "“google:G-12345ABCDE” is named twice; name it once\n"
    ),
  ])
  func `that cannot be are explained without their secrets, status 64`(
    words: String, text: String
  ) async throws {
    let outcome = try await demo(line: "products --log none --queue q --analytics \(words)")
    #expect(outcome.status == 64)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.hasPrefix("ambient-demo: --analytics: \(text)"), "\(outcome.errors)")
    #expect(!outcome.errors.contains("secret"))
    #expect(!FileManager.default.fileExists(atPath: demo.folder.path("q")))
  }

  @Test(arguments: [
    ("stduot", "“stduot”; did you mean “stdout”?"), ("file:", "“file:”; did you mean “file:PATH”?"),
    ("http:", "“http:”; did you mean “http:URL”?"),
    ("gogle:G-1234", "“gogle:G-1234”; did you mean “google:ID[@URL]”?"),
    (
      "ftp://me:secret@a/",
      "“ftp…”; valid are none, stdout, file:PATH, http:URL, google:ID[@URL], adobe:ID[@URL], otlp:URL"
    ),
  ])
  func `that are none are explained, status 64`(word: String, text: String) async throws {
    let outcome = try await demo(line: "products --analytics \(word)")
    #expect(outcome.status == 64)
    #expect(
      outcome.errors == """
        ambient-demo: --analytics cannot be \(text)
        See ambient-demo products --help.

        """)
  }

  @Test(arguments: ["", " --analytics none", " --analytics stdout --analytics file:a"])
  func `have a queue only if one is a server, status 64`(analytics: String) async throws {
    let outcome = try await demo(line: "products --queue q\(analytics)")
    #expect(outcome.status == 64)
    #expect(
      outcome.errors == """
        ambient-demo: --queue: only what is sent to a server waits in a queue; name one with \
        --analytics or --log, too
        See ambient-demo products --help.

        """)
  }

  @Test(arguments: [
    ("topsecret", "line 1 has no colon; write one field a line, as X-Key: secret\n"),
    ("A: 1\n\na: topsecret", "line 3 names a field for the second time; name it once\n"),
    ("Bad Name: topsecret", "cannot send the header field “Bad…”: a name has letters, digits"),
    ("Host: topsecret", "cannot send the header field “Host”: it is the connection's own"),
  ])
  func `are sent no header fields that cannot be, status 1`(
    fields: String, text: String
  ) async throws {
    let outcome = try await demo(
      ["products", "--analytics", "http://127.0.0.1:1/", "--queue", "q"],
      environment: ["AMBIENT_HTTP_HEADERS": fields])
    #expect(outcome.status == 1)
    #expect(outcome.output.isEmpty)
    #expect(
      outcome.errors.hasPrefix("ambient-demo: AMBIENT_HTTP_HEADERS: \(text)"), "\(outcome.errors)")
    #expect(!outcome.errors.contains("topsecret"))
    #expect(!FileManager.default.fileExists(atPath: demo.folder.path("q")))
  }

  @Test(arguments: [
    ([:], "AMBIENT_GOOGLE_SECRET: it is not set; put the API secret of the stream there\n"),
    (
      ["AMBIENT_GOOGLE_SECRET": ""],
      "AMBIENT_GOOGLE_SECRET: the setting “apiSecret” is wrong: it is empty; make one in Admin"
    ),
    (
      ["AMBIENT_GOOGLE_SECRET": "tops\nsecret"],
      "AMBIENT_GOOGLE_SECRET: the setting “apiSecret” is wrong: it has a newline as its character 5"
    ),
    (
      ["AMBIENT_ADOBE_API_KEY": "tops"],
      "AMBIENT_ADOBE_TOKEN: it is not set; put what the other two belong to there\n"
    ),
    (
      [
        "AMBIENT_ADOBE_TOKEN": "tops", "AMBIENT_ADOBE_API_KEY": "k",
        "AMBIENT_ADOBE_ORGANIZATION": "tops\n",
      ],
      "AMBIENT_ADOBE_ORGANIZATION: the setting “organization” is wrong: it has a newline at its end"
    ),
    (
      [
        "AMBIENT_ADOBE_TOKEN": "tops", "AMBIENT_ADOBE_API_KEY": "tops\n",
        "AMBIENT_ADOBE_ORGANIZATION": "o",
      ],
      "AMBIENT_ADOBE_API_KEY: the setting “apiKey” is wrong: it has a newline at its end"
    ),
    (
      [
        "AMBIENT_ADOBE_TOKEN": "Bearer tops", "AMBIENT_ADOBE_API_KEY": "k",
        "AMBIENT_ADOBE_ORGANIZATION": "o",
      ],
      "AMBIENT_ADOBE_TOKEN: the setting “token” is wrong: it begins with the word Bearer"
    ),
    (
      ["OTEL_EXPORTER_OTLP_HEADERS": "tops"],
      """
      the setting “OTEL_EXPORTER_OTLP_HEADERS” is wrong: its part 1 is not name=value; write \
      name=value,name2=value2
      """
    ),
  ])
  func `are sent nothing without their secrets, or with what is none, status 1`(
    environment: [String: String], text: String
  ) async throws {
    let service =
      text.hasPrefix("AMBIENT_GOOGLE")
      ? "google:G-12345ABCDE@"
      : text.hasPrefix("AMBIENT") ? "adobe:0123abcd-0123-4567-89ab-0123456789ab@" : "otlp:"
    let outcome = try await demo(
      ["products", "--analytics", "\(service)http://127.0.0.1:1/", "--queue", "q"],
      environment: environment)
    #expect(outcome.status == 1)
    #expect(outcome.errors.hasPrefix("ambient-demo: \(text)"), "\(outcome.errors)")
    #expect(!outcome.errors.contains("tops"))
    #expect(!FileManager.default.fileExists(atPath: demo.folder.path("q")))
  }

  @Test func `that cannot be are said before the log's queue is opened, status 64`() async throws {
    let outcome = try await demo(
      line: "products --log otlp:http://127.0.0.1:1/ --analytics otlp:a.example --queue q")
    #expect(outcome.status == 64)
    #expect(!FileManager.default.fileExists(atPath: demo.folder.path("q")))
  }

  @Test func `explain a folder of queues that cannot be, status 1`() async throws {
    try demo.folder.write("a file", to: "q")
    let outcome = try await demo(line: "products --analytics http://127.0.0.1:1/ --queue q")
    #expect(outcome.status == 1)
    #expect(outcome.errors.hasPrefix("ambient-demo: cannot make a queue in “q/127-0-0-1-1-"))
  }

  @Test func `have names that are the same in each run and tell no secret`() throws {
    let name = try target("https://events.example/in?key=topsecret").folderName
    #expect(name == "events-example-443-23331e5b")
    #expect(try target("HTTPS://u:p@Events.example:443/in?key=topsecret").folderName == name)
    #expect(try target("https://events.example/in?key=other").folderName != name)
    #expect(try target("http://events.example/in?key=topsecret").folderName != name)
    let encoded = try target("https://a.example/?k=%41").folderName
    #expect(try target("https://a.example/?k=A").folderName != encoded)
    #expect(try target("http://a.example").folderName == target("http://a.example/").folderName)
    #expect(try target("http://[::1]:8080/").folderName.hasPrefix("--1-8080-"))
    let stream = try target("G-12345ABCDE", at: .google)
    #expect(stream.folderName == "google-G-12345ABCDE-d5b8c282")
    let proxied = try target("G-12345ABCDE@https://ada:pass@a.example/mp?k=topsecret", at: .google)
    #expect(proxied.folderName.hasPrefix("google-G-12345ABCDE-a-example-443-"))
    #expect(proxied.shown == "google:G-12345ABCDE@https://a.example/mp")
    #expect(proxied != stream)
    #expect(throws: UsageError.self) { try target("G-12345ABCDE@", at: .google) }
    // A hundred characters of what is sent where, a dash and eight digits.
    let long = Array(repeating: "abc", count: 40).joined(separator: ".")
    let cut = try target("http://\(long)/").folderName
    #expect(cut.count == 109)
    #expect(cut.hasPrefix(long.replacing(".", with: "-").prefix(100) + "-"))
  }

  @Test(
    arguments: [
      (.otlp, "http://a.example", "otlp:http://a.example/v1/logs"),
      (.otlp, "http://me:secret@a.example/?k=v", "otlp:http://a.example/v1/logs"),
      (.otlp, "http://a.example/v1/logs", "otlp:http://a.example/v1/logs"),
      (.google, "G-12345ABCDE@http://a.example", "google:G-12345ABCDE@http://a.example/mp/collect"),
      (.google, "G-12345ABCDE@http://a.example/x", "google:G-12345ABCDE@http://a.example/x"),
      (
        .adobe, "0123abcd-0123-4567-89ab-0123456789ab@http://a.example/",
        "adobe:0123abcd-0123-4567-89ab-0123456789ab@http://a.example/ee/v2/collect"
      ),
    ] as [(DeliveryTarget.Service, String, String)])
  func `are shown with the path that is used, and are the same with it and without`(
    service: DeliveryTarget.Service, words: String, shown: String
  ) throws {
    let one = try target(words, at: service)
    #expect(one.shown == shown)
    let rest = String(shown.dropFirst("\(service):".count))
    #expect(try target(rest, at: service).shown == shown)
    #expect(try words.contains("?") || target(rest, at: service) == one)
  }
}
