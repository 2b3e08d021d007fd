// SPDX-License-Identifier: Apache-2.0

internal import Ambient
internal import Foundation

/// The destination for Google Analytics 4, which receives events by its Measurement Protocol.
struct GoogleDestination: EventDestination {
  let name: String
  @Secret private(set) var secrets: [String]
  let settingsToCheck: [String]
  let limits = GoogleRules.request
  private let ledger: Amendments
  private let format: GoogleFormat
  private let endpoint: PostTarget

  init(
    _ identity: GoogleIdentity, secret: String, _ options: GoogleOptions
  ) throws(CollectorError) {
    try GoogleIdentity.check(secret: secret)
    try options.check()
    let streamName = identity.stream == .web ? "measurement_id" : "firebase_app_id"
    endpoint = try options.endpoint.checked(
      GoogleOptions.path, headers: ["Content-Type": "application/json"],
      query: ["api_secret": secret, streamName: identity.streamID])
    format = GoogleFormat(stream: identity.stream, client: identity.client, options: options)
    // The stream's id is left out of the secrets, so that reports show it. Each page or app that
    // uses the stream contains the id, so it is not secret.
    secrets = endpoint.secrets.filter { $0.removingPercentEncoding != identity.streamID }
    let stream = identity.stream == .web ? "measurementID" : "firebaseAppID"
    settingsToCheck = [stream, "apiSecret", "endpoint"]
    name = "GoogleAnalytics \(identity.streamID)"
    ledger = Amendments(name)
  }

  var amendments: [String: Int] { ledger.counts }

  func entry(for record: [UInt8], at date: Date, now: Date) throws(EventRefusal) -> EventEntry {
    try format.entry(for: record, now: now, policy: format.options.policy, ledger)
  }

  func overhead(of group: String) -> Int { GoogleGroup(group).overhead }

  func request(_ entries: [[UInt8]], group: String) -> OutgoingRequest {
    var request = OutgoingRequest("POST", endpoint.url, body: GoogleGroup(group).body(entries))
    request.headers = endpoint.headers
    return request
  }

  /// Returns the verdict on an answer. Google answers 2xx to any request and documents no other
  /// status, so no status is about an event.
  func verdict(on answer: HTTPAnswer, now: Date) -> DeliveryVerdict {
    let verdict = DeliveryVerdict.usual(for: answer, now: now).retriedIfUnclear
    if case .refused(let reason, let detail) = verdict {
      return .turnedAway(reason, detail: detail)
    }
    return verdict
  }

  func verdict(on error: TransportError, group: String) -> DeliveryVerdict {
    format.options.unknownOutcome.verdict(
      on: error, isCountedOnce: GoogleGroup(group).isCountedOnce)
  }
}
