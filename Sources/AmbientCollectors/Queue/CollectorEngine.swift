// SPDX-License-Identifier: Apache-2.0

internal import Ambient
internal import Foundation
internal import Synchronization

/// A collector's engine: it appends events to a queue, and uploads them to a destination, in a task
/// that runs in the scope where the engine was created. Collectors of events and collectors of log
/// records share this class.
///
/// Appending an event never waits for the network. The task starts when an event is appended, when
/// consent is granted, or when a flush or shutdown finds events. Before that, nothing is read from
/// the scope. The owner calls `close()` when it is released: the task refers to the engine.
final class CollectorEngine: Sendable {
  /// Whether this task, or a task that started it, uploads records of a log.
  @TaskLocal static var isOfLog = false

  /// Orders to the loop from other threads.
  struct Orders {
    /// Whether to send all waiting events, however few.
    var isFlushing = false { didSet { if isFlushing { flushes += 1 } } }
    /// The number of flushes.
    fileprivate(set) var flushes = 0
    /// The instant by which the loop must end; nil before a shutdown.
    var end: ContinuousClock.Instant?
    /// A number that grows before and after each removal of events from the queue by code other
    /// than the loop. When it has changed, the loop discards the events that it has read, and reads
    /// the queue again.
    var generation = 0
  }

  let queue: EventQueue
  let destination: any EventDestination
  /// The transport; nil only if the collector is off.
  let transport: (any HTTPTransport)?
  let options: UploadOptions
  let ledger: UploadLedger
  let bell = Bell()
  /// Whether the engine sends the records of a log, not events. The task-local value
  /// `CollectorEngine.isOfLog` has the same value in the upload's tasks, so that the log can keep
  /// records that these tasks log out of the queue.
  private let isOfLog: Bool
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
  private let orders = Guarded(Orders())
  private let task = Guarded<Task<Void, Never>?>(nil)
  private let isStarted = Atomic<Bool>(false)
  private let isAbandoned = Atomic<Bool>(false)
  /// The number and the size of the waiting events: the loop's last count, plus the events appended
  /// since then. The number is in the upper 28 bits, the size in bytes in the lower 36 bits.
  /// Neither overflows: the largest queue has 2 GiB.
  private let news = Atomic<UInt64>(0)

  /// - Parameter transport: The transport that sends the requests; nil to use a `CollectorClient`.
  /// - Throws: ``CollectorError`` if the program cannot use HTTP, or if another collector uses the
  ///   queue.
  init(
    _ destination: any EventDestination, queue: EventQueue, upload: UploadOptions,
    transport: (any HTTPTransport)?, offBy: String? = nil, isOfLog: Bool = false
  ) throws(CollectorError) {
    // The HTTP client is created before the queue is claimed, because its creation may throw and a
    // claim cannot be undone.
    self.transport = transport == nil && offBy == nil ? try CollectorClient() : transport
    try queue.take()
    self.queue = queue
    self.destination = destination
    options = upload
    self.offBy = offBy
    self.isOfLog = isOfLog
    ledger = UploadLedger(destination, noun: isOfLog ? "record" : "event", queue)
    queue.note(destination: destination.name, noun: noun)
    guard let (consent, purpose) = queue.consent else { return }
    let observation = consent.onChange { [weak self] changed, _ in
      if changed == purpose { self?.noteConsent() }
    }
    self.observation.withLock { $0 = observation }
    // Consent may have been denied since the events were queued.
    removeDenied()
  }

  /// The collector's name in reports.
  var name: String { destination.name }

  /// Whether the collector accepts events: false while consent is denied or the collector is off.
  var isAccepting: Bool { offBy == nil ? queue.admission != .denied : tellOff() }

  /// If the collector is off, reports this once. Always returns false.
  @inline(never)
  @discardableResult
  private func tellOff() -> Bool {
    if let offBy, !isOffTold.exchange(true, ordering: .relaxed) {
      Diagnostics.report(
        .undelivered, source: name, Self.off(by: offBy, noun, waiting: queue.journal.count))
    }
    return false
  }

