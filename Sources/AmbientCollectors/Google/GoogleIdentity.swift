// SPDX-License-Identifier: Apache-2.0

internal import Ambient
internal import Foundation

/// The stream of a collector, and the client of events that contain no client id. Both are checked
/// once, when the collector is created.
///
/// If the id of a stream or of an app instance is malformed, the error does not show it, because
/// the caller may have passed the secret by mistake. The error shows the id only if white space
/// around it is the sole fault.
package struct GoogleIdentity: Sendable {
  let stream: GoogleStream
  /// The id of the stream, which is sent in the query of each request.
  let streamID: String
  /// The client id for a web stream, or the app instance id for an app stream.
  let client: String

  init(measurementID: String, client: String) throws(CollectorError) {
    try Self.check(measurementID: measurementID)
    guard Self.isClient(client, .web) else {
      throw .invalidSetting(
        name: "clientID",
        reason:
          "\(Self.shown(client)) is not a client id; use two positive numbers separated by a period"
      )
    }
    stream = .web
    streamID = measurementID
    self.client = client
  }

  init(firebaseAppID: String, appInstanceID: String) throws(CollectorError) {
    guard Self.isApp(firebaseAppID) else {
      throw SettingChecks.malformed(
        firebaseAppID, "firebaseAppID", "a Firebase app id", isFitting: Self.isApp,
        "use one such as 1:1234:android:a1b2c3, from the Firebase project's settings")
    }
    guard Self.isClient(appInstanceID, .app) else {
      throw SettingChecks.malformed(
        appInstanceID, "appInstanceID", "an app instance id",
        isFitting: { Self.isClient($0, .app) },
        "use the 32 hexadecimal digits from the app's Firebase SDK")
    }
    stream = .app
    streamID = firebaseAppID
    client = appInstanceID
  }

  /// Returns the name of the request's field that contains the client identifier.
  static func clientName(_ stream: GoogleStream) -> String {
    stream == .web ? "client_id" : "app_instance_id"
  }

  static func isClient(_ text: String, _ stream: GoogleStream) -> Bool {
    switch stream {
    case .web: text.wholeMatch(of: /0*[1-9][0-9]{0,19}\.0*[1-9][0-9]{0,19}/) != nil
    case .app: text.wholeMatch(of: /[0-9A-Fa-f]{32}/) != nil
    }
  }

  /// Derives a client id for web streams from an anonymous identity. The same identity always gets
  /// the same client id.
  static func client(of anonymousID: String) -> String {
    let digest = StableDigest(anonymousID.utf8).high
    return "\(1 + digest >> 33).\(1 + digest & 0x7FFF_FFFF)"
  }

  static func isSession(_ text: String) -> Bool { text.wholeMatch(of: /[0-9]{1,20}/) != nil }

  package static func check(measurementID: String) throws(CollectorError) {
    guard !isMeasurement(measurementID) else { return }
    let advice =
      if measurementID.hasPrefix("UA-") {
        """
        an id with UA- is for Universal Analytics, which no longer accepts events; use the G- id \
        of Google Analytics 4 from Admin, Data streams
        """
      } else if isMeasurement(measurementID.uppercased()) {
        "use capital letters, as in G-12345ABCDE"
      } else {
        "use one such as G-12345ABCDE, from Admin, Data streams"
      }
    throw SettingChecks.malformed(
      measurementID, "measurementID", "a measurement id", isFitting: isMeasurement, advice)
  }

  private static func isMeasurement(_ text: String) -> Bool {
    text.wholeMatch(of: /G-[A-Z0-9]{4,20}/) != nil
  }

  private static func isApp(_ text: String) -> Bool {
    text.wholeMatch(of: /1:[0-9]+:(?:android|ios|web):[0-9a-f]+/) != nil
  }

  /// Checks the form of a secret. The errors never show the secret.
  package static func check(secret: String) throws(CollectorError) {
    try SettingChecks.check(
      secret: secret, "apiSecret", advice: "create one in Admin, Data streams, API secrets")
  }

  private static func shown(_ text: String) -> String { EventProblem.shown(text, quoted: true) }
}
