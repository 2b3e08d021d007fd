// SPDX-License-Identifier: Apache-2.0

import Ambient
import TestSupport
import Testing

@testable import AmbientCollectors

@Suite struct `Collector setting errors` {
  private let folder = TemporaryFolder()

  private func queue() throws -> EventQueue { try EventQueue(folder: folder.path("q"), .small) }

  private func message(_ make: () throws -> Void) throws -> String {
    "\(try #require(throws: CollectorError.self) { try make() })"
  }

  @Test(arguments: [
    ("hidden\n", "it has a newline at its end, as from a file; strip it"),
    ("hidden\r\n\n", "it has a newline at its end, as from a file; strip it"),
    ("hidden ", "it has a space at its end, as from a file; strip it"),
    ("\thidden", "it has a tab at its beginning; leave it out"),
    (
      "hid den", "it has a space as its character 4, which no secret has; copy it again"
    ),
    ("hid\nden\n", "it has a newline as its character 4,"),
    ("hid\u{7F}den", "it has a control character as its character 4,"),
    ("hiddén", "it has a character beyond ASCII as its character 5,"),
    ("hid\u{1F}den", "it has a control character as its character 4,"),
    ("hidde\u{80}n", "it has a character beyond ASCII as its character 6,"),
    ("\u{7F}hidden", "it has a control character as its character 1, which no secret has"),
    ("hidden\u{1}", "it has a control character as its character 7, which no secret has"),
    ("", "it is empty; make one in Admin"), ("\n", "it is empty; make one in Admin"),
  ])
  func `an invalid secret's error names the bad character and its position`(
    secret: String, part: String
  ) throws {
    let message = try message {
      _ = try GoogleAnalytics(measurementID: "G-TEST12345", apiSecret: secret, queue: queue())
    }
    #expect(message.hasPrefix("the setting “apiSecret” is wrong: \(part)"), "\(message)")
    #expect(!message.contains("hid"))
  }

  @Test(arguments: ["!", "~", "a", "!~", "hidden"])
  func `a secret of visible ASCII characters is accepted`(
    secret: String
  ) throws {
    try SettingChecks.check(secret: secret, "apiSecret", advice: "make one")
  }

  @Test(arguments: [
    ("UA-123-1", "an id with UA- is of Universal Analytics, which takes nothing any more; one of"),
    ("g-12345abcde", "one has capital letters, as G-12345ABCDE; write it so"),
    ("G-12345abcde", "one has capital letters, as G-12345ABCDE; write it so"),
    ("hidden", "one is as G-12345ABCDE, in Admin, Data streams"),
  ])
  func `an invalid measurement ID's error suggests the right form`(
    id: String, part: String
  ) throws {
    let message = try message {
      _ = try GoogleAnalytics(measurementID: id, apiSecret: "secret", queue: queue())
    }
    #expect(message.contains("“measurementID” is wrong: it is not a measurement id; \(part)"))
    #expect(!message.contains("hid"))
  }

  @Test func `an invalid ID's error describes the expected form`() throws {
    let instance = "0123456789abcdef0123456789abcdef"
    for (app, instance, text) in [
      ("G-TEST12345", instance, "it is not a Firebase app id; one is as 1:1234:android:a1b2c3"),
      ("1:12:ios:a1", "1.2", "it is not an app instance id; one has 32 hexadecimal digits"),
    ] {
      let message = try message {
        _ = try GoogleAnalytics(
          firebaseAppID: app, appInstanceID: instance, apiSecret: "s", queue: queue())
      }
      #expect(message.contains(text), "\(message)")
    }
    let datastream = try message { _ = try AdobeAnalytics(datastreamID: "a", queue: queue()) }
    #expect(datastream.contains("it is not a datastream id; one is a UUID"), "\(datastream)")
    let namespace = try message {
      _ = try AdobeAnalytics(
        datastreamID: AdobeAnalytics.datastreamID, queue: queue(),
        options: AdobeOptions().with { $0.userNamespace = AdobeOptions.UserNamespace("CRM ID") })
    }
    #expect(namespace.contains("“CRM ID” is not a namespace's code"), "\(namespace)")
    let client = try message {
      _ = try GoogleAnalytics(
        measurementID: "G-TEST12345", apiSecret: "s",
        queue: EventQueue(
          folder: folder.path("mine"), EventQueue.Options().with { $0.clientID = "mine" }))
    }
    #expect(client.contains("“mine” is not a client id; one is two positive"), "\(client)")
  }

  @Test(arguments: ["Bearer hidden", "bearer hidden\n", "BEARER  hidden"])
  func `a token that begins with Bearer throws an error`(token: String) throws {
    let message = try message { try AdobeCredentials.check(token: token) }
    #expect(message.contains("“token” is wrong: it begins with the word Bearer"), "\(message)")
    #expect(!message.contains("hid"))
  }
}