  /// The report of a collector that is off.
  static func off(by setting: String, _ noun: String, waiting count: Int) -> String {
    let waiting =
      count == 0 ? "" : ", and \(count) in the queue \(count == 1 ? "is" : "are") not sent"
    return "\(setting): new \(noun)s are discarded\(waiting)"
  }

  /// The report of events that come after the shutdown.
  static func late(_ noun: String) -> String {
    """
    \(noun)s after the shutdown are lost, and counted in status.lost; shut the collector down last
    """
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
    noteEvent(bytes: bytes)
  }

  /// Stores the program's user in the queue's folder. A collector that is off stores no user, but
  /// removes another one, to whom the events of the next start would belong.
  func keep(_ user: AnalyticsUser?) {
    if offBy != nil {
      if user == nil || queue.identity.user?.id != user?.id { queue.identity.keep(nil) }
      return
    }
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
    Diagnostics.report(.undelivered, source: name, Self.late(noun))
  }

  /// The number of fields and events that were changed for the destination, by rule.
  var amendments: [String: Int] { destination.amendments }

  /// Starts an upload of the waiting events; returns at once.
  func flush() {
    tellOff()
    guard queue.journal.count > 0 else { return }
    orders.withLock { $0.isFlushing = true }
    wake()
  }

  /// Uploads waiting events until the deadline, and closes the queue.
  func shutdown(deadline: ContinuousClock.Instant) async {
    tellOff()
    await finish(by: deadline)
    if !isClosed.exchange(true, ordering: .relaxed) { queue.note(lost: status.lost) }
    queue.journal.synchronize()
    abandon()
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
    // The removal is announced to the loop both before it begins and after it ends, so that the
    // loop discards any batch that it read before the removal ended.
    noteRemoval()
    defer { noteRemoval() }
    return queue.journal.erase(where: isErased)
  }

  private func noteConsent() {
    removeDenied()
    if queue.isSendingAllowed { wake() }
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
    let (waiting, dropped, counts) = queue.journal.tally { ledger.counts }
    var lost = counts.lost
    // `refusals` includes the events that are too long, which the journal counts as
    // `dropped.tooLong`.
    let closed = max(0, refusals - dropped.tooLong)
    for (reason, count) in [
      ("the queue was full", dropped.full), ("too old", dropped.expired),
      ("damaged in the queue", dropped.damaged), ("too long for the queue", dropped.tooLong),
      ("the queue was closed", closed), ("the queue's file was gone", dropped.unsaved),
    ] where count > 0 { lost[reason, default: 0] += count }
    return DeliveryStatus(
      waiting: waiting.count, waitingBytes: waiting.bytes, oldest: waiting.oldest,
      delivered: counts.delivered, lost: lost,
      withheld: withheld.load(ordering: .relaxed), refused: queue.refused.count,
      forgotten: queue.refused.forgotten, isDisabled: offBy != nil,
      setAside: waiting.count == 0 ? [:] : counts.setAside, trouble: counts.trouble)
  }
}

/// The upload.
extension CollectorEngine {
  /// Counts an appended event, by one atomic addition. The first event, and an event that completes
  /// a batch, also wake the loop.
  @inline(__always)
  private func noteEvent(bytes: Int) {
    let one: UInt64 = 1 << 36
    let bytes = UInt64(truncatingIfNeeded: bytes)
    let (before, after) = news.wrappingAdd(one | bytes, ordering: .acquiringAndReleasing)
    let limit = UInt64(options.bytes)
    guard
      before == 0 || after / one == UInt64(options.events)
        || (before % one < limit && after % one >= limit)
    else { return }
    wake()
  }

  /// Starts the loop if necessary, and makes it check the queue again.
  func wake() {
    start()
    bell.ring()
  }

  /// Notes that code other than the loop removed records from the queue.
  private func noteRemoval() {
    orders.withLock { $0.generation += 1 }
    forgetTroubleIfEmpty()
    bell.ring()
  }

  /// Clears the recorded delivery failure if no event waits. In a closed queue, the events that
  /// waited when it was closed still count as waiting.
  func forgetTroubleIfEmpty() { if queue.journal.waiting.count == 0 { ledger.forgetTrouble() } }

