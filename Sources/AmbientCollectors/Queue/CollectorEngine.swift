internal import Ambient
internal import Foundation
internal import Synchronization

/// A queue together with the consent to use it and the uploader that empties it. Collectors of
/// events and collectors of log records share this class.
///
/// Appending an event never waits for the network. Uploads use the `Time` of the scope in which the
/// delivery was created.
final class CollectorEngine: Sendable {
  let queue: EventQueue
  private let uploader: Uploader
  /// The setting that turns the collector off, such as `OTEL_SDK_DISABLED is true`; nil if the
  /// collector is on.
  private let offBy: String?
  private let isOffTold = Atomic<Bool>(false)
  /// `refusals` counts events that the queue did not accept. `withheld` counts events that were
  /// removed or discarded for lack of consent, or because the collector is off.
  private let refusals = Atomic<Int>(0)
  private let withheld = Atomic<Int>(0)
  private let observation = Guarded<ConsentObservation?>(nil)
  private let isClosed = Atomic<Bool>(false)
  private let isLateTold = Atomic<Bool>(false)

  /// - Parameter transport: The transport that sends the requests; nil to use an `HTTPClient`,
  ///   unless the collector is off.
  /// - Throws: ``CollectorError`` if the program cannot use HTTP, or if another collector uses the
  ///   queue.
  init(
    _ destination: any EventDestination, queue: EventQueue, upload: UploadOptions,
    transport: (any HTTPTransport)?, offBy: String? = nil, isOfLog: Bool = false
  ) throws(CollectorError) {
    // The HTTP client is created before the queue is claimed, because its creation may throw and a
    // claim cannot be undone.
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

  /// Whether the collector accepts events: false while consent is denied or the collector is off.
  var isTaking: Bool { offBy == nil ? queue.admission != .denied : tellOff() }

  /// If the collector is off, reports this once. Always returns false.
  @inline(never)
  @discardableResult
  private func tellOff() -> Bool {
    if let offBy, !isOffTold.exchange(true, ordering: .relaxed) {
      let count = queue.journal.count
      let waiting =
        count == 0 ? "" : ", and \(count) in the queue \(count == 1 ? "is" : "are") not sent"
      Diagnostics.report(
        .undelivered, source: name, "\(offBy): no \(uploader.noun)s are taken\(waiting)")
    }
    return false
  }

  /// Appends an event to the queue.
  ///
  /// - Parameter append: Appends the event's line and returns the line's size in bytes; nil if the
  ///   journal did not accept the line.
  @inline(__always)
  func put(_ append: (Journal) -> Int?) {
    let admission = offBy == nil ? queue.admission : .denied
    guard admission != .denied else { return noteWithheld() }
    if admission == .unsettled { removeDenied() }
    guard let bytes = append(queue.journal) else { return noteRefusal() }
    // If consent was denied after the first check, the denial may have removed the waiting events
    // before this event was appended, so this event is removed here.
    guard queue.admission != .denied else { return removeDenied() }
    uploader.noteEvent(bytes: bytes)
  }

  /// Stores the program's user in the queue's folder.
  func keep(_ user: AnalyticsUser?) {
    guard offBy == nil else { return }
    // The user is treated like an event. If consent was denied and granted again, the events and
    // the user from before the denial are removed first. While consent is denied, `identity` stores
    // no user.
    if queue.admission == .unsettled { removeDenied() }
    queue.identity.keep(user)
  }

  @inline(never)
  private func noteWithheld() {
    tellOff()
    withheld.add(1, ordering: .relaxed)
  }

  /// Counts an event that the queue did not accept. The journal itself reports an event that is too
  /// long.
  @inline(never)
  private func noteRefusal() {
    refusals.add(1, ordering: .relaxed)
    // This method uses atomics instead of a lock. On Apple's systems, a forked process inherits the
    // locks that other threads held, and would wait for them forever.
    guard isClosed.load(ordering: .relaxed), !isLateTold.exchange(true, ordering: .relaxed) else {
      return
    }
    Diagnostics.report(
      .undelivered, source: name,
      """
      \(uploader.noun)s come after the shutdown, when the queue is closed, and are lost and \
      counted; shut the collector down last
      """)
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
    // The queue is erased first. An event that is refused meanwhile is written to the file of
    // refused events before it leaves the queue, so one of the two removals finds the event.
    removed(where: isErased) + queue.refused.erase(where: isErased)
  }

  /// Removes waiting events; a request that is under way may still deliver some of them.
  private func removed(where isErased: (Journal.Record) -> Bool) -> Int {
    // The removal is announced to the uploader both before it begins and after it ends, so that the
    // upload loop discards any batch that it read before the removal ended.
    uploader.noteRemoval()
    defer { uploader.noteRemoval() }
    return queue.journal.erase(where: isErased)
  }

  private func noteConsent() {
    removeDenied()
    if queue.isSendingAllowed { uploader.wake() }
  }

  /// Removes the events that waited or had been refused when consent was denied, even if consent
  /// was granted since.
  ///
  /// No lock is held during the whole method, because other threads that call it would then wait
  /// until all events are removed. Threads that call it at the same time each do all of the steps.
  private func removeDenied() {
    guard let (end, denials) = queue.unsettledDenials() else { return }
    queue.identity.forget(before: denials)
    withheld.add(removed { $0.position < end }, ordering: .relaxed)
    // First reads `end`, the position after the last refused event, and then checks that the
    // denials are still unsettled. Until they are settled, no event is sent or refused. Therefore,
    // events that are refused after a new grant have positions from `end` on, and are not erased
    // here.
    if let end = queue.refused.end, queue.unsettledDenials() != nil {
      queue.refused.erase { $0.position < end }
    }
    queue.settle(denials)
  }

  /// The numbers of waiting, delivered and lost events, with the reasons for losses.
  var status: DeliveryStatus {
    // An event that is too long is counted first by the journal and then by `refusals`. Therefore
    // `refusals` is read before the journal's tally: their difference, `closed`, is then never too
    // high.
    let refusals = refusals.load(ordering: .relaxed)
    // All counts are read at one moment, under the journal's lock, so that an event that is being
    // delivered is counted once.
    let (waiting, dropped, counts) = queue.journal.tally { uploader.ledger.counts }
    var lost = counts.lost
    // `refusals` includes the events that are too long, which the journal counts as
    // `dropped.tooLong`.
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

/// The transport of a collector that is off. It fails every exchange, so that such a collector
/// works without an HTTP client.
private struct NoTransport: HTTPTransport {
  func exchange(
    _ request: OutgoingRequest, _ limits: ExchangeLimits
  ) async throws(TransportError) -> HTTPAnswer {
    throw TransportError(.unsent, "the collector is off")
  }
}
