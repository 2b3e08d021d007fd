public import Ambient
internal import AmbientHTTP
internal import Foundation

/// A log that sends to a collector of OpenTelemetry, by OTLP over HTTP with JSON.
///
/// ```swift
/// Log.instance = try OTLPLog(
///   queue: EventQueue(folder: "/var/lib/shop/otlp-log"),
///   options: OTLPOptions(endpoint: .base("https://collector.example:4318")))
/// ```
///
/// A call returns when the record stands in the queue, which survives the death of the process; it
/// never waits for the network. Delivery is at least once: a record that comes twice has the same
/// `log.record.uid`. Metadata `traceparent`, as W3C Trace Context has it, names the trace and the
/// span of a record: `Log.withMetadata(["traceparent": header]) { … }`. What is private is hidden,
/// also where `AmbientPrivacy.isRevealing` shows it on this machine. Time is that of the scope in
/// which the log was made. Safe to use from any thread.
public final class OTLPLog: Log, @unchecked Sendable {
  private let hidden: Secret<Delivery>
  private var delivery: Delivery { hidden.wrappedValue }
  /// Takes what the delivery of records has to say itself.
  private let aside = StderrLog(level: .trace)

  /// A log that sends as the options and the environment say.
  ///
  /// Where the environment has `OTEL_SDK_DISABLED=true`, records are discarded, and what waits is
  /// not sent, which is reported once.
  ///
  /// - Parameters:
  ///   - queue: Where records wait; one that no collector of events has.
  ///   - level: From which level on records are accepted.
  ///   - options: Where to, and what is sent.
  ///   - upload: When records are sent, and how often what failed is tried again.
  ///   - transport: What carries requests; nil for the network.
  /// - Throws: ``CollectorError`` if the address or a header field cannot be used, whoever said
  ///   it, or another collector has the queue. What else is wrong in the environment is passed
  ///   over, and reported to `Diagnostics` when records are sent for the first time.
  public init(
    queue: EventQueue, level: LogLevels = .environment, options: OTLPOptions = OTLPOptions(),
    upload: UploadOptions = UploadOptions(), transport: (any Transport)? = nil
  ) throws(CollectorError) {
    let settings = try OTLPSettings(options)
    let (limits, policy) = (settings.limits, options.policy)
    let destination = OTLPDestination("OTLPLog", settings) {
      line, date, now, ledger throws(Refusal) in
      guard let queued = QueuedRecord(json: line, at: date) else {
        throw Refusal("no line of JSON")
      }
      let format = OTLPLogFormat(queued, limits)
      return try format.entry(for: format.event, now: now, policy: policy, ledger)
    }
    hidden = Secret(
      wrappedValue: try Delivery(
        destination, queue: queue, upload: upload.within(settings.timeout), transport: transport,
        offBy: settings.offBy, isOfLog: true))
    super.init(level: settings.isDisabled ? .off : level)
  }

  /// A log that sends as the options and the environment say.
  @available(*, unavailable, renamed: "init(queue:level:options:upload:transport:)")
  public convenience init(
    queue: EventQueue, levels: LogLevels, options: OTLPOptions = OTLPOptions(),
    upload: UploadOptions = UploadOptions(), transport: (any Transport)? = nil
  ) throws(CollectorError) {
    try self.init(
      queue: queue, level: levels, options: options, upload: upload, transport: transport)
  }

  /// Where the records wait.
  public var queue: EventQueue { delivery.queue }

  /// Puts the record into the queue.
  ///
  /// What is logged by the delivery of records itself, as by a transport or a handler of
  /// `Diagnostics`, is written to standard error: in the queue, it would keep itself going.
  ///
  /// - Parameter record: The record, whose private values are hidden already.
  public override func write(_ record: LogRecord) {
    if Uploader.isOfLog { return aside.log(record) }
    delivery.put { QueuedRecord.append(record, to: $0) }
  }

  /// Sends what waits as soon as may be; does not wait for it.
  public override func flush() { delivery.flush() }

  /// Delivers what can be delivered by the deadline; the rest waits in the queue for another start.
  ///
  /// A server that fails is asked ten times in a row at most, after waits that grow up to a quarter
  /// of the time that is left. What is logged after this is lost,
  /// and counted.
  ///
  /// - Parameter deadline: The instant by which this returns.
  public override func shutdown(deadline: ContinuousClock.Instant) async {
    await delivery.shutdown(deadline: deadline)
  }

  /// How many records will not be delivered, though they were logged and nobody withheld them.
  public override var lostRecords: Int { status.lost.values.reduce(0, +) }

  /// What waits, what was delivered and what was lost, and why: its events are records.
  public var status: DeliveryStatus { delivery.status }

  /// How many attributes and records were sent otherwise than they were logged, by the name of the
  /// rule (``EventRule``).
  public var amendments: [String: Int] { delivery.amendments }
}
