import Ambient
import AmbientCollectors
import Foundation

/// What brings the events of a run to a server, or the records of its log.
enum Collector: Sendable {
  case events(QueuedAnalytics)
  case log(OTLPLog)

  var status: DeliveryStatus {
    switch self {
    case .events(let analytics): analytics.status
    case .log(let log): log.status
    }
  }
}

/// Makes the collector of a target, with what the environment has for it: secrets come from there,
/// since words on a command line are seen by every user of the machine.
struct CollectorMaker {
  static let googleSecret = "AMBIENT_GOOGLE_SECRET"
  static let adobeToken = "AMBIENT_ADOBE_TOKEN"
  static let adobeKey = "AMBIENT_ADOBE_API_KEY"
  static let adobeOrganization = "AMBIENT_ADOBE_ORGANIZATION"

  private let make: (EventQueue) throws(CollectorError) -> Collector

  /// Looks at the environment, before there is a queue.
  ///
  /// - Parameter levels: From which level on a log takes records.
  init(
    for target: DeliveryTarget, levels: LogLevels,
    _ environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws {
    switch target.service {
    case .http:
      let headers = try HTTPHeaders.fields(for: target, environment)
      let address = target.address ?? ""
      make = { queue throws(CollectorError) in
        .events(try HTTPAnalytics(url: address, headers: headers, queue: queue))
      }
    case .google:
      let secret = try Self.secret(
        Self.googleSecret, "the API secret of the stream", environment,
        GoogleIdentity.check(secret:))
      let endpoint = target.address.map(GoogleOptions.Endpoint.url) ?? .global
      make = { queue throws(CollectorError) in
        .events(
          try GoogleAnalytics(
            measurementID: target.stream, apiSecret: secret, queue: queue,
            options: GoogleOptions(endpoint: endpoint, mapping: .googleShop)))
      }
    case .adobe:
      let credentials = try Self.adobeCredentials(environment)
      let endpoint = target.address.map(AdobeOptions.Endpoint.url) ?? .edge
      make = { queue throws(CollectorError) in
        .events(
          try AdobeAnalytics(
            datastreamID: target.stream, credentials: credentials, queue: queue,
            options: AdobeOptions(endpoint: endpoint, mapping: .shop)))
      }
    case .otlp, .otlpLog:
      let isLog = target.service == .otlpLog
      let options = OTLPOptions(
        endpoint: target.address.map(OTLPOptions.Endpoint.base), mapping: .otlpShop,
        environment: environment)
      try options.check()
      make = { queue throws(CollectorError) in
        isLog
          ? .log(try OTLPLog(queue: queue, levels: levels, options: options))
          : .events(try OTLPAnalytics(queue: queue, options: options))
      }
    }
  }

  /// What a server proves who it is by, if the environment has any of it.
  private static func adobeCredentials(
    _ environment: [String: String]
  ) throws(CollectorSecretError) -> AdobeCredentials? {
    let names = [adobeToken, adobeKey, adobeOrganization]
    guard names.contains(where: { environment[$0] != nil }) else { return nil }
    func secret(_ variable: String, _ name: String) throws(CollectorSecretError) -> String {
      try Self.secret(variable, "what the other two belong to", environment) {
        secret throws(CollectorError) in
        try CollectorError.check(secret: secret, name, advice: "see the project's credentials")
      }
    }
    return AdobeCredentials(
      token: try secret(adobeToken, "token"), apiKey: try secret(adobeKey, "apiKey"),
      organization: try secret(adobeOrganization, "organization"))
  }

  /// The collector, which takes the queue.
  func callAsFunction(_ queue: EventQueue) throws(CollectorError) -> Collector {
    try make(queue)
  }

  private static func secret(
    _ variable: String, _ meaning: String, _ environment: [String: String],
    _ check: (String) throws(CollectorError) -> Void
  ) throws(CollectorSecretError) -> String {
    guard let secret = environment[variable] else {
      throw CollectorSecretError(variable: variable, reason: "it is not set; put \(meaning) there")
    }
    do throws(CollectorError) { try check(secret) } catch {
      throw CollectorSecretError(variable: variable, reason: error.description)
    }
    return secret
  }
}

/// A secret that the environment does not have, or that is none. It is not shown.
struct CollectorSecretError: Error, Hashable, CustomStringConvertible {
  let variable: String
  let reason: String

  var description: String { "\(variable): \(reason)" }
}
