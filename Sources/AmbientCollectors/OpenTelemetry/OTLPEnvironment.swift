// SPDX-License-Identifier: Apache-2.0

internal import Ambient
internal import Foundation

/// The settings of OTLP, read from OpenTelemetry's environment variables.
///
/// Variables for logs (`OTEL_EXPORTER_OTLP_LOGS_…`) take precedence over variables for all signals;
/// an empty variable counts as absent. If the specification says to ignore a malformed value with a
/// warning, the variable is listed in `faults`. If a malformed value could send the records to a
/// wrong address, or without their header fields, it is an error instead.
///
/// Source: opentelemetry-specification, configuration/sdk-environment-variables and
/// protocol/exporter.
struct OTLPEnvironment {
  private let values: [String: String]
  /// The ignored or doubtful variables and the reasons, without the values of header fields.
  private(set) var faults: [String] = []

  init(_ values: [String: String]) { self.values = values }

  private func value(_ name: String) -> String? {
    let text = values[name]?.trimmingCharacters(in: .whitespacesAndNewlines)
    return text?.isEmpty == true ? nil : text
  }

  /// The variable for logs or, if it is absent, the variable for all signals.
  private func value(exporter name: String) -> (name: String, text: String)? {
    first("OTEL_EXPORTER_OTLP_LOGS_\(name)", "OTEL_EXPORTER_OTLP_\(name)")
  }

  private func first(_ names: String...) -> (name: String, text: String)? {
    for name in names { if let text = value(name) { return (name, text) } }
    return nil
  }

  private mutating func passOver(_ name: String, _ text: String, _ reason: String) {
    let shown = EventProblem.shown(text, quoted: true)
    faults.append("ignoring \(name) \(shown): \(reason)")
  }

  // MARK: - Address, header fields and compression

  var endpoint: (name: String, endpoint: CollectorEndpoint<OTLPOptions>)? {
    if let text = value("OTEL_EXPORTER_OTLP_LOGS_ENDPOINT") {
      return ("OTEL_EXPORTER_OTLP_LOGS_ENDPOINT", .exact(text))
    }
    return value("OTEL_EXPORTER_OTLP_ENDPOINT").map {
      ("OTEL_EXPORTER_OTLP_ENDPOINT", .base($0))
    }
  }

  /// The name of the environment variable that contains the header fields.
  var headersName: String? { value(exporter: "HEADERS")?.name }

  /// Adds a fault: the base address in the variable `name` already ends with the path that is added
  /// to it. The specification demands that the path is added nevertheless.
  mutating func noteTwicePath(_ name: String, _ address: String) {
    faults.append(
      """
      requests go to “\(address)”, because \(OTLPOptions.path) is added to \(name); remove it \
      there, or set the whole address as OTEL_EXPORTER_OTLP_LOGS_ENDPOINT
      """)
  }

  func headers() throws(CollectorError) -> [(String, String)] {
    guard let (variable, text) = value(exporter: "HEADERS") else { return [] }
    let pairs: [(String, String)]
    do throws(PairFault) {
      pairs = try Self.pairs(text)
    } catch {
      throw .invalidSetting(name: variable, reason: error.reason)
    }
    for (name, value) in pairs {
      do throws(CollectorError) {
        try PostTarget.check(name, value)
      } catch {
        throw .invalidSetting(name: variable, reason: "\(error)")
      }
    }
    return pairs
  }

  /// The time limit of an exchange. The variable is in milliseconds; zero means no limit.
  var timeout: Duration? {
    mutating get {
      guard let number = number(value(exporter: "TIMEOUT")) else { return nil }
      return number == 0 ? Self.endless : .milliseconds(number)
    }
  }

  /// The longest time limit of an exchange, used for “no limit”.
  static var endless: Duration { .seconds(864_000) }

  mutating func checkProtocol() {
    guard let (name, text) = value(exporter: "PROTOCOL"), text != "http/json" else { return }
    passOver(name, text, "only http/json is supported; check that the address accepts it")
  }

  var compression: BodyCompression? {
    mutating get {
      guard let (name, text) = value(exporter: "COMPRESSION") else { return nil }
      switch text {
      case "gzip": return .gzip
      case "none": return .identity
      default:
        passOver(name, text, "expected gzip or none; using gzip")
        return nil
      }
    }
  }

