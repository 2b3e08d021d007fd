// SPDX-License-Identifier: Apache-2.0

internal import Ambient
internal import Foundation

/// The destination for Adobe Edge Network, whose collect endpoint gets the events.
struct AdobeDestination: EventDestination {
  let name: String
  let limits = AdobeRules.request
  private let ledger: Amendments
  private let format: AdobeFormat
  private let endpoint: PostTarget
  @Secret private var fixedSecrets: [String]
  private let credentials: AdobeCredentials?
  private let tokens: AdobeTokens

  init(
    _ datastreamID: String, _ credentials: AdobeCredentials?, client: String,
    _ options: AdobeOptions
  ) throws(CollectorError) {
    try AdobeIdentity.check(datastreamID: datastreamID)
    try credentials?.check()
    try options.check()
    var headers = ["Content-Type": "application/json"]
    if let credentials {
      headers["x-api-key"] = credentials.apiKey
      headers["x-gw-ims-org-id"] = credentials.organization
    }
    let isOfServer = credentials != nil && options.endpoint == .edge
    endpoint = try (isOfServer ? .server : options.endpoint).checked(
      AdobeOptions.path, headers: headers, query: ["datastreamId": datastreamID])
    format = AdobeFormat(client: client, options: options)
    self.credentials = credentials
    // Reports show the datastream id: it is not secret, because each page that uses the datastream
    // contains it.
    fixedSecrets =
      endpoint.secrets.filter { $0.removingPercentEncoding != datastreamID }
      + (credentials?.secrets ?? [])
    name = "AdobeAnalytics \(datastreamID)"
    ledger = Amendments(name)
    tokens = AdobeTokens(of: name)
  }

  var secrets: [String] { fixedSecrets + tokens.latest }

  var settingsToCheck: [String] {
    credentials == nil
      ? ["datastreamID", "endpoint", "credentials, which the datastream may require"]
      : ["token", "apiKey", "organization", "datastreamID", "endpoint"]
  }

  var amendments: [String: Int] { ledger.counts }

  func entry(for record: [UInt8], at date: Date, now: Date) throws(EventRefusal) -> EventEntry {
    try format.entry(for: record, now: now, policy: format.options.policy, ledger)
  }

  func overhead(of group: String) -> Int { AdobeFormat.overhead }

  func request(_ entries: [[UInt8]], group: String) -> OutgoingRequest {
    var body = Array(AdobeRules.requestStart.utf8)
    body += entries.joined(separator: ",".utf8)
    body += AdobeRules.requestEnd.utf8
    var request = OutgoingRequest("POST", url(of: body), body: body)
    request.headers = endpoint.headers
    if let credentials {
      request.headers["Authorization"] = tokens.token(of: credentials).map { "Bearer \($0)" }
    }
    return request
  }

  /// The address with a `requestId` that is a digest of the body, so that a repeated request has
  /// the same id.
  private func url(of body: [UInt8]) -> URL {
    var parts = URLComponents(url: endpoint.url, resolvingAgainstBaseURL: false)
    let query = endpoint.url.query(percentEncoded: true) ?? ""
    parts?.percentEncodedQuery = "\(query)&requestId=\(StableDigest(body).uuid)"
    return parts?.url ?? endpoint.url
  }

  func verdict(on answer: HTTPAnswer, now: Date) -> DeliveryVerdict {
    .adobe(answer, now: now)
  }

  func verdict(on error: TransportError, group: String) -> DeliveryVerdict {
    format.options.unknownOutcome.verdict(
      on: error, isCountedOnce: group == AdobeFormat.countedOnce)
  }
}
