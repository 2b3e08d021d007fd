internal import Ambient
internal import AmbientHTTP
public import Foundation
internal import Synchronization

/// Brings what is put into a queue to a destination: what collectors of events and logs share.
///
/// Whoever puts something in waits for no network. Time is that of the scope in which it was made.
final class Delivery: Sendable {
  let queue: EventQueue
  private let uploader: Uploader
  /// The setting by which nothing is taken or sent, whatever comes; nil if there is none.
  private let offBy: String?
  private let isOffTold = Atomic<Bool>(false)
  /// Events that the queue did not take, and those that consent has kept from being sent.
  private let refusals = Atomic<Int>(0)
  private let withheld = Atomic<Int>(0)
  private let observation = Guarded<ConsentObservation?>(nil)
  private let isClosed = Atomic<Bool>(false)
  private let isLateTold = Atomic<Bool>(false)
  /// What waited when the queue was closed.
  private let left = Guarded<Waiting?>(nil)

  private struct Waiting {
    let count: Int
    let bytes: Int
    let oldest: Date?

    init(_ journal: Journal) {
      count = journal.count
      bytes = journal.byteCount
      oldest = journal.oldest
    }
  }

  /// - Parameter transport: What carries requests; nil for the network.
  /// - Throws: ``CollectorError`` if there is no network, or if another collector has the queue.
  init(
    _ destination: any Destination, queue: EventQueue, upload: UploadOptions,
    transport: (any Transport)?, offBy: String? = nil, isOfLog: Bool = false
  ) throws(CollectorError) {
    // Before the queue is taken, which it stays.
    let network: any Transport
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
    // It may have been denied since the queue was filled.
    removeDenied()
  }

  private static func network(isOff: Bool) throws(CollectorError) -> any Transport {
    if isOff { return NoTransport() }
    do throws(HTTPClientError) { return try HTTPClient() } catch { throw .noHTTP(error) }
  }

  deinit {
    observation.withLock { $0 }?.cancel()
    uploader.abandon()
    queue.close()
  }

  /// What reports call it.
  var name: String { uploader.destination.name }

  /// Whether events are taken: not while consent is denied.
  var isTaking: Bool { offBy == nil ? queue.admission != .denied : tellOff() }

  /// Reports once that the collector is off; false.
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

  /// Puts an event into the queue.
  ///
  /// - Parameter append: Puts its line there, and says how many bytes it has; nil if it was not
  ///   taken.
  @inline(__always)
  func put(_ append: (Journal) -> Int?) {
    let admission = offBy == nil ? queue.admission : .denied
    guard admission != .denied else { return noteWithheld() }
    if admission == .unsettled { removeDenied() }
    guard let bytes = append(queue.journal) else { return noteRefusal() }
    // It may have been denied meanwhile, and what waited removed before this was there.
    guard queue.admission != .denied else { return removeDenied() }
    uploader.noteEvent(bytes: bytes)
  }

  /// Keeps the program's user in the queue's folder.
  func keep(_ user: AnalyticsUser?) {
    guard offBy == nil else { return }
    // As for an event; while consent is denied, nothing is kept.
    if queue.admission == .unsettled { removeDenied() }
    queue.identity.keep(user)
  }

  @inline(never)
  private func noteWithheld() {
    tellOff()
    withheld.add(1, ordering: .relaxed)
  }

