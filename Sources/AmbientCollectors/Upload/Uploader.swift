internal import Ambient
internal import Foundation
internal import Synchronization

/// Uploads the events of a journal to a destination, in a task that runs in the scope where the
/// uploader was created.
///
/// The task starts when an event is appended, when consent is granted, or when a flush or shutdown
/// finds events. Before that, nothing is read from the scope.
final class Uploader: Sendable {
  /// Whether this task, or a task that started it, uploads records of a log.
  @TaskLocal static var isOfLog = false

  /// Orders to the loop from other threads.
  struct Orders {
    /// Whether to send all waiting events, however few.
    var isFlushing = false
    /// The instant by which the loop must end; nil before a shutdown.
    var end: ContinuousClock.Instant?
    /// A number that grows before and after each removal of events from the queue by code other
    /// than the loop. When it has changed, the loop discards the events that it has read, and reads
    /// the queue again.
    var generation = 0
  }

  let journal: Journal
  let refused: RefusedEvents
  let destination: any EventDestination
  let transport: any HTTPTransport
  let options: UploadOptions
  let ledger: UploadLedger
  let bell = Bell()
  /// Whether the uploader sends the records of a log, not events. The task-local value
  /// `Uploader.isOfLog` has the same value in the upload's tasks, so that the log can keep records
  /// that these tasks log out of the queue.
  private let isOfLog: Bool
  /// The word for an event in reports.
  var noun: String { isOfLog ? "record" : "event" }
  /// Whether events may be sent; otherwise they wait.
  let isAllowed: @Sendable () -> Bool
  private let orders = Guarded(Orders())
  private let task = Guarded<Task<Void, Never>?>(nil)
  private let isStarted = Atomic<Bool>(false)
  private let isAbandoned = Atomic<Bool>(false)
  /// The number and the size of the waiting events: those that the loop counted last, plus those
  /// appended since. The number is in the upper 28 bits, the size in bytes in the lower 36 bits.
  /// Neither overflows: the largest queue has 2 GiB.
  private let news = Atomic<UInt64>(0)

  init(
    _ journal: Journal, refused: RefusedEvents, to destination: any EventDestination,
    _ transport: any HTTPTransport, _ options: UploadOptions, isOfLog: Bool = false,
    isAllowed: @escaping @Sendable () -> Bool, notes: any DeliveryNotes
  ) {
    self.journal = journal
    self.refused = refused
    self.destination = destination
    self.transport = transport
    // After `UploadOptions.init` clamped the options, the program may have set some out of range.
    self.options = options.withinRange
    self.isOfLog = isOfLog
    self.isAllowed = isAllowed
    ledger = UploadLedger(destination, noun: isOfLog ? "record" : "event", notes)
  }

  // MARK: - For the collector

  /// Counts an appended event, by one atomic addition. The first event, and an event that completes
  /// a batch, also wake the loop.
  @inline(__always)
  func noteEvent(bytes: Int) {
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

  /// Starts an upload of the waiting events; returns at once.
  func flush() {
    guard journal.count > 0 else { return }
    orders.withLock { $0.isFlushing = true }
    wake()
  }

  /// Starts the loop if necessary, and makes it check the queue again.
  func wake() {
    start()
    bell.ring()
  }

  /// Notes that code other than the loop removed records from the queue.
  func noteRemoval() {
    orders.withLock { $0.generation += 1 }
    forgetTroubleIfEmpty()
    bell.ring()
  }

  /// Clears the recorded delivery failure if no event waits. In a closed queue, the events that
  /// waited when it was closed still count as waiting.
  func forgetTroubleIfEmpty() { if journal.waiting.count == 0 { ledger.forgetTrouble() } }

  private func start() {
    guard !isAbandoned.load(ordering: .acquiring), !isStarted.load(ordering: .acquiring),
      !isStarted.exchange(true, ordering: .acquiringAndReleasing)
    else { return }
    // No lock is held while the task is created: the scope's `Time` may be the program's subclass,
    // whose code could call this uploader and wait for that lock forever.
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
  func shutdown(by deadline: ContinuousClock.Instant) async {
    let end = deadline - min(.milliseconds(250), max(.zero, deadline - .now) / 8)
    orders.withLock { $0.end = end }
    if isAbandoned.load(ordering: .acquiring) { return }
    // The loop is started even if only refused events are left, because it drops the refused events
    // that are now too old.
    let isAnythingThere = journal.count > 0 || refused.count > 0
    guard isAnythingThere || isStarted.load(ordering: .acquiring) else { return }
    wake()
    var started = task.withLock { $0 }
    while started == nil {
      // Another thread is creating the task at this moment, or found the uploader abandoned.
      if isAbandoned.load(ordering: .acquiring) { return }
      await Task.yield()
      started = task.withLock { $0 }
    }
    guard let task = started else { return }
    // The timer uses the real clock, like the caller's deadline, whatever the scope's `Time` is.
    let timer = Task.detached {
      try await ContinuousClock().sleep(until: end)
      task.cancel()
    }
    _ = await task.result
    timer.cancel()
  }

  /// Cancels the upload. After this call, no note is written to the queue's folder.
  func abandon() {
    isAbandoned.store(true, ordering: .releasing)
    task.withLock { $0 }?.cancel()
    ledger.close()
  }

  // MARK: - For the loop

  /// Returns the orders, and resets `isFlushing`.
  func takeOrders() -> Orders {
    orders.withLock { orders in
      defer { orders.isFlushing = false }
      return orders
    }
  }

  var generation: Int { orders.withLock { $0.generation } }
  var end: ContinuousClock.Instant? { orders.withLock { $0.end } }

  /// Counts the waiting events again, so that the event that completes the next batch wakes the
  /// loop. The loop must check the queue after this call, because an event appended meanwhile may
  /// not wake it.
  func countWaiting() {
    let known = news.load(ordering: .acquiring)
    let waiting = journal.waiting
    let counted = UInt64(waiting.count) << 36 | UInt64(waiting.bytes)
    // Adds the difference instead of storing the count, so that events appended meanwhile stay
    // counted. Some are counted twice, and wake the loop too early.
    news.wrappingAdd(counted &- known, ordering: .acquiringAndReleasing)
  }

  /// Sets the count of waiting events to zero, so that `noteEvent(bytes:)` wakes the loop for the
  /// next event. The loop calls this when a delivery begins, and `countWaiting()` afterwards.
  func forgetNews() { _ = news.exchange(0, ordering: .acquiringAndReleasing) }
}