  /// The transport that uses the files of certificates which the environment names; nil if it names
  /// none, or if they have no effect: `isUsed` is false, or the system is Apple's.
  mutating func transport(isUsed: Bool) throws(CollectorError) -> CollectorClient? {
    let (trustRoots, certificate, key) = (
      value(exporter: "CERTIFICATE"), value(exporter: "CLIENT_CERTIFICATE"),
      value(exporter: "CLIENT_KEY")
    )
    let files = [trustRoots, certificate, key].compactMap(\.self)
    guard !files.isEmpty else { return nil }
    // The values are not shown, because one may be the key itself instead of the path of its file.
    func ignore(_ file: (name: String, text: String), _ reason: String) {
      faults.append("ignoring \(file.name): \(reason)")
    }
    guard isUsed else {
      for file in files { ignore(file, "the given transport has its own certificates") }
      return nil
    }
    if let key, certificate == nil { ignore(key, "the variable of its certificate is not set") }
    do throws(CollectorError) {
      return try CollectorClient(
        trustRoots: trustRoots?.text,
        certificate: certificate.map { ClientCertificate(path: $0.text, key: key?.text) })
    } catch {
      if error == .filesUnsupported {
        for file in files { ignore(file, "\(error)") }
        return nil
      }
      if let file = files.first(where: { error == .unreadable(path: $0.text) }) {
        throw .invalidSetting(
          name: file.name, reason: "it is not the path of a PEM file that this user may read")
      }
      if let file = files.last(where: { error == .encryptedKey(path: $0.text) }) {
        throw .invalidSetting(name: file.name, reason: "the key needs a password; use one without")
      }
      throw error
    }
  }

  var isDisabled: Bool {
    mutating get {
      guard let text = value("OTEL_SDK_DISABLED") else { return false }
      let word = text.lowercased()
      if word != "true", word != "false" {
        passOver("OTEL_SDK_DISABLED", text, "expected true or false; using false")
      }
      return word == "true"
    }
  }

  // MARK: - Resource and limits

  var resource: AmbientFields {
    mutating get {
      var fields = AmbientFields()
      if let text = value("OTEL_RESOURCE_ATTRIBUTES") {
        do throws(PairFault) {
          for (name, value) in try Self.pairs(text) { fields[name] = .string(value) }
        } catch {
          // The whole variable is ignored, because its readable pairs alone could describe another
          // resource.
          passOver("OTEL_RESOURCE_ATTRIBUTES", text, error.reason)
        }
      }
      if let name = value("OTEL_SERVICE_NAME") { fields["service.name"] = .string(name) }
      return fields
    }
  }

  var attributeCount: Int? {
    mutating get {
      number(first("OTEL_LOGRECORD_ATTRIBUTE_COUNT_LIMIT", "OTEL_ATTRIBUTE_COUNT_LIMIT"))
    }
  }

  var attributeLength: Int? {
    mutating get {
      number(
        first("OTEL_LOGRECORD_ATTRIBUTE_VALUE_LENGTH_LIMIT", "OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT"))
    }
  }

  private mutating func number(_ variable: (name: String, text: String)?) -> Int? {
    guard let (name, text) = variable else { return nil }
    if let number = Int32(text), number >= 0 { return Int(number) }
    passOver(name, text, "expected a whole number from 0 to \(Int32.max)")
    return nil
  }

  // MARK: - Lists

  /// A fault in a list of pairs. Its reason does not quote the values, which may be secret.
  private struct PairFault: Error {
    let reason: String

    static let form =
      "use name=value,name2=value2, with %20 for a space in a value and %2C for a comma"

    init(_ number: Int, _ reason: String) {
      self.reason = "part \(number) \(reason); \(Self.form)"
    }
  }

  /// The pairs of `key1=value1,key2=value2`, with percent-encoding decoded.
  private static func pairs(_ text: String) throws(PairFault) -> [(String, String)] {
    var pairs: [(String, String)] = []
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    for (number, part) in zip(1..., parts) {
      let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        .map { $0.trimmingCharacters(in: .whitespaces) }
      if sides == [""] { continue }
      guard sides.count == 2, !sides[0].isEmpty else {
        throw PairFault(number, "is not name=value")
      }
      guard let name = sides[0].removingPercentEncoding,
        let value = sides[1].removingPercentEncoding
      else { throw PairFault(number, "contains a % that does not begin an escape of UTF-8") }
      pairs.append((name, value))
    }
    return pairs
  }
}