  /// Counts what the queue has not taken; the queue itself reports what is too long for it.
  @inline(never)
  private func noteRefusal() {
    refusals.add(1, ordering: .relaxed)
    // No lock: in a fork, where nothing is taken, somebody may have it for ever.
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

  /// How many fields and events were sent otherwise than they were put into the queue.
  var amendments: [String: Int] { uploader.destination.amendments }

  /// Sends what waits as soon as may be; does not wait for it.
  func flush() {
    tellOff()
    uploader.flush()
  }

  /// Delivers what can be delivered by the deadline, and closes the queue.
  func shutdown(deadline: ContinuousClock.Instant) async {
    tellOff()
    await uploader.shutdown(by: deadline)
    let lost = status.lost
    let waiting = Waiting(queue.journal)
    let isFirst = left.withLock { left in
      defer { left = left ?? waiting }
      return left == nil
    }
    if isFirst { queue.note(lost: lost) }
    queue.journal.synchronize()
    queue.close()
    isClosed.store(true, ordering: .relaxed)
  }

  /// Removes those that wait, or were refused; how many.
  func erase(where isErased: (Journal.Record) -> Bool) -> Int {
    // In this order: what is refused meanwhile is kept before it leaves the queue.
    removed(where: isErased) + queue.refused.erase(where: isErased)
  }

  /// Removes those that wait; what is being sent at this moment may still arrive.
  private func removed(where isErased: (Journal.Record) -> Bool) -> Int {
    // First, so that what was read before is not sent after this.
    uploader.noteRemoval()
    defer { uploader.noteRemoval() }
    return queue.journal.erase(where: isErased)
  }

  private func noteConsent() {
    removeDenied()
    if queue.isSendingAllowed { uploader.wake() }
  }

  /// Removes what waited when consent was denied, whatever was answered since. Who tracks while
  /// another is at it looks for itself, and waits for nobody.
  private func removeDenied() {
    guard let (end, denials) = queue.unsettledDenials() else { return }
    queue.identity.forget(before: denials)
    withheld.add(removed { $0.position < end }, ordering: .relaxed)
    queue.refused.erase { _ in true }
    queue.settle(denials)
  }

  /// What waits, what was delivered and what was lost, and why.
  var status: DeliveryStatus {
    // At one moment, so that each event is counted once, be it just delivered.
    let (count, dropped, counts) = queue.journal.tally { uploader.ledger.counts }
    var lost = counts.lost
    // The journal counts those itself that it refuses for their length.
    let closed = refusals.load(ordering: .relaxed) - dropped.tooLong
    for (reason, count) in [
      ("the queue was full", dropped.full), ("too old", dropped.expired),
      ("damaged in the queue", dropped.damaged), ("too long for the queue", dropped.tooLong),
      ("the queue was closed", closed),
    ] where count > 0 { lost[reason, default: 0] += count }
    let left = left.withLock { $0 }
    let waiting = left ?? Waiting(queue.journal)
    return DeliveryStatus(
      waiting: left?.count ?? count, waitingBytes: waiting.bytes, oldest: waiting.oldest,
      delivered: counts.delivered, lost: lost,
      withheld: withheld.load(ordering: .relaxed), refused: queue.refused.count,
      forgotten: queue.refused.forgotten, isDisabled: offBy != nil, trouble: counts.trouble)
  }
}

/// What a collector has that is off: it sends nothing, so it needs no network.
private struct NoTransport: Transport {
  func exchange(
    _ request: OutgoingRequest, _ limits: ExchangeLimits
  ) async throws(TransportError) -> Answer {
    throw TransportError(.unsent, "the collector is off")
  }
}

/// What became of the events of a collector since it was made.
public struct DeliveryStatus: Hashable, Sendable {
  /// How many events wait.
  public let waiting: Int
  /// How many bytes they have in the queue.
  public let waitingBytes: Int
  /// When the oldest of them was tracked.
  public let oldest: Date?
  /// How many were delivered.
  public let delivered: Int
  /// How many are lost, by reason: they were taken, and will not be delivered.
  public let lost: [String: Int]
  /// How many were removed when consent was denied, or were handed to a collector that takes none:
  /// while consent is denied, or while it is disabled. What is tracked then is mostly not made.
  public let withheld: Int
  /// How many events stand in the file of refused ones: those of earlier starts, too. They are sent
  /// again by ``EventQueue/retryRefused(in:)``.
  public let refused: Int
  /// How many refused events were dropped from there: it was full, they became too old, or they
  /// were damaged.
  public let forgotten: Int
  /// Whether the collector takes and sends nothing, whatever comes, as ``OTLPAnalytics`` where its
  /// environment says so.
  public let isDisabled: Bool
  /// Why events wait, if the last attempt to send some has failed.
  public let trouble: DeliveryTrouble?
}
