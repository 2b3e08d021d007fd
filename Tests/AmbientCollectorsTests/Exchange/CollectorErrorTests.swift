// SPDX-License-Identifier: Apache-2.0

import Ambient
import TestSupport
import Testing

@testable import AmbientCollectors

@Suite struct `Errors for collector settings` {
  private let folder = TemporaryFolder()

  private func queue() throws -> EventQueue { try EventQueue(folder: folder.path("q"), .small) }

  private func error(_ make: () throws -> Void) throws -> CollectorError {
    try #require(throws: CollectorError.self) { try make() }
  }

  @Test(
    arguments: [
      ("hidden\n", nil), ("hidden\r\n\n", nil), ("hidden ", nil), ("\thidden", nil),
      ("hid den", 4), ("hid\nden\n", 4), ("hid\u{7F}den", 4), ("hiddén", 5), ("hid\u{1F}den", 4),
      ("hidde\u{80}n", 6), ("\u{7F}hidden", 1), ("hidden\u{1}", 7), ("", nil), ("\n", nil),
    ] as [(String, Int?)])
  func `the error for a secret with an invalid character names the character's position`(
    secret: String, place: Int?
  ) throws {
    let error = try error {
      _ = try GoogleAnalytics(measurementID: "G-TEST12345", apiSecret: secret, queue: queue())
    }
    #expect(error.code == .invalidSetting && error.setting == "apiSecret", "\(error)")
    let number = error.description.split { !$0.isNumber }.first.flatMap { Int($0) }
    #expect(number == place, "\(error)")
    #expect(!error.description.contains("hid"))
  }

  @Test(arguments: ["!", "~", "a", "!~", "hidden"])
  func `an API secret of visible ASCII characters is accepted`(
    secret: String
  ) throws {
    try SettingChecks.check(secret: secret, "apiSecret", advice: "make one")
  }

  @Test(arguments: ["UA-123-1", "g-12345abcde", "G-12345abcde", "hidden"])
  func `the error for a Google measurement ID of the wrong kind doesn't show the ID`(id: String)
    throws
  {
    let error = try error {
      _ = try GoogleAnalytics(measurementID: id, apiSecret: "secret", queue: queue())
    }
    #expect(error.code == .invalidSetting && error.setting == "measurementID", "\(error)")
    #expect(!error.description.contains("hid"))
  }

  @Test func `the error for an invalid collector setting names the setting`() throws {
    let instance = "0123456789abcdef0123456789abcdef"
    for (app, instance, setting) in [
      ("G-TEST12345", instance, "firebaseAppID"), ("1:12:ios:a1", "1.2", "appInstanceID"),
    ] {
      let error = try error {
        _ = try GoogleAnalytics(
          firebaseAppID: app, appInstanceID: instance, apiSecret: "s", queue: queue())
      }
      #expect(error.setting == setting, "\(error)")
    }
    let datastream = try error { _ = try AdobeAnalytics(datastreamID: "a", queue: queue()) }
    #expect(datastream.setting == "datastreamID", "\(datastream)")
    let namespace = try error {
      _ = try AdobeAnalytics(
        datastreamID: AdobeAnalytics.datastreamID, queue: queue(),
        options: AdobeOptions().with { $0.userNamespace = AdobeOptions.UserNamespace("CRM ID") })
    }
    #expect(namespace.setting == "userNamespace", "\(namespace)")
    #expect(namespace.description.contains("“CRM ID”"), "\(namespace)")
    let client = try error {
      _ = try GoogleAnalytics(
        measurementID: "G-TEST12345", apiSecret: "s",
        queue: EventQueue(
          folder: folder.path("mine"), EventQueue.Options().with { $0.clientID = "mine" }))
    }
    #expect(client.setting == "clientID", "\(client)")
    #expect(client.description.contains("“mine”"), "\(client)")
  }

  @Test(arguments: ["Bearer hidden", "bearer hidden\n", "BEARER  hidden"])
  func `a token that begins with Bearer throws an error`(token: String) throws {
    let error = try error { try AdobeCredentials.check(token: token) }
    #expect(error.setting == "token" && error.description.contains("Bearer"), "\(error)")
    #expect(!error.description.contains("hid"))
  }
}
