internal import Ambient
internal import AmbientHTTP
public import Foundation
internal import Synchronization

/// Uploads the events of a queue to a destination: shared by collectors of events and of logs.
///
/// Appending an event never waits for the network. Uploads use the `Time` of the scope in which the
/// delivery was made.
final class Delivery: Sendable {
  let queue: EventQueue
  private let uploader: Uploader
  /// The setting that turns the collector off, such as `OTEL_SDK_DISABLED is true`; nil if it is
  /// on.
  private let offBy: String?
  private let isOffTold = Atomic<Bool>(false)
  /// The numbers of events that the queue did not take, and of events withheld for lack of consent.
  private let refusals = Atomic<Int>(0)
  private let withheld = Atomic<Int>(0)
  private let observation = Guarded<ConsentObservation?>(nil)
  private let isClosed = Atomic<Bool>(false)
  private let isLateTold = Atomic<Bool>(false)

  /// - Parameter transport: The carrier of requests; nil for the network.
  /// - Throws: ``CollectorError`` if there is no network, or if another collector has the queue.
  init(
    _ destination: any EventDestination, queue: EventQueue, upload: UploadOptions,
    transport: (any HTTPTransport)?, offBy: String? = nil, isOfLog: Bool = false
  ) throws(CollectorError) {
    // Made before the queue is taken, since a taken queue is never given back if this throws.
    let network: any HTTPTransport
    if let transport {
      network = transport
    } else {
      network = try Self.network(isOff: offBy != nil)
    }
    try queue.take()
    self.queue = queue
    self.offBy = offBy
    uploader = Uploader(
      queue.journal, refused: queue.refused, to: destination, network, upload, isOfLog: isOfLog,
      isAllowed: { offBy == nil && queue.isSendingAllowed }, notes: queue)
    queue.note(destination: destination.name)
    guard let (consent, purpose) = queue.consent else { return }
    let observation = consent.onChange { [weak self] changed, _ in
      if changed == purpose { self?.noteConsent() }
    }
    self.observation.withLock { $0 = observation }
    // Consent may have been denied since the events were queued.
    removeDenied()
  }

  private static func network(isOff: Bool) throws(CollectorError) -> any HTTPTransport {
    if isOff { return NoTransport() }
    do throws(HTTPClientError) { return try HTTPClient() } catch { throw .noHTTP(error) }
  }

  deinit {
    observation.withLock { $0 }?.cancel()
    uploader.abandon()
    queue.close()
  }

  /// The collector's name in reports.
  var name: String { uploader.destination.name }

  /// Whether the collector takes events: not while consent is denied, or while it is off.
  var isTaking: Bool { offBy == nil ? queue.admission != .denied : tellOff() }

  /// Reports once that the collector is off; returns false.
  @inline(never)
  @discardableResult
  private func tellOff() -> Bool {
    if let offBy, !isOffTold.exchange(true, ordering: .relaxed) {
      let count = queue.journal.count
      let waiting =
        count == 0 ? "" : ", and \(count) in the queue \(count == 1 ? "is" : "are") not sent"
      Diagnostics.report(
        Diagnostic(
          .undelivered, source: name, "\(offBy): no \(uploader.noun)s are taken\(waiting)"))
    }
    return false
  }

  /// Appends an event to the queue.
  ///
  /// - Parameter append: Appends the event's line and returns its bytes; nil if the journal did not
  ///   take it.
  @inline(__always)
  func put(_ append: (Journal) -> Int?) {
    let admission = offBy == nil ? queue.admission : .denied
    guard admission != .denied else { return noteWithheld() }
    if admission == .unsettled { removeDenied() }
    guard let bytes = append(queue.journal) else { return noteRefusal() }
    // A denial since the first check may have removed the waiting events before this one was
    // appended.
    guard queue.admission != .denied else { return removeDenied() }
    uploader.noteEvent(bytes: bytes)
  }

  /// Stores the program's user in the queue's folder.
  func keep(_ user: AnalyticsUser?) {
    guard offBy == nil else { return }
    // Treated like an event: after a new grant, earlier events are removed first; a user is not
    // stored while consent is denied.
    if queue.admission == .unsettled { removeDenied() }
    queue.identity.keep(user)
  }

  @inline(never)
  private func noteWithheld() {
    tellOff()
    withheld.add(1, ordering: .relaxed)
  }

  /// Counts an event that the queue did not take; the journal itself reports one that is too long.
  @inline(never)
  private func noteRefusal() {
    refusals.add(1, ordering: .relaxed)
    // Atomics instead of a lock: on Apple's systems, a fork inherits a lock that another thread
    // held.
    guard isClosed.load(ordering: .relaxed), !isLateTold.exchange(true, ordering: .relaxed) else {
      return
    }
    Diagnostics.report(
      Diagnostic(
        .undelivered, source: name,
        """
        \(uploader.noun)s come after the shutdown, when the queue is closed, and are lost and \
        counted; shut the collector down last
        """))
  }

