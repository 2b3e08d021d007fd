// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientCollectors
import Foundation

/// A server that takes events. Two targets are equal if they have the same `folderName`, which does
/// not depend on user and password.
struct DeliveryTarget: Hashable, Sendable {
  /// The services that take events.
  enum Service: CaseIterable, Sendable {
    case http, google, adobe, otlp

    /// The form of the service's argument on the command line.
    var word: String { isAddress ? "\(self):URL" : "\(self):ID[@URL]" }

    /// Whether the text after the service's name on the command line is an address, without an id
    /// of a stream.
    var isAddress: Bool { self == .http || self == .otlp }

    /// The default path, for an address that has no path.
    var path: String {
      switch self {
      case .http, .otlp: "/"
      case .google: GoogleOptions.path
      case .adobe: AdobeOptions.path
      }
    }
  }

  let service: Service
  /// The service's name for the stream of events; empty for a service that only has an address.
  let stream: String
  /// The address, with its secrets; nil for the default address of the service.
  let address: String?
  /// The address in use, with its path and without secrets, for messages.
  let shown: String
  /// The name of the folder that contains the target's queue. The name is the same in each run. It
  /// consists of a readable name and a digest of the stream and of the address without user and
  /// password. The digest has only eight digits, so it does not reveal the query of the address.
  let folderName: String

  /// Reads the text after the service's name on the command line.
  ///
  /// - Parameter isOfLog: Whether the target takes the records of the log, which have a queue of
  ///   their own.
  /// - Throws: ``UsageError`` if the text is not a valid target.
  init(
    _ service: Service, _ text: String, of option: Option, isOfLog: Bool = false
  ) throws(UsageError) {
    self.service = service
    let parts = text.parts(at: "@")
    stream = service.isAddress ? "" : parts[0]
    let given = service.isAddress ? text : parts.count == 2 ? parts[1] : nil
    do throws(CollectorError) {
      switch service {
      case .http, .otlp: break
      case .google: try GoogleIdentity.check(measurementID: stream)
      case .adobe: try AdobeIdentity.check(datastreamID: stream)
      }
      address = try given.map { given throws(CollectorError) in
        service == .otlp ? try Self.addressOfLogs(given) : given
      }
      let url = try address.map { address throws(CollectorError) in
        try PostTarget(url: address, headers: [:], query: [:], path: service.path).url
      }
      let place = url?.withoutSecrets
      let name: String? =
        switch service {
        case .http: nil
        case .otlp: isOfLog ? "otlp-log" : "otlp"
        case .google, .adobe: "\(service):\(stream)"
        }
      shown =
        switch service {
        case .http: place ?? ""
        case .otlp: "otlp:\(place ?? "")"
        case .google, .adobe: [name, place].compactMap(\.self).joined(separator: "@")
        }
      let server = url.map(Server.init)
      let known = [name, server.map { "\($0.host)-\($0.port)" }].compactMap(\.self)
      let whole = [name, server?.address].compactMap(\.self).joined(separator: "@")
      let digest = StableDigest(whole.utf8).digits(8)
      folderName = "\(Self.plain(known.joined(separator: "-")))-\(digest)"
    } catch {
      throw .invalidValue(option.name, reason: error.description)
    }
  }

  /// The address of an OpenTelemetry collector, with `OTLPOptions.path` added unless the address
  /// already ends with it.
  private static func addressOfLogs(_ text: String) throws(CollectorError) -> String {
    // Throws if the address is invalid; the error shows the address as it is on the command line.
    _ = try PostTarget(url: text, headers: [:], query: [:])
    let base = CollectorEndpoint<OTLPOptions>.base(text)
    return base.isTwice(OTLPOptions.path) ? text : base.address(OTLPOptions.path)
  }

  static func == (one: Self, other: Self) -> Bool { one.folderName == other.folderName }

  func hash(into hasher: inout Hasher) { hasher.combine(folderName) }

  /// An address without user and password, in one normal form.
  private struct Server {
    let host: String
    let port: Int
    let address: String

    init(_ url: URL) {
      let scheme = url.scheme?.lowercased() ?? ""
      host = url.host(percentEncoded: true)?.lowercased() ?? ""
      port = url.port ?? (scheme == "https" ? 443 : 80)
      let query = url.query(percentEncoded: true) ?? ""
      address = "\(scheme)://\(host):\(port)\(url.path(percentEncoded: true))?\(query)"
    }
  }

  /// The first 100 characters of the text, with a hyphen in place of each character that is not an
  /// ASCII letter or digit.
  private static func plain(_ text: String) -> String {
    String(text.prefix(100).map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" })
  }
}
