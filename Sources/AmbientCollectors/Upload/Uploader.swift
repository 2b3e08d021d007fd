internal import Ambient
internal import Foundation
internal import Synchronization

/// Brings what stands in a journal to a destination, from a task of the scope that made it.
///
/// The task is started by the first event: nothing is read of the scope before.
final class Uploader: Sendable {
  /// Whether this task, or one that it started, brings records of a log.
  @TaskLocal static var isOfLog = false

  /// What the loop is told by others.
  struct Orders {
    /// Whether all that waits is wanted, however little it is.
    var isFlushing = false
    /// By when the loop is to end, if it is.
    var end: ContinuousClock.Instant?
    /// Changes when records are taken out of the queue: what was read of it is read again.
    var generation = 0
  }

  let journal: Journal
  let refused: RefusedEvents
  let destination: any Destination
  let transport: any Transport
  let options: UploadOptions
  let ledger: UploadLedger
  let bell = Bell()
  /// Whether records of a log are brought: what is logged meanwhile must not join them.
  private let isOfLog: Bool
  /// What reports call what is brought.
  var noun: String { isOfLog ? "record" : "event" }
  /// Whether events may be sent; what is not yet allowed waits.
  let isAllowed: @Sendable () -> Bool
  private let scope = AmbientScope.capture()
  private let orders = Guarded(Orders())
  private let task = Guarded<Task<Void, any Error>?>(nil)
  private let isStarted = Atomic<Bool>(false)
  /// What was appended since the loop last looked: events, and in the lower bits bytes, for which
  /// there is room for several times what a queue holds.
  private let news = Atomic<UInt64>(0)

  init(
    _ journal: Journal, refused: RefusedEvents, to destination: any Destination,
    _ transport: any Transport, _ options: UploadOptions, isOfLog: Bool = false,
    isAllowed: @escaping @Sendable () -> Bool, notes: any DeliveryNotes
  ) {
    self.journal = journal
    self.refused = refused
    self.destination = destination
    self.transport = transport
    // Its members may have been set to anything since it was made.
    self.options = options.withinRange
    self.isOfLog = isOfLog
    self.isAllowed = isAllowed
    ledger = UploadLedger(destination, noun: isOfLog ? "record" : "event", scope, notes)
  }

  // MARK: - For those who bring events

  /// Notes that an event stands in the journal. Costs one addition, but for the first event and for
  /// those that make a batch.
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

  /// Sends what waits, without waiting for it here.
  func flush() {
    guard journal.count > 0 else { return }
    orders.withLock { $0.isFlushing = true }
    wake()
  }

  /// Lets the loop look anew, since something changed.
  func wake() {
    start()
    bell.ring()
  }

  /// Notes that records were taken out of the queue, not by the loop.
  func noteRemoval() {
    orders.withLock { $0.generation += 1 }
    forgetTroubleIfEmpty()
    bell.ring()
  }

  /// Where nothing waits, no trouble keeps it.
  func forgetTroubleIfEmpty() { if journal.count == 0 { ledger.forgetTrouble() } }

  private func start() {
    guard !isStarted.load(ordering: .acquiring),
      !isStarted.exchange(true, ordering: .acquiringAndReleasing)
    else { return }
    // Under no lock, since the scope's time is anybody's.
    let made = scope.run {
      Time.backgroundTask(name: "upload to \(destination.name)") { [self] in
        await Self.$isOfLog.withValue(isOfLog) {
          var loop = UploadLoop(self)
          await loop.run()
        }
      }
    }
    task.withLock { $0 = made }
  }

  /// Delivers what it can, and ends: a little before, so that nobody has given it up by then.
  func shutdown(by deadline: ContinuousClock.Instant) async {
    let end = deadline - min(.milliseconds(250), max(.zero, deadline - .now) / 8)
    orders.withLock { $0.end = end }
    // What was refused may have become too old.
    let isAnythingThere = journal.count > 0 || refused.count > 0
    guard isAnythingThere || isStarted.load(ordering: .acquiring) else { return }
    wake()
    var started = task.withLock { $0 }
    while started == nil {
      // Another thread is making it at this moment.
      await Task.yield()
      started = task.withLock { $0 }
    }
    guard let task = started else { return }
    // In real time, as the caller's deadline is.
    let timer = Task.detached {
      try await ContinuousClock().sleep(until: end)
      task.cancel()
    }
    _ = await task.result
    timer.cancel()
  }

  /// Ends without delivering anything more, or noting anything where others may look.
  func abandon() {
    task.withLock { $0 }?.cancel()
    ledger.close()
  }

  // MARK: - For the loop

  /// What it is told; a flush is told once.
  func takeOrders() -> Orders {
    orders.withLock { orders in
      defer { orders.isFlushing = false }
      return orders
    }
  }

  var generation: Int { orders.withLock { $0.generation } }
  var end: ContinuousClock.Instant? { orders.withLock { $0.end } }

  /// Begins a new count of what is appended.
  func forgetNews() { _ = news.exchange(0, ordering: .acquiringAndReleasing) }
}
