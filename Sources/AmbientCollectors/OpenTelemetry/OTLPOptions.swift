public import Ambient
internal import AmbientHTTP
internal import Foundation

/// The endpoint, the resource and the limits of an ``OTLPAnalytics`` or an ``OTLPLog``.
///
/// An option takes precedence over OpenTelemetry's environment variables.
public struct OTLPOptions: Sendable {
  /// A collector's address, usually `.base("https://collector.example:4318")`.
  public typealias Endpoint = CollectorEndpoint<OTLPOptions>

  /// The path that is added to a base.
  package static let path = "/v1/logs"

  /// The address that requests go to. If it is nil, the environment's address is used:
  /// `OTEL_EXPORTER_OTLP_LOGS_ENDPOINT` unchanged, or `OTEL_EXPORTER_OTLP_ENDPOINT` as a base. If
  /// neither is set, requests go to a collector on this machine, `http://localhost:4318`.
  public var endpoint: Endpoint?
  /// Header fields besides those of the environment; no report or description shows them.
  public var headers: [String: String] {
    get { fields }
    set { fields = newValue }
  }
  @Secret private var fields: [String: String]
  /// The time limit of an exchange; zero for no limit. If it is nil, the environment's limit is
  /// used. Without that, the limit of `UploadOptions` is used, unless it is the default of 30
  /// seconds, which OpenTelemetry's default of 10 seconds replaces.
  public var timeout: Duration?
  /// Attributes of the sender, such as `["service.name": "shop"]`; they take precedence over
  /// attributes of the environment and over the defaults.
  public var resource: AmbientFields
  /// The name of the instrumentation scope: the part of the program that sends.
  public var scopeName: String
  /// The version of the instrumentation scope.
  public var scopeVersion: String?
  /// The maximum number of a record's attributes; nil for the environment's limit, or else 128.
  public var attributeCount: Int?
  /// The maximum length of a text among attributes, in Unicode scalars; nil for the environment's
  /// limit, or else for no limit.
  public var attributeLength: Int?
  /// Whether a record or event that would need a change is changed or refused.
  public var policy: RulePolicy
  /// The mapping that changes events' names and properties; ``EventMapping/otlpShop`` is for shops.
  /// It does not apply to records of a log.
  public var mapping: EventMapping
  /// The compression of bodies; nil for the environment's setting, or else gzip. Limits apply to
  /// the uncompressed body.
  public var compression: BodyCompression?
  /// The environment variables to read, by default those of the process. `OTEL_SDK_DISABLED=true`
  /// turns the collector off, whatever the options say: no event is accepted or sent. For all other
  /// settings, an option takes precedence over a variable.
  public var environment: [String: String] {
    get { variables }
    set { variables = newValue }
  }
  @Secret private var variables: [String: String]

  /// Creates options.
  ///
  /// - Parameters:
  ///   - endpoint: The address that requests go to; nil for the environment's address, or else a
  ///     collector on this machine.
  ///   - headers: Header fields besides those of the environment; no report or description shows
  ///     them.
  ///   - timeout: The time limit of an exchange, zero for no limit; nil for the environment's
  ///     limit.
  ///   - resource: Attributes of the sender, such as `["service.name": "shop"]`.
  ///   - scopeName: The name of the instrumentation scope: the part of the program that sends.
  ///   - scopeVersion: The version of the instrumentation scope; nil for none.
  ///   - attributeCount: The maximum number of a record's attributes; nil for the environment's
  ///     limit.
  ///   - attributeLength: The maximum length of a text among attributes; nil for the environment's
  ///     limit.
  ///   - policy: Whether a record or event that would need a change is changed or refused.
  ///   - mapping: The mapping that changes events' names and properties; it does not apply to
  ///     records of a log.
  ///   - compression: The compression of bodies; nil for the environment's setting, or else gzip.
  ///   - environment: The environment variables to read; nil for those of the process, or none if
  ///     the process is privileged.
  public init(
    endpoint: Endpoint? = nil, headers: [String: String] = [:], timeout: Duration? = nil,
    resource: AmbientFields = [:], scopeName: String = "Ambient", scopeVersion: String? = nil,
    attributeCount: Int? = nil, attributeLength: Int? = nil, policy: RulePolicy = .lenient,
    mapping: EventMapping = .none, compression: BodyCompression? = nil,
    environment: [String: String]? = nil
  ) {
    self.endpoint = endpoint
    fields = headers
    self.timeout = timeout
    self.resource = resource
    self.scopeName = scopeName
    self.scopeVersion = scopeVersion
    self.attributeCount = attributeCount
    self.attributeLength = attributeLength
    self.policy = policy
    self.mapping = mapping
    self.compression = compression
    variables =
      environment ?? (Environment.isPrivileged ? [:] : ProcessInfo.processInfo.environment)
  }
}

