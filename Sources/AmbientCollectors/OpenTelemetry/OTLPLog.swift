// SPDX-License-Identifier: Apache-2.0

public import Ambient
internal import Foundation

/// A log that uploads to an OpenTelemetry collector, by OTLP over HTTP with JSON.
///
/// ```swift
/// var options = OTLPOptions()
/// options.endpoint = .base("https://collector.example:4318")
/// Log.instance = try OTLPLog(
///   queue: EventQueue(folder: "/var/lib/shop/otlp-log"), options: options)
/// ```
///
/// A call never waits for the network. It returns once the record is in the queue's file, or is
/// lost or withheld (``write(_:)``). The file survives the death of the process. A record may
/// arrive twice, with the same `log.record.uid`. Metadata `traceparent`, as in W3C Trace Context,
/// names a record's trace and span, as in
/// `Log.withMetadata(["traceparent": header]) { … }`. Private values are hidden, even if
/// `AmbientPrivacy.isRevealing` shows them in other logs. Uploads use the `Time` of the scope in
/// which the log was made. Safe to use from any thread.
public final class OTLPLog: Log, @unchecked Sendable {
  private let hidden: Secret<CollectorEngine>
  private var delivery: CollectorEngine { hidden.wrappedValue }
  /// Writes to standard error the records that the delivery itself logs.
  private let aside = StderrLog(level: .trace)

  /// Creates a log with the settings of the options and of the environment.
  ///
  /// With `OTEL_SDK_DISABLED=true` in the environment, records are discarded, and those in the
  /// queue are not sent; this is reported once, at a flush or the shutdown.
  ///
  /// - Parameters:
  ///   - queue: The queue of waiting records; events that another collector left in it are refused.
  ///   - level: The lowest level that is accepted, in general and by module.
  ///   - options: The endpoint, the header fields, the resource and the limits.
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
    queue: EventQueue, level: LogLevels = .environment, options: OTLPOptions = OTLPOptions(),
    upload: UploadOptions = UploadOptions(), transport: (any HTTPTransport)? = nil
  ) throws(CollectorError) {
    let settings = try OTLPSettings(options, transport: transport)
    let (limits, policy) = (settings.limits, options.policy)
    let destination = OTLPDestination("OTLPLog", settings) {
      line, date, now, ledger throws(EventRefusal) in
      guard let queued = UploadRecord(json: line, at: date) else {
        throw EventRefusal.unreadable
      }
      let format = OTLPLogFormat(queued, limits)
      return try format.entry(for: format.event, now: now, policy: policy, ledger)
    }
    hidden = Secret(
      wrappedValue: try CollectorEngine(
        destination, queue: queue, upload: upload.within(settings.timeout),
        transport: settings.transport,
        offBy: settings.offBy, isOfLog: true))
    super.init(level: settings.isDisabled ? .off : level)
  }

  deinit { delivery.close() }

  /// The queue of waiting records.
  package var queue: EventQueue { delivery.queue }

  /// Puts the record into the queue.
  ///
  /// Records that the delivery itself logs, for example in a transport or a handler of
  /// `Diagnostics`, go to standard error. If they went to the queue, each upload would cause
  /// another upload.
  ///
  /// - Parameter record: The record; its private values are hidden in the queue. It is lost, and
  ///   counted, if it is too long for the queue, if the queue is closed, or if this process was
  ///   forked after it opened the queue. It is withheld if consent is denied or the log is off
  ///   (``DeliveryStatus/withheld``).
  public override func write(_ record: LogRecord) {
    if CollectorEngine.isOfLog { return aside.log(record) }
    delivery.put { UploadRecord.append(record, to: $0) }
  }

  /// Starts an upload of the waiting records; returns at once.
  ///
  /// After a request without an answer, a flush ends the pause before the next attempt, at most
  /// once a second. A pause after a server's answer continues. While the `Time` stands still, a
  /// flush ends any pause. While consent is missing or the log is off, records wait. Records in
  /// ``DeliveryStatus/setAside`` wait for their own time.
  public override func flush() { delivery.flush() }

  /// Uploads waiting records until the deadline; the rest stays in the queue for the next start.
  ///
  /// The upload stops after ten failed attempts in a row, after an answer that means that the
  /// set-up is at fault (``DeliveryVerdict/turnedAway(_:detail:)``), if the server refuses all
  /// records of a batch, if it asks for a wait beyond the deadline, or at the first failure while
  /// the `Time` stands still. The waits that the log chooses grow, up to a quarter of the remaining
  /// time. While consent is missing or the log is off, nothing is uploaded. Records in
  /// ``DeliveryStatus/setAside`` are sent only if their own time has come. Records logged after the
  /// shutdown are lost, and counted.
  ///
  /// - Parameter deadline: The instant by which this method returns, if the transport ends when its
  ///   task is cancelled.
  public override func shutdown(deadline: ContinuousClock.Instant) async {
    await delivery.shutdown(deadline: deadline)
  }

  /// The sum of ``DeliveryStatus/lost``; records withheld on purpose are not counted.
  ///
  /// Refused records count as lost, although ``EventQueue/retryRefused(in:)`` can move them back.
  public override var lostRecords: Int { status.lost.values.reduce(0, +) }

  /// The numbers of waiting, delivered and lost records, with the reasons for losses.
  ///
  /// Where ``DeliveryStatus`` speaks of events, the records of this log are meant. Each record of
  /// the log's level that is logged while consent is denied counts in ``DeliveryStatus/withheld``.
  public var status: DeliveryStatus { delivery.status }

  /// The numbers of problems in records that were prepared for sending, by the names of the rules.
  ///
  /// A problem is an attribute or record that was changed, or that breaks a rule and is sent
  /// unchanged (``EventRule``). Problems of records that a rule refuses are not counted. A record
  /// that is prepared again, for example after a failed upload, counts once, unless 10,000 other
  /// problems were counted meanwhile.
  public var amendments: [String: Int] { delivery.amendments }
}
