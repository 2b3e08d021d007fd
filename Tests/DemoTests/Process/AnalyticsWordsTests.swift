// SPDX-License-Identifier: Apache-2.0

import AmbientCollectors
import Foundation
import TestSupport
import Testing

@testable import ambient_demo

@Suite struct `Event destinations` {
  private let folder = TemporaryFolder()

  private func target(
    _ address: String, at service: DeliveryTarget.Service = .http
  ) throws -> DeliveryTarget {
    try DeliveryTarget(service, address, of: ServiceOptions.analytics)
  }

  /// Prepares a command, which must fail before it makes a queue.
  private func fail(_ words: String) -> UsageError? {
    let queue = folder.path("q")
    let error = #expect(throws: UsageError.self) {
      try AmbientDemo.program.prepare("products --queue \(queue) \(words)")
    }
    #expect(!FileManager.default.fileExists(atPath: queue))
    return error
  }

  @Test(arguments: [
    ("none --analytics stdout", "none"), ("stdout --analytics stdout", "“stdout”"),
    ("file:a --analytics file:a", "“file:a”"),
    ("http://a.example --analytics http:HTTP://me:secret@A.example:80/", "“http://A.example:80/”"),
    ("http:a.example/x", "“a.example/x”"),
    ("http:ftp://secret@a.example/", "“ftp://…@a.example/”"),
    ("http:///x?secret", "“http:///x”"), ("http://a.example/#secret", "“http://a.example/”"),
    ("http://a.example:99999/", "“http://a.example:99999/”"),
    ("google:secret", "“measurementID”"),
    ("adobe:secret@http://a.example", "“datastreamID”"), ("otlp:a.example", "“a.example”"),
    ("google:G-12345ABCDE@a.example", "“a.example”"),
    ("google:G-12345ABCDE --analytics google:G-12345ABCDE", "“google:G-12345ABCDE”"),
    ("otlp:a.example --log otlp:http://127.0.0.1:1/", "“a.example”"),
  ])
  func `an invalid event destination is reported without its secrets`(words: String, value: String)
    throws
  {
    let error = try #require(fail("--analytics \(words)"))
    #expect(error.option == "--analytics")
    #expect("\(error)".contains(value) && !"\(error)".contains("secret"))
  }

  @Test(arguments: [
    ("stduot", "stdout"), ("file:", "file:PATH"), ("http:", "http:URL"),
    ("gogle:G-1234", "google:ID[@URL]"), ("ftp://me:secret@a/", nil),
  ])
  func `an unknown event destination is reported with a suggestion`(word: String, nearest: String?)
  {
    let error = fail("--analytics \(word)")
    #expect(error?.option == "--analytics" && error?.nearest == nearest)
    #expect(error.map { !"\($0)".contains("secret") } == true)
  }

  @Test(arguments: ["", "--analytics none", "--analytics stdout --analytics file:a"])
  func `the --queue option is refused if no destination is a server`(analytics: String) {
    #expect(fail(analytics)?.option == "--queue")
  }

  @Test(arguments: [
    ("topsecret", "line 1"), ("A: 1\n\na: topsecret", "line 3"),
    ("Bad Name: topsecret", "“Bad…”"), ("Host: topsecret", "“Host”"),
  ])
  func `an invalid HTTP header field is refused without showing its value`(
    fields: String, part: String
  ) throws {
    let error = try #require(throws: CollectorSecretError.self) {
      try target("http://127.0.0.1:1/").analytics(["AMBIENT_HTTP_HEADERS": fields])
    }
    #expect(error.variable == "AMBIENT_HTTP_HEADERS" && error.reason.contains(part))
    #expect(!error.reason.contains("topsecret"))
  }

  @Test(
    arguments: [
      (.google, "AMBIENT_GOOGLE_SECRET", [:]),
      (.google, "AMBIENT_GOOGLE_SECRET", ["AMBIENT_GOOGLE_SECRET": ""]),
      (.google, "AMBIENT_GOOGLE_SECRET", ["AMBIENT_GOOGLE_SECRET": "tops\nsecret"]),
      (.adobe, "AMBIENT_ADOBE_TOKEN", ["AMBIENT_ADOBE_API_KEY": "tops"]),
      (
        .adobe, "AMBIENT_ADOBE_ORGANIZATION",
        [
          "AMBIENT_ADOBE_TOKEN": "tops", "AMBIENT_ADOBE_API_KEY": "k",
          "AMBIENT_ADOBE_ORGANIZATION": "tops\n",
        ]
      ),
      (
        .adobe, "AMBIENT_ADOBE_API_KEY",
        [
          "AMBIENT_ADOBE_TOKEN": "tops", "AMBIENT_ADOBE_API_KEY": "tops\n",
          "AMBIENT_ADOBE_ORGANIZATION": "o",
        ]
      ),
      (
        .adobe, "AMBIENT_ADOBE_TOKEN",
        [
          "AMBIENT_ADOBE_TOKEN": "Bearer tops", "AMBIENT_ADOBE_API_KEY": "k",
          "AMBIENT_ADOBE_ORGANIZATION": "o",
        ]
      ),
    ] as [(DeliveryTarget.Service, String, [String: String])])
  func `the error about a missing or invalid secret names the secret's environment variable`(
    service: DeliveryTarget.Service, variable: String, environment: [String: String]
  ) throws {
    let id = service == .google ? "G-12345ABCDE" : "0123abcd-0123-4567-89ab-0123456789ab"
    let error = try #require(throws: CollectorSecretError.self) {
      try target("\(id)@http://127.0.0.1:1/", at: service).analytics(environment)
    }
    #expect(error.variable == variable)
    #expect(!error.reason.contains("tops"))
  }

  @Test func `invalid OpenTelemetry settings are reported without their values`() throws {
    let error = try #require(throws: CollectorError.self) {
      try target("http://127.0.0.1:1/", at: .otlp).analytics(["OTEL_EXPORTER_OTLP_HEADERS": "tops"])
    }
    #expect("\(error)".contains("“OTEL_EXPORTER_OTLP_HEADERS”") && !"\(error)".contains("tops"))
  }

  @Test func `an invalid HTTP header field is reported before the queue folder is created`()
    async throws
  {
    let demo = Demo()
    let outcome = try await demo(
      line: "products --log none --queue q --analytics http://127.0.0.1:1/",
      environment: ["AMBIENT_HTTP_HEADERS": "topsecret"])
    #expect(outcome.isFailure(about: "AMBIENT_HTTP_HEADERS"))
    #expect(!FileManager.default.fileExists(atPath: demo.folder.path("q")))
    try demo.folder.write("a file", to: "q")
    let taken = try await demo(
      line: "products --log none --queue q --analytics http://127.0.0.1:1/")
    #expect(taken.isFailure(about: "“q/127-0-0-1-1-"))
  }

  @Test func `an event destination's folder name is stable and hides secrets`() throws {
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
    // A hundred characters of the address, a dash and eight digits.
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
  func `an event destination is shown with the URL path that requests use`(
    service: DeliveryTarget.Service, words: String, shown: String
  ) throws {
    let one = try target(words, at: service)
    #expect(one.shown == shown)
    let rest = String(shown.dropFirst("\(service):".count))
    #expect(try target(rest, at: service).shown == shown)
    #expect(try words.contains("?") || target(rest, at: service) == one)
  }
}
