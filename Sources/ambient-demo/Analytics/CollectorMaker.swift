import AmbientCollectors
import Foundation

/// Makes the collector of a target, with what the environment has for it: secrets come from there,
/// since words on a command line are seen by every user of the machine.
struct CollectorMaker {
  static let googleSecret = "AMBIENT_GOOGLE_SECRET"

  private let make: (EventQueue) throws(CollectorError) -> QueuedAnalytics

  /// Looks at the environment, before there is a queue.
  init(
    for target: DeliveryTarget,
    _ environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws {
    switch target.service {
    case .http:
      let headers = try HTTPHeaders.fields(for: target, environment)
      let address = target.address ?? ""
      make = { queue throws(CollectorError) in
        try HTTPAnalytics(url: address, headers: headers, queue: queue)
      }
    case .google:
      let secret = try Self.secret(
        Self.googleSecret, "the API secret of the stream", environment,
        GoogleIdentity.check(secret:))
      let endpoint = target.address.map(GoogleOptions.Endpoint.url) ?? .global
      make = { queue throws(CollectorError) in
        try GoogleAnalytics(
          measurementID: target.stream, apiSecret: secret, queue: queue,
          options: GoogleOptions(endpoint: endpoint, mapping: .googleShop))
      }
    }
  }

  /// The collector, which takes the queue.
  func callAsFunction(_ queue: EventQueue) throws(CollectorError) -> QueuedAnalytics {
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