extension OTLPOptions {
  /// Checks the options together with the environment, without sending.
  package func check() throws(CollectorError) { _ = try OTLPSettings(self) }
}

/// The limits of a record.
struct OTLPLimits: Sendable {
  /// The limits of a request.
  static var request: RequestLimits { RequestLimits(events: 10_000, bytes: 4_000_000) }

  let count: Int
  /// The maximum number of a text's Unicode scalars; nil for no limit.
  let length: Int?
  /// The bytes of a request besides its records.
  let overhead: Int
}

/// The settings that result from the options and the environment.
struct OTLPSettings: Sendable {
  let endpoint: HTTPEndpoint
  let timeout: Duration?
  /// The beginning of a request's body, up to the records.
  let head: [UInt8]
  let limits: OTLPLimits
  /// The setting that turns the collector off; nil if the collector is on.
  let offBy: String?
  var isDisabled: Bool { offBy != nil }
  /// The options or variables with the address and the header fields, for reports.
  let sources: [String]
  /// The ignored variables of the environment, and the reasons.
  let faults: [String]

  init(_ options: OTLPOptions) throws(CollectorError) {
    var environment = OTLPEnvironment(options.environment)
    environment.checkProtocol()
    // Read even if an option takes precedence, so that a malformed variable is reported.
    let compression = environment.compression
    environment.checkCertificates()
    var endpoint = try Self.endpoint(options, &environment)
    endpoint.compression = options.compression ?? compression ?? .gzip
    self.endpoint = endpoint
    timeout = try Self.timeout(options) ?? environment.timeout
    head = Self.head(options, &environment)
    limits = Self.limits(options, &environment, head)
    offBy = environment.isDisabled ? "OTEL_SDK_DISABLED is true" : nil
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

  /// The limits of a record, without reports of malformed variables.
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
        name: "timeout", reason: "\(timeout) is negative; zero sets no limit")
    }
    return timeout == .zero ? OTLPEnvironment.endless : timeout
  }

  private static func endpoint(
    _ options: OTLPOptions, _ environment: inout OTLPEnvironment
  ) throws(CollectorError) -> HTTPEndpoint {
    // Names of header fields are case-insensitive. If the options contain a name twice, in
    // different case, both stay, so that `HTTPEndpoint` refuses the name.
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
    do throws(CollectorError) {
      let sent = try endpoint.resolved(path, headers: headers, agent: agent)
      if endpoint.isTwice(path) { environment.noteTwicePath(name, sent.url.withoutSecrets) }
      return sent
    } catch .invalidURL(let shown, let reason) {
      throw .invalidSetting(name: name, reason: "cannot send to “\(shown)”: \(reason)")
    }
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

  /// From `gethostname`, because Foundation may query the network for the host name.
  private static var hostName: String? {
    var name = [CChar](repeating: 0, count: 256)
    // The last byte stays zero, since a name of full length gets no terminator.
    guard gethostname(&name, name.count - 1) == 0 else { return nil }
    let text = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
    return text.isEmpty ? nil : text
  }
}
