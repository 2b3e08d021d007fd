// SPDX-License-Identifier: Apache-2.0

internal import Ambient
internal import Foundation

/// The settings that result from the options and the environment.
struct OTLPSettings: Sendable {
  let endpoint: PostTarget
  let timeout: Duration?
  /// The beginning of a request's body, up to the records.
  let head: [UInt8]
  let limits: OTLPLimits
  /// The setting that turns the collector off; nil if the collector is on.
  let offBy: String?
  var isDisabled: Bool { offBy != nil }
  /// The names of the options or variables that set the address and the header fields, for reports.
  let sources: [String]
  /// The ignored or doubtful variables of the environment, and the reasons.
  let faults: [String]
  /// The transport that sends the requests; nil for the network, with the system's certificates.
  let transport: (any HTTPTransport)?

  /// - Parameter transport: The transport that the caller gives; nil for the network.
  init(_ options: OTLPOptions, transport: (any HTTPTransport)? = nil) throws(CollectorError) {
    var environment = OTLPEnvironment(options.environment)
    environment.checkProtocol()
    // The variable is read even if an option takes precedence, so that a malformed value is
    // reported.
    let compression = environment.compression
    var endpoint = try Self.endpoint(options, &environment)
    endpoint.compression = options.compression ?? compression ?? .gzip
    self.endpoint = endpoint
    timeout = try Self.timeout(options) ?? environment.timeout
    head = Self.head(options, &environment)
    limits = Self.limits(options, &environment, head)
    offBy = environment.isDisabled ? "OTEL_SDK_DISABLED is true" : nil
    let own = offBy == nil ? try environment.transport(isUsed: transport == nil) : nil
    self.transport = transport ?? own
    sources = Self.sources(options, environment)
    faults = environment.faults
  }

  private static func sources(_ options: OTLPOptions, _ environment: OTLPEnvironment) -> [String] {
    let endpoint =
      options.endpoint != nil
      ? "endpoint" : environment.endpoint?.name ?? "endpoint (OTEL_EXPORTER_OTLP_ENDPOINT)"
    let headers = [options.headers.isEmpty ? nil : "headers", environment.headersName]
      .compactMap(\.self)
    return [endpoint] + (headers.isEmpty ? ["headers (OTEL_EXPORTER_OTLP_HEADERS)"] : headers)
  }

  /// Returns the limits of a record. Malformed environment variables are not reported here.
  static func limits(_ options: OTLPOptions) -> OTLPLimits {
    var environment = OTLPEnvironment(options.environment)
    let head = head(options, &environment)
    return limits(options, &environment, head)
  }

  private static func limits(
    _ options: OTLPOptions, _ environment: inout OTLPEnvironment, _ head: [UInt8]
  ) -> OTLPLimits {
    let count = options.attributeCount ?? environment.attributeCount ?? 128
    let length = options.attributeLength ?? environment.attributeLength
    return OTLPLimits(
      count: max(0, count), length: length.map { max(0, $0) },
      overhead: head.count + Self.tail.count)
  }

  /// The end of a request's body, after the records.
  static let tail = Array("]}]}]}".utf8)

  /// The beginning of a request's body: the resource and the instrumentation scope.
  private static func head(
    _ options: OTLPOptions, _ environment: inout OTLPEnvironment
  ) -> [UInt8] {
    let resource = defaults.merging(environment.resource).merging(options.resource)
    let scope: AmbientFields = ["name": options.scopeName, "version": options.scopeVersion]
    var head = Array(#"{"resourceLogs":[{"resource":{"attributes":["#.utf8)
    head.append(otlp: resource)
    head += #"]},"scopeLogs":[{"scope":"#.utf8
    head.append(json: .fields(scope))
    head += #","logRecords":["#.utf8
    return head
  }

  /// The exporter's `User-Agent`.
  ///
  /// Source: opentelemetry-specification, protocol/exporter, user agent.
  private static var agent: String { "Ambient-OTLP-Exporter-Swift/\(AmbientVersion.current)" }

  private static func timeout(_ options: OTLPOptions) throws(CollectorError) -> Duration? {
    guard let timeout = options.timeout else { return nil }
    guard timeout >= .zero else {
      throw .invalidSetting(
        name: "timeout", reason: "\(timeout) is negative; use zero for no limit")
    }
    return timeout == .zero ? OTLPEnvironment.endless : timeout
  }

  private static func endpoint(
    _ options: OTLPOptions, _ environment: inout OTLPEnvironment
  ) throws(CollectorError) -> PostTarget {
    // Names of header fields are case-insensitive. If the options contain a name twice, in
    // different case, both stay, so that `PostTarget` refuses the name.
    let own = Set(options.headers.keys.map { $0.lowercased() })
    var headers = options.headers
    for (name, value) in try environment.headers() where !own.contains(name.lowercased()) {
      let same = headers.keys.first { $0.lowercased() == name.lowercased() }
      headers[same ?? name] = value
    }
    headers = headers.filter { $0.key.lowercased() != "content-type" }
    headers["Content-Type"] = "application/json"
    let path = OTLPOptions.path
    guard options.endpoint == nil, let (name, endpoint) = environment.endpoint else {
      return try (options.endpoint ?? .base("http://localhost:4318"))
        .checked(path, headers: headers, agent: agent)
    }
    let sent = try endpoint.resolved(path, headers: headers, agent: agent, setting: name)
    if endpoint.isTwice(path) { environment.noteTwicePath(name, sent.url.withoutSecrets) }
    return sent
  }

  /// The default attributes of the sender. The process id is not among them, because another
  /// process may have tracked the event.
  private static var defaults: AmbientFields {
    [
      "service.name": "unknown_service:\(ProcessInfo.processInfo.processName)",
      "telemetry.sdk.language": "swift", "telemetry.sdk.name": "ambient",
      "telemetry.sdk.version": AmbientVersion.current, "host.name": hostName,
    ]
  }

  /// The host name from `gethostname`. Foundation is not used, because it may query the network for
  /// the host name.
  private static var hostName: String? {
    var name = [CChar](repeating: 0, count: 256)
    // The last byte is not passed and stays zero, since a name that fills the passed bytes may get
    // no terminator.
    guard gethostname(&name, name.count - 1) == 0 else { return nil }
    let text = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
    return text.isEmpty ? nil : text
  }
}
