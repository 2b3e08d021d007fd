public import Ambient
internal import AmbientHTTP
internal import Foundation

/// How an ``OTLPAnalytics`` or an ``OTLPLog`` sends.
///
/// What is said here wins over the environment, whose variables are those of OpenTelemetry.
public struct OTLPOptions: Sendable {
  /// Where to: a collector's address, mostly as `.base("https://collector.example:4318")`.
  public typealias Endpoint = CollectorEndpoint<OTLPOptions>

  /// What is added to a base.
  package static let path = "/v1/logs"

  /// Where to; nil for what the environment says (`OTEL_EXPORTER_OTLP_LOGS_ENDPOINT`, as it is, or
  /// `OTEL_EXPORTER_OTLP_ENDPOINT`, a base), else for a collector on this machine,
  /// `http://localhost:4318`.
  public var endpoint: Endpoint?
  /// Header fields of your own, beside those of the environment; shown nowhere.
  public var headers: [String: String] {
    get { fields }
    set { fields = newValue }
  }
  @Secret private var fields: [String: String]
  /// How long an exchange may take, zero for without end, as in the environment; nil for what that
  /// says, else for what `UploadOptions` do if it is not their usual 30 seconds, else for 10
  /// seconds, as OpenTelemetry has it.
  public var timeout: Duration?
  /// Who sends, as `["service.name": "shop"]`; stands beside what the environment says and the
  /// defaults, and wins.
  public var resource: AmbientFields
  /// Which part of the program sends: the name of the instrumentation scope.
  public var scopeName: String
  /// The version of that part.
  public var scopeVersion: String?
  /// How many attributes a record may have; nil for what the environment says, else for 128.
  public var attributeCount: Int?
  /// How many characters a text among attributes may have; nil for what the environment says, else
  /// for any number.
  public var attributeLength: Int?
  /// What is done with what is not sent as it was tracked or logged.
  public var policy: RulePolicy
  /// What events are called, and carry; ``EventMapping/otlpShop`` is for shops. Records of a log
  /// are not mapped.
  public var mapping: EventMapping
  /// How bodies are sent; nil for as the environment says, or else by gzip. What is limited is the
  /// body as it is.
  public var compression: BodyCompression?
  /// What the environment says: the process's, unless it is given. `OTEL_SDK_DISABLED=true` in it
  /// turns everything off: nothing is taken, and nothing is sent. Else what the options say wins.
  public var environment: [String: String] {
    get { variables }
    set { variables = newValue }
  }
  @Secret private var variables: [String: String]

  /// Options.
  ///
  /// - Parameters:
  ///   - endpoint: Where to; nil for what the environment says, else for a collector on this
  ///     machine.
  ///   - headers: Header fields beside those of the environment; shown nowhere.
  ///   - timeout: How long an exchange may take, zero for without end; nil for what the environment
  ///     says.
  ///   - resource: Who sends, as `["service.name": "shop"]`.
  ///   - scopeName: The name of the instrumentation scope: which part of the program sends.
  ///   - scopeVersion: The version of that part; nil for none.
  ///   - attributeCount: How many attributes a record may have; nil for what the environment says.
  ///   - attributeLength: How many characters a text among them may have; nil likewise.
  ///   - policy: What is done with what is not sent as it was tracked or logged.
  ///   - mapping: What events are called, and carry; records of a log are not mapped.
  ///   - compression: How bodies are sent; nil for what the environment says, else by gzip.
  ///   - environment: The variables to look at; nil for the process's.
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
  /// Looks whether something can be sent with these options, and what the environment adds.
  package func check() throws(CollectorError) { _ = try OTLPSettings(self) }
}

/// How much a record may have.
struct OTLPLimits: Sendable {
  /// The most that a request may have.
  static var request: RequestLimits { RequestLimits(events: 10_000, bytes: 4_000_000) }

  let count: Int
  /// Unicode scalars of a text; nil for any number.
  let length: Int?
  /// How many bytes a request has beside its records.
  let overhead: Int
}

/// What options and environment come to.
struct OTLPSettings: Sendable {
  let endpoint: HTTPEndpoint
  let timeout: Duration?
  /// A request up to its records.
  let head: [UInt8]
  let limits: OTLPLimits
  /// The setting by which nothing is to be taken or sent; nil if there is none.
  let offBy: String?
  var isDisabled: Bool { offBy != nil }
  /// Where the address and the header fields were said.
  let sources: [String]
  /// What of the environment was passed over, and why.
  let faults: [String]

  init(_ options: OTLPOptions) throws(CollectorError) {
    var environment = OTLPEnvironment(options.environment)
    environment.checkProtocol()
    // First, so that what is wrong in it is told, too.
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

  /// What a record may have; what is wrong in the environment is passed over.
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

  /// A request behind its records.
  static let tail = Array("]}]}]}".utf8)

  /// Who sends, and which part of the program.
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

  /// What the exporter calls itself.
  ///
  /// Source: opentelemetry-specification, protocol/exporter, user agent.
  private static var agent: String { "Ambient-OTLP-Exporter-Swift/\(AmbientVersion.current)" }

  private static func timeout(_ options: OTLPOptions) throws(CollectorError) -> Duration? {
    guard let timeout = options.timeout else { return nil }
    guard timeout >= .zero else {
      throw .invalidSetting(
        name: "timeout", reason: "\(timeout) is before it begins; zero is without end")
    }
    return timeout == .zero ? OTLPEnvironment.endless : timeout
  }

  private static func endpoint(
    _ options: OTLPOptions, _ environment: inout OTLPEnvironment
  ) throws(CollectorError) -> HTTPEndpoint {
    // Names of header fields are the same in capitals. One that is there twice among the options is
    // left so, and refused.
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

  /// What is known of whoever sends. No number of the process: who sends what waits in a queue need
  /// not be who put it there.
  private static var defaults: AmbientFields {
    [
      "service.name": "unknown_service:\(ProcessInfo.processInfo.processName)",
      "telemetry.sdk.language": "swift", "telemetry.sdk.name": "ambient",
      "telemetry.sdk.version": AmbientVersion.current, "host.name": hostName,
    ]
  }

  /// By the system's own call: Foundation's may ask the network.
  private static var hostName: String? {
    var name = [CChar](repeating: 0, count: 256)
    // The last byte stays zero.
    guard gethostname(&name, name.count - 1) == 0 else { return nil }
    let text = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
    return text.isEmpty ? nil : text
  }
}
