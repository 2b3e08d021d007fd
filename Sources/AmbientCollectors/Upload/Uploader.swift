internal import Ambient
internal import Foundation
internal import Synchronization

/// Uploads the events of a journal to a destination, in a task of the scope that made the uploader.
///
/// The first event starts the task; before that, nothing is read from the scope.
final class Uploader: Sendable {
  /// Whether this task, or one that started it, uploads records of a log.
  @TaskLocal static var isOfLog = false

  /// Orders to the loop from other threads.
  struct Orders {
    /// Whether to send all waiting events, however few.
    var isFlushing = false
    /// The instant by which the loop must end; nil if it goes on.
    var end: ContinuousClock.Instant?
    /// Counts removals by other code than the loop, which then reads the queue again.
    var generation = 0
  }

  let journal: Journal
  let refused: RefusedEvents
  let destination: any EventDestination
  let transport: any HTTPTransport
  let options: UploadOptions
  let ledger: UploadLedger
  let bell = Bell()
  /// Whether records of a log are uploaded: records that are logged during an upload must not join
  /// them.
  private let isOfLog: Bool
  /// The word for an event in reports.
  var noun: String { isOfLog ? "record" : "event" }
  /// Whether events may be sent; otherwise they wait.
  let isAllowed: @Sendable () -> Bool
  private let orders = Guarded(Orders())
  private let task = Guarded<Task<Void, any Error>?>(nil)
  private let isStarted = Atomic<Bool>(false)
  private let isAbandoned = Atomic<Bool>(false)
  /// The number of waiting events, as of the loop's last look and since; in the lower 36 bits their
  /// bytes, which leaves room for several times the size of a queue.
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
    // The program may have set properties out of range since the initializer clamped them.
    self.options = options.withinRange
    self.isOfLog = isOfLog
    self.isAllowed = isAllowed
    ledger = UploadLedger(destination, noun: isOfLog ? "record" : "event", notes)
  }

  // MARK: - For the collector

  /// Counts an appended event. Costs one addition, except for the first event and for those that
  /// complete a batch, which wake the loop.
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

  /// Starts the loop if necessary, and makes it look again.
  func wake() {
    start()
    bell.ring()
  }

  /// Records that other code than the loop removed records from the queue.
  func noteRemoval() {
    orders.withLock { $0.generation += 1 }
    forgetTroubleIfEmpty()
    bell.ring()
  }

  /// Forgets the failure to deliver if no event waits, or if none waited when the queue was closed.
  func forgetTroubleIfEmpty() { if journal.waiting.count == 0 { ledger.forgetTrouble() } }

  private func start() {
    guard !isAbandoned.load(ordering: .acquiring), !isStarted.load(ordering: .acquiring),
      !isStarted.exchange(true, ordering: .acquiringAndReleasing)
    else { return }
    // Made without a lock: the scope's time may be the program's code.
    let made = ledger.inScope {
      Time.backgroundTask(name: "upload to \(destination.name)") { [self] in
        await Self.$isOfLog.withValue(isOfLog) {
          var loop = UploadLoop(self)
          await loop.run()
        }
      }
    }
    task.withLock { $0 = made }
    if isAbandoned.load(ordering: .acquiring) { made?.cancel() }
  }

  /// Uploads until shortly before the deadline, so that the caller is still waiting at the end.
  func shutdown(by deadline: ContinuousClock.Instant) async {
    let end = deadline - min(.milliseconds(250), max(.zero, deadline - .now) / 8)
    orders.withLock { $0.end = end }
    if isAbandoned.load(ordering: .acquiring) { return }
    // Refused events alone also start the loop: it drops those that are now too old.
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
    // The timer counts real time, like the caller's deadline.
    let timer = Task.detached {
      try await ContinuousClock().sleep(until: end)
      task.cancel()
    }
    _ = await task.result
    timer.cancel()
  }

  /// Stops uploading, and writes no more notes to the folder.
  func abandon() {
    isAbandoned.store(true, ordering: .releasing)
    task.withLock { $0 }?.cancel()
    ledger.close()
  }

  // MARK: - For the loop

  /// The orders; resets the flush.
  func takeOrders() -> Orders {
    orders.withLock { orders in
      defer { orders.isFlushing = false }
      return orders
    }
  }

  var generation: Int { orders.withLock { $0.generation } }
  var end: ContinuousClock.Instant? { orders.withLock { $0.end } }

  /// Counts the waiting events again, so that the event that completes the next batch wakes the
  /// loop.
  /// The loop must look at the queue after this: an event appended meanwhile may not wake it.
  func countWaiting() {
    let known = news.load(ordering: .acquiring)
    let waiting = journal.waiting
    let counted = UInt64(waiting.count) << 36 | UInt64(waiting.bytes)
    // Adds to the count, so that events appended meanwhile stay counted: some are counted twice,
    // and wake the loop too early.
    news.wrappingAdd(counted &- known, ordering: .acquiringAndReleasing)
  }

  /// Lets the next event wake the loop; used during a delivery, after which the loop counts again.
  func forgetNews() { _ = news.exchange(0, ordering: .acquiringAndReleasing) }
}
