// SPDX-License-Identifier: Apache-2.0

public import Ambient
internal import Foundation

/// The endpoint, the header fields, the resource, the limits and the mapping of an
/// ``OTLPAnalytics`` or an ``OTLPLog``.
///
/// An option takes precedence over OpenTelemetry's environment variables, except that
/// `OTEL_SDK_DISABLED` always applies.
public struct OTLPOptions: Sendable {
  /// The path that is added to a base.
  package static let path = "/v1/logs"

  /// The address of an OpenTelemetry collector, usually `.base("https://collector.example:4318")`.
  ///
  /// If it is nil, the environment's address is used: `OTEL_EXPORTER_OTLP_LOGS_ENDPOINT` unchanged,
  /// or `OTEL_EXPORTER_OTLP_ENDPOINT` as a base. If neither is set, requests go to a collector on
  /// this machine, `http://localhost:4318`.
  public var endpoint: CollectorEndpoint<OTLPOptions>?
  /// Header fields besides those of the environment.
  ///
  /// Reports and descriptions hide their values, except those of fewer than four characters. A
  /// field replaces that of the same name in the environment. `Content-Type` is always
  /// `application/json`. If a field cannot be sent, or a name occurs twice with different capitals,
  /// the initializer of the analytics or the log throws ``CollectorError``.
  public var headers: [String: String] {
    get { fields }
    set { fields = newValue }
  }
  @Secret private var fields: [String: String] = [:]
  /// The time limit of an exchange; zero for no limit, nil for the environment's limit.
  ///
  /// If the environment has no limit either, the limit of `UploadOptions` is used, except that
  /// OpenTelemetry's default of 10 seconds replaces 30 seconds, the default of `UploadOptions`. No
  /// limit, and a longer one than ten days, means ten days. If the time is negative, the
  /// initializer of the analytics or the log throws ``CollectorError``.
  public var timeout: Duration?
  /// Attributes of the sender, such as `["service.name": "shop"]`; they take precedence over
  /// attributes of the environment and over the defaults.
  public var resource = AmbientFields()
  /// The name of the instrumentation scope, the part of the program that sends; by default,
  /// `Ambient`.
  public var scopeName = "Ambient"
  /// The version of the instrumentation scope; nil, the default, for none.
  public var scopeVersion: String?
  /// The maximum number of a record's attributes; nil for the environment's limit, or else 128.
  ///
  /// The attributes of the identities, such as `log.record.uid`, count too, and come first. Further
  /// attributes are left out, or the record is refused (``policy``). A negative number counts as 0.
  public var attributeCount: Int?
  /// The maximum length of a text among a record's attributes, in Unicode scalars; nil for the
  /// environment's limit, or else for no limit.
  ///
  /// A longer text is cut, or its record is refused (``policy``); an identity of any length stays.
  /// A negative number counts as 0.
  public var attributeLength: Int?
  /// Whether a record or event that breaks a rule is changed or refused; changed by default.
  ///
  /// A malformed `traceparent` is sent as an attribute under both policies.
  public var policy = RulePolicy.lenient
  /// The mapping that changes events' names and properties; ``EventMapping/otlpShop`` is for shops.
  ///
  /// The mapping does not apply to records of a log.
  public var mapping = EventMapping.none
  /// The compression of bodies; nil for the environment's setting, or else gzip.
  ///
  /// Limits apply to the uncompressed body.
  public var compression: BodyCompression?
  /// The environment variables to read, by default those of the process.
  ///
  /// The default is none if the process runs with more rights than its caller.
  /// `OTEL_SDK_DISABLED=true` turns the analytics or the log off, with any options: no
  /// event or record is accepted or sent. For all other settings, an option takes precedence over a
  /// variable.
  public var environment: [String: String] {
    get { variables }
    set { variables = newValue }
  }
  @Secret private var variables: [String: String]

  /// Creates options that leave each setting that has an environment variable to the process's
  /// variables.
  ///
  /// If the process runs with more rights than its caller, no variables are read.
  public init() {
    variables = Environment.isPrivileged ? [:] : ProcessInfo.processInfo.environment
  }
}

extension OTLPOptions {
  /// Checks the options together with the environment, without sending.
  package func check() throws(CollectorError) { _ = try OTLPSettings(self) }
}