  private func start() {
    guard !isAbandoned.load(ordering: .acquiring), !isStarted.load(ordering: .acquiring),
      !isStarted.exchange(true, ordering: .acquiringAndReleasing)
    else { return }
    // No lock is held while the task is created: the scope's `Time` may be the program's subclass,
    // whose code could call this engine and wait for that lock forever.
    let made = ledger.inScope {
      Time.backgroundTask(name: "upload to \(destination.name)") { [self] in
        // The closure of the task has no isolation, so there is no actor to stay on.
        await Self.$isOfLog.withValue(isOfLog) {
          var loop = UploadLoop(self)
          await loop.run()
        }
      }
    }
    task.withLock { $0 = made }
    if isAbandoned.load(ordering: .acquiring) { made?.cancel() }
  }

  /// Uploads until shortly before the deadline, so that this method returns while its caller still
  /// waits.
  private func finish(by deadline: ContinuousClock.Instant) async {
    let end = deadline - min(.milliseconds(250), max(.zero, deadline - RealTime.now) / 8)
    orders.withLock { $0.end = end }
    if isAbandoned.load(ordering: .acquiring) { return }
    // The loop is started even if only refused events are left, because it drops the refused events
    // that are now too old.
    let isAnythingThere = queue.journal.count > 0 || queue.refused.count > 0
    guard isAnythingThere || isStarted.load(ordering: .acquiring) else { return }
    wake()
    var started = task.withLock { $0 }
    while started == nil {
      // Another thread is creating the task at this moment, or found the engine abandoned.
      if isAbandoned.load(ordering: .acquiring) { return }
      await Task.yield()
      started = task.withLock { $0 }
    }
    guard let task = started else { return }
    // The timer uses the real clock, like the caller's deadline, even in a scope of virtual time.
    let timer = Task.detached {
      try await RealTime.sleep(for: end - RealTime.now)
      task.cancel()
    }
    _ = await task.result
    timer.cancel()
  }

  /// Ends all that the engine does, without another upload.
  func close() {
    observation.withLock { $0 }?.cancel()
    abandon()
    queue.close()
  }

  /// Cancels the upload. After this call, no note is written to the queue's folder.
  private func abandon() {
    isAbandoned.store(true, ordering: .releasing)
    task.withLock { $0 }?.cancel()
    ledger.close()
  }
}

/// For the loop.
extension CollectorEngine {
  /// The word for an event in reports.
  var noun: String { isOfLog ? "record" : "event" }

  /// Whether events may be sent; otherwise they wait.
  var isSendingAllowed: Bool { offBy == nil && queue.isSendingAllowed }

  /// Returns the orders, and resets `isFlushing`.
  func takeOrders() -> Orders {
    orders.withLock { orders in
      defer { orders.isFlushing = false }
      return orders
    }
  }

  var generation: Int { orders.withLock { $0.generation } }
  var flushes: Int { orders.withLock { $0.flushes } }
  var end: ContinuousClock.Instant? { orders.withLock { $0.end } }

  /// Counts the waiting events again, so that the event that completes the next batch wakes the
  /// loop.
  ///
  /// - Parameter resting: The number of events that are not sent yet, and do not wake the loop.
  /// - Returns: The waiting events, including each whose append may not wake the loop.
  @discardableResult
  func countWaiting(without resting: Int = 0) -> Journal.Waiting {
    let known = news.load(ordering: .acquiring)
    let waiting = queue.journal.waiting
    let isAnyDue = waiting.count > resting
    let counted = isAnyDue ? UInt64(waiting.count - resting) << 36 | UInt64(waiting.bytes) : 0
    // Adds the difference instead of storing the count, so that events appended meanwhile stay
    // counted. Some are counted twice, and wake the loop too early.
    let before = news.wrappingAdd(counted &- known, ordering: .acquiringAndReleasing).oldValue
    // An event appended meanwhile may not have woken the loop, and may be missing from `waiting`.
    return before == known ? waiting : queue.journal.waiting
  }

  /// Sets the count of waiting events to zero, so that `noteEvent(bytes:)` wakes the loop for the
  /// next event. The loop calls this when a delivery begins, and `countWaiting()` afterwards.
  func forgetNews() { _ = news.exchange(0, ordering: .acquiringAndReleasing) }
}
