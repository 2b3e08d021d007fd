internal import Ambient
internal import Foundation

/// Analytics that send to a collector of OpenTelemetry, by OTLP over HTTP with JSON.
///
/// ```swift
/// Analytics.instance = try OTLPAnalytics(
///   queue: EventQueue(folder: "/var/lib/shop/otlp-events"),
///   options: OTLPOptions(
///     endpoint: .base("https://collector.example:4318"), resource: ["service.name": "shop"]))
/// ```
///
/// An event is a log record with a name (`eventName`); its properties are attributes, its identity
/// is `log.record.uid`, and whose it is `user.id`. A property `traceparent`, as W3C Trace Context
/// has it, names its trace and its span; `EventStage.enriching(fromLog:)` takes it from the log's
/// metadata. The variables of the environment are OpenTelemetry's; those of them that cannot hold
/// here are reported, and passed over.
public final class OTLPAnalytics: QueuedAnalytics, @unchecked Sendable {
  /// Analytics that send as the options and the environment say.
  ///
  /// Where the environment has `OTEL_SDK_DISABLED=true`, no events are wanted, and what waits is
  /// not sent, which is reported once.
  ///
  /// - Parameters:
  ///   - queue: Where events wait.
  ///   - options: Where to, and what is sent.
  ///   - upload: When events are sent, and how often what failed is tried again.
  ///   - transport: What carries requests; nil for the network.
  /// - Throws: ``CollectorError`` if the address or a header field cannot be used, whoever said
  ///   it, or another collector has the queue. What else is wrong in the environment is passed
  ///   over, and reported to `Diagnostics` when events are sent for the first time.
  public init(
    queue: EventQueue, options: OTLPOptions = OTLPOptions(),
    upload: UploadOptions = UploadOptions(), transport: (any Transport)? = nil
  ) throws(CollectorError) {
    let settings = try OTLPSettings(options)
    let format = OTLPFormat(limits: settings.limits, mapping: options.mapping)
    let policy = options.policy
    let destination = OTLPDestination("OTLPAnalytics", settings) {
      line, date, now, ledger throws(Refusal) in
      guard let event = try? TrackedEvent(json: line) else { throw Refusal("no line of JSON") }
      return try format.entry(for: event.moved(to: date), now: now, policy: policy, ledger)
    }
    super.init(
      try Delivery(
        destination, queue: queue, upload: upload.within(settings.timeout), transport: transport,
        offBy: settings.offBy))
  }
}

extension EventValidator {
  /// Says what ``OTLPAnalytics`` with these options would change or refuse.
  ///
  /// - Parameter options: The options, as the collector has them.
  /// - Returns: A validator, which sends nothing.
  public static func otlp(_ options: OTLPOptions = OTLPOptions()) -> EventValidator {
    let format = OTLPFormat(limits: OTLPSettings.limits(options), mapping: options.mapping)
    return EventValidator(policy: options.policy) { format }
  }
}

extension UploadOptions {
  /// The same with an exchange of that duration; without one as it is, or where no other limit is
  /// set than the usual one, with OpenTelemetry's.
  func within(_ timeout: Duration?) -> UploadOptions {
    var options = self
    let isUsual = exchange.duration == ExchangeLimits().duration
    options.exchange.duration = timeout ?? (isUsual ? Self.otlpTimeout : exchange.duration)
    return options
  }

  /// Source: opentelemetry-specification, protocol/exporter, `OTEL_EXPORTER_OTLP_TIMEOUT`.
  private static var otlpTimeout: Duration { .seconds(10) }
}
