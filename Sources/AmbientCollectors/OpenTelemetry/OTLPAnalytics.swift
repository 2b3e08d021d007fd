// SPDX-License-Identifier: Apache-2.0

internal import Ambient
internal import Foundation

/// Analytics that upload to an OpenTelemetry collector, by OTLP over HTTP with JSON.
///
/// ```swift
/// var options = OTLPOptions()
/// options.endpoint = .base("https://collector.example:4318")
/// options.resource = ["service.name": "shop"]
/// Analytics.instance = try OTLPAnalytics(
///   queue: EventQueue(folder: "/var/lib/shop/otlp-events"), options: options)
/// ```
///
/// An event becomes a log record with a name (`eventName`): its properties become attributes, its
/// identity becomes `log.record.uid`, its anonymous identity `enduser.pseudo.id`, its user's id
/// `user.id`, and each trait of the user an attribute that begins with `user.`. A property
/// `traceparent`, as in W3C Trace Context, names the event's trace and span;
/// `EventStage.enriching(fromLog:)` copies it from the log's metadata. OpenTelemetry's environment
/// variables for the OTLP exporter, the resource and the limits of attributes apply, and so does
/// `OTEL_SDK_DISABLED`. Malformed and unsupported values are reported, or make the initializer
/// throw. Other variables, such as `OTEL_BLRP_…`, are not read.
public final class OTLPAnalytics: QueuedAnalytics, @unchecked Sendable {
  /// Creates analytics with the settings of the options and of the environment.
  ///
  /// With `OTEL_SDK_DISABLED=true` in the environment, events are discarded, and those in the queue
  /// are not sent; this is reported once.
  ///
  /// - Parameters:
  ///   - queue: The queue of waiting events.
  ///   - options: The endpoint, the header fields, the resource, the limits and the mapping.
  ///   - upload: The times and sizes of uploads, the repetition of failed requests, and the limits
  ///     of a request.
  ///   - transport: The transport that sends the requests; nil for a new ``CollectorClient`` with
  ///     the certificates that the environment names.
  /// - Throws: ``CollectorError`` if the address or a header field, of the options or of the
  ///   environment, cannot be used, if the option `timeout` is negative, if a collector uses this
  ///   queue or has used it before, or if `transport` is nil and the program cannot use HTTP or a
  ///   file of certificates that the environment names. Other faults of the environment are
  ///   reported to `Diagnostics` with the first upload, and malformed variables are ignored.
  public init(
    queue: EventQueue, options: OTLPOptions = OTLPOptions(),
    upload: UploadOptions = UploadOptions(), transport: (any HTTPTransport)? = nil
  ) throws(CollectorError) {
    let settings = try OTLPSettings(options, transport: transport)
    let format = OTLPFormat(limits: settings.limits, mapping: options.mapping)
    let policy = options.policy
    let destination = OTLPDestination("OTLPAnalytics", settings) {
      line, date, now, ledger throws(EventRefusal) in
      guard let event = try? TrackedEvent(json: line) else { throw EventRefusal.unreadable }
      return try format.entry(for: event.moved(to: date), now: now, policy: policy, ledger)
    }
    super.init(
      try CollectorEngine(
        destination, queue: queue, upload: upload.within(settings.timeout),
        transport: settings.transport,
        offBy: settings.offBy))
  }
}

extension EventValidator {
  /// Returns a validator that finds what ``OTLPAnalytics`` with these options would change,
  /// refuse, or send although it breaks a rule.
  ///
  /// - Parameter options: The options of the collector.
  /// - Returns: A validator, which sends nothing.
  public static func otlp(_ options: OTLPOptions = OTLPOptions()) -> EventValidator {
    let format = OTLPFormat(limits: OTLPSettings.limits(options), mapping: options.mapping)
    return EventValidator(policy: options.policy) { format }
  }
}

extension UploadOptions {
  /// The options with `timeout` as the maximum duration of an exchange. If `timeout` is nil, the
  /// default duration of `ExchangeLimits` is replaced by that of OpenTelemetry. A duration that
  /// differs from the default stays.
  func within(_ timeout: Duration?) -> UploadOptions {
    var options = self
    let isUsual = exchange.duration == ExchangeLimits().duration
    options.exchange.duration = timeout ?? (isUsual ? Self.otlpTimeout : exchange.duration)
    return options
  }

  /// OpenTelemetry's default for the maximum duration of an exchange.
  ///
  /// Source: opentelemetry-specification, protocol/exporter, `OTEL_EXPORTER_OTLP_TIMEOUT`.
  private static var otlpTimeout: Duration { .seconds(10) }
}