  /// The number of fields and events that were changed for the destination, by rule.
  var amendments: [String: Int] { uploader.destination.amendments }

  /// Starts an upload of the waiting events; returns at once.
  func flush() {
    tellOff()
    uploader.flush()
  }

  /// Uploads waiting events until the deadline, and closes the queue.
  func shutdown(deadline: ContinuousClock.Instant) async {
    tellOff()
    await uploader.shutdown(by: deadline)
    if !isClosed.exchange(true, ordering: .relaxed) { queue.note(lost: status.lost) }
    queue.journal.synchronize()
    uploader.abandon()
    queue.close()
  }

  /// Removes waiting and refused events; returns their number.
  func erase(where isErased: (Journal.Record) -> Bool) -> Int {
    // In this order: an event refused meanwhile is written to the file of refused events before it
    // leaves the queue.
    removed(where: isErased) + queue.refused.erase(where: isErased)
  }

  /// Removes waiting events; a request that is under way may still deliver some.
  private func removed(where isErased: (Journal.Record) -> Bool) -> Int {
    // Noted before and after the removal, so that the loop sends no batch that it read before.
    uploader.noteRemoval()
    defer { uploader.noteRemoval() }
    return queue.journal.erase(where: isErased)
  }

  private func noteConsent() {
    removeDenied()
    if queue.isSendingAllowed { uploader.wake() }
  }

  /// Removes the events that waited when consent was denied, even if it was granted since. Holds no
  /// lock: threads that track at once each do the whole removal, so that none waits for another.
  private func removeDenied() {
    guard let (end, denials) = queue.unsettledDenials() else { return }
    queue.identity.forget(before: denials)
    withheld.add(removed { $0.position < end }, ordering: .relaxed)
    // The end is read before it is known that no other thread has settled these denials: events
    // refused after a new grant lie beyond this end.
    if let end = queue.refused.end, queue.unsettledDenials() != nil {
      queue.refused.erase { $0.position < end }
    }
    queue.settle(denials)
  }

  /// Counts of waiting, delivered and lost events, and the reasons.
  var status: DeliveryStatus {
    // Read before the tally: the journal counts an event that is too long before `refusals` does,
    // so `closed` is never too high.
    let refusals = refusals.load(ordering: .relaxed)
    // All of one moment, so that each event is counted once, even while it is being delivered.
    let (waiting, dropped, counts) = queue.journal.tally { uploader.ledger.counts }
    var lost = counts.lost
    // The journal itself counts the events that are too long for it.
    let closed = max(0, refusals - dropped.tooLong)
    for (reason, count) in [
      ("the queue was full", dropped.full), ("too old", dropped.expired),
      ("damaged in the queue", dropped.damaged), ("too long for the queue", dropped.tooLong),
      ("the queue was closed", closed),
    ] where count > 0 { lost[reason, default: 0] += count }
    return DeliveryStatus(
      waiting: waiting.count, waitingBytes: waiting.bytes, oldest: waiting.oldest,
      delivered: counts.delivered, lost: lost,
      withheld: withheld.load(ordering: .relaxed), refused: queue.refused.count,
      forgotten: queue.refused.forgotten, isDisabled: offBy != nil, trouble: counts.trouble)
  }
}

/// The transport of a collector that is off: it needs no network, and sends nothing.
private struct NoTransport: HTTPTransport {
  func exchange(
    _ request: OutgoingRequest, _ limits: ExchangeLimits
  ) async throws(TransportError) -> HTTPAnswer {
    throw TransportError(.unsent, "the collector is off")
  }
}

/// The counts of a collector's events since it was created.
public struct DeliveryStatus: Hashable, Sendable {
  /// The number of waiting events.
  public let waiting: Int
  /// Their bytes in the queue.
  public let waitingBytes: Int
  /// The time of the oldest waiting event.
  public let oldest: Date?
  /// The number of delivered events.
  public let delivered: Int
  /// The number of lost events by reason: they were taken, and will not be delivered.
  public let lost: [String: Int]
  /// The number of events that were removed when consent was denied, or were passed to a collector
  /// that took none: because consent was denied, or because it was off. In these cases, most events
  /// are not even created.
  public let withheld: Int
  /// The number of events in the file of refused ones, those of earlier starts included.
  /// ``EventQueue/retryRefused(in:)`` sends them again.
  public let refused: Int
  /// The number of refused events that the file dropped, because it was full or they were too old
  /// or damaged.
  public let forgotten: Int
  /// Whether the collector is off, as ``OTLPAnalytics`` can be by its environment: it takes and
  /// sends nothing.
  public let isDisabled: Bool
  /// The failure of the last attempt, because of which events wait; nil if it succeeded.
  public let trouble: DeliveryTrouble?
}
