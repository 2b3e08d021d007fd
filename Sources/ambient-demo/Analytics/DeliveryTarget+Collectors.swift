// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientCollectors
import Foundation

/// A function that makes a collector for a queue.
typealias CollectorMaker<Made> = (EventQueue) throws(CollectorError) -> Made

/// The collectors of a target. Their settings come from the environment, because the settings
/// include secrets, and every user of the machine can see the arguments of a command. The settings
/// are read before a queue is opened.
extension DeliveryTarget {
  static let googleSecret = "AMBIENT_GOOGLE_SECRET"
  static let adobeToken = "AMBIENT_ADOBE_TOKEN"
  static let adobeKey = "AMBIENT_ADOBE_API_KEY"
  static let adobeOrganization = "AMBIENT_ADOBE_ORGANIZATION"

  /// Returns a function that makes the analytics.
  func analytics(
    _ environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws -> CollectorMaker<QueuedAnalytics> {
    switch service {
    case .http:
      let headers = try HTTPHeaders.fields(for: self, environment)
      return { queue throws(CollectorError) in
        var options = HTTPOptions()
        options.headers = headers
        return try HTTPAnalytics(url: address ?? "", queue: queue, options: options)
      }
    case .google:
      let secret = try Self.secret(
        Self.googleSecret, "the API secret of the stream", environment,
        GoogleIdentity.check(secret:))
      return { queue throws(CollectorError) in
        var options = GoogleOptions()
        options.mapping = .googleShop
        if let address { options.endpoint = .url(address) }
        return try GoogleAnalytics(
          measurementID: stream, apiSecret: secret, queue: queue, options: options)
      }
    case .adobe:
      let credentials = try Self.adobeCredentials(environment)
      return { queue throws(CollectorError) in
        var options = AdobeOptions()
        options.mapping = .shop
        if let address { options.endpoint = .url(address) }
        return try AdobeAnalytics(
          datastreamID: stream, credentials: credentials, queue: queue, options: options)
      }
    case .otlp:
      let options = try otlpOptions(environment)
      return { queue throws(CollectorError) in
        try OTLPAnalytics(queue: queue, options: options)
      }
    }
  }

  /// Returns a function that makes a log, which sends OpenTelemetry records to the address.
  func log(
    _ level: LogLevels, _ environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws -> CollectorMaker<OTLPLog> {
    let options = try otlpOptions(environment)
    return { queue throws(CollectorError) in
      try OTLPLog(queue: queue, level: level, options: options)
    }
  }

  private func otlpOptions(
    _ environment: [String: String]
  ) throws(CollectorError) -> OTLPOptions {
    var options = OTLPOptions()
    options.endpoint = address.map { .exact($0) }
    options.mapping = .otlpShop
    options.environment = environment
    try options.check()
    return options
  }

  /// The credentials for the server; nil if the environment has none of them.
  private static func adobeCredentials(
    _ environment: [String: String]
  ) throws(CollectorSecretError) -> AdobeCredentials? {
    let names = [adobeToken, adobeKey, adobeOrganization]
    guard names.contains(where: { environment[$0] != nil }) else { return nil }
    func secret(
      _ variable: String, _ check: (String) throws(CollectorError) -> Void
    ) throws(CollectorSecretError) -> String {
      try Self.secret(variable, "the credential that belongs to the other two", environment, check)
    }
    let token = try secret(adobeToken, AdobeCredentials.check(token:))
    let key = try secret(adobeKey) { key throws(CollectorError) in
      try AdobeCredentials.check(key, "apiKey")
    }
    let organization = try secret(adobeOrganization) { organization throws(CollectorError) in
      try AdobeCredentials.check(organization, "organization")
    }
    return AdobeCredentials(apiKey: key, organization: organization) { token }
  }

  private static func secret(
    _ variable: String, _ meaning: String, _ environment: [String: String],
    _ check: (String) throws(CollectorError) -> Void
  ) throws(CollectorSecretError) -> String {
    guard let secret = environment[variable] else {
      throw CollectorSecretError(variable: variable, reason: "it is not set; set it to \(meaning)")
    }
    do throws(CollectorError) { try check(secret) } catch {
      throw CollectorSecretError(variable: variable, reason: error.description)
    }
    return secret
  }
}

/// The error of a secret that the environment lacks, or that cannot be sent. It does not show the
/// secret.
struct CollectorSecretError: Error, Hashable, CustomStringConvertible {
  let variable: String
  let reason: String

  var description: String { "\(variable): \(reason)" }
}
