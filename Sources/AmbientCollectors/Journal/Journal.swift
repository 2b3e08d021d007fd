// SPDX-License-Identifier: Apache-2.0

internal import Ambient
package import Foundation
internal import Synchronization

/// A queue of records in a memory-mapped file. Records accepted by ``append(_:at:)`` survive the
/// death of the process. They are still in the queue, in order, when the folder is opened again.
///
/// Records are read in batches, and removed when they are acknowledged, so each is delivered at
/// least once. A full queue drops its oldest records to make room, and counts them. A folder
/// belongs to one ``Journal`` at a time. Safe to use from any thread. Only ``synchronize()`` waits
/// for the disk; the call that finds the file gone writes a new one.
///
/// ```swift
/// let journal = try Journal(folder: "/var/lib/shop/orders")
/// ```
package final class Journal: Sendable {
  /// The limits of a queue, and the permissions of its file.
  package struct Options: Hashable, Sendable {
    /// The size of the queue in bytes. Each record takes its own size and 24 bytes, and up to 7
    /// more for alignment. The size of the queue is rounded up to a power of two, at least 64 KiB
    /// and at most 2 GiB. A queue that is not empty keeps its capacity.
    package var capacity = 16 << 20
    /// The age at which records are dropped; nil for no limit. A record from before 2020 has no
    /// age, because the clock was not set when it was appended.
    package var maximumAge: Duration?
    /// The permissions of the file if it is created, regardless of the process's umask.
    package var permissions: UInt16 = 0o600

    /// Creates options for a queue of 16 MiB without a limit of age.
    package init() {}
  }

  /// The numbers of records dropped since the queue was opened, by reason.
  package struct Dropped: Hashable, Sendable {
    /// The oldest records, dropped to make room. If a reader received a record before it was
    /// dropped, and acknowledges it afterwards, the record no longer counts as dropped. It still
    /// counts if `erase(where:)`, or `batch` without a position, was called before the
    /// acknowledgment.
    package var full = 0
    /// Records older than the maximum age.
    package var expired = 0
    /// Records whose bytes were changed in the file. The number is a lower bound.
    package var damaged = 0
    /// Records that were refused, since they are longer than a quarter of the capacity.
    package var tooLong = 0
    /// Records that still waited when the queue was closed, although its file had been moved,
    /// removed, replaced or cut, and could not be written again. If the file was moved, its next
    /// opening finds these records.
    package var unsaved = 0

    /// Creates numbers that are all zero.
    package init() {}
  }

  /// The position of a record: later records have greater positions, and no position is used twice.
  package struct Position: Comparable, Hashable, Sendable {
    let count: UInt64

    /// Whether one record was appended before the other.
    ///
    /// - Parameters:
    ///   - one: The position of the one record.
    ///   - other: The position of the other record, in the same journal.
    package static func < (one: Position, other: Position) -> Bool { one.count < other.count }
  }

  /// A record, with its position.
  package struct Record: Hashable, Sendable {
    /// The record's position.
    package let position: Position
    /// The date with which the record was appended, in whole microseconds.
    package let date: Date
    /// The appended bytes.
    package let bytes: [UInt8]
  }

  /// The number, the size and the age of the waiting records at one moment.
  struct Waiting: Sendable {
    /// The number of records.
    var count = 0
    /// The total size of the records in bytes.
    var bytes = 0
    /// The date of the first record.
    var oldest: Date?
  }

  struct State: ~Copyable {
    var ring: JournalRing
    /// The records that waited when the queue was closed; nil while it is open.
    var left: Waiting?
    /// The kinds of loss that were reported.
    var told: Set<JournalLoss> = []
    /// The time, in whole seconds, of the last check of the file.
    var latestLook = 0
    /// Whether it was reported that the file is gone or lost pages, and cannot be written again.
    var isWithoutFile = false
    /// Whether a failed synchronization was reported since the last success.
    var isUnsynchronizedTold = false

    var isOpen: Bool { left == nil }

    var waiting: Waiting {
      left ?? Waiting(count: ring.count, bytes: ring.byteCount, oldest: ring.oldest)
    }
  }

  /// The path of the queue's file.
  let path: String
  /// The absolute path, because the file may be opened again after the program has changed its
  /// working folder.
  private let place: String
  /// The permissions of a file that replaces the queue's file.
  private let permissions: UInt16
  /// The journal whose lock covers this journal's file, too; nil if there is none.
  private let keeper: Journal?
  private let root = FileDescriptor.identity(at: "/")
  /// Called when the queue was moved to a new file.
  private let renewed = Guarded<@Sendable () -> Void>({})
  private let state: Guarded<State>
  private let longest: Int
  private let ringSize: Int
  /// The age at which records are dropped.
  let maximumAge: Duration?
  private let forks = Forks.count
  private let isForkTold = Atomic<Bool>(false)

  /// Opens the queue in the file `queue` of the folder. Creates the folder and the queue if they
  /// are missing.
  ///
  /// Damaged records are skipped, counted, and reported to `Diagnostics`.
  ///
  /// - Parameters:
  ///   - folder: The folder, for this journal alone.
  ///   - options: The limits of the journal, and the permissions of its file.
  /// - Throws: ``JournalError`` if the folder cannot be used, or is in use.
  package convenience init(folder: String, _ options: Options = Options()) throws(JournalError) {
    try self.init(folder: folder, file: JournalFile.name, options)
  }

  /// Opens the queue in a file of the folder. Creates the queue if the file is missing.
  ///
  /// - Parameters:
  ///   - keeper: The journal whose lock covers this file, too.
  ///   - patience: The time for which the initializer waits for a fork of this process that still
  ///     holds the lock of a closed journal; without effect if there is a `keeper`.
  convenience init(
    folder: String, file: String, _ options: Options, keeper: Journal? = nil,
    patience: Duration = .seconds(1)
  ) throws(JournalError) {
    let patience = keeper == nil ? patience : .zero
    let file = try JournalFile(folder: folder, file, options, patience: patience)
    try self.init(file, options, keeper)
  }

  /// Opens the existing queue in the folder, and keeps its size.
  ///
  /// - Parameters:
  ///   - options: The limit of age, and the permissions of a file that replaces the queue's file.
  ///   - keeper: The journal whose lock covers this file, too.
  /// - Throws: ``JournalError/missing(path:)`` if there is no queue; none is created.
  convenience init(
    existingIn folder: String, file: String? = nil, _ options: Options = Options(),
    keeper: Journal? = nil
  ) throws(JournalError) {
    try self.init(
      try JournalFile(
        folder: folder, file ?? JournalFile.name, nil, patience: keeper == nil ? .seconds(1) : .zero
      ),
      options, keeper)
  }

  private init(
    _ file: JournalFile, _ options: Options, _ keeper: Journal?
  ) throws(JournalError) {
    path = file.path
    place = FileSystem.absolute(file.path)
    permissions = options.permissions
    self.keeper = keeper
    var faults: [String] = []
    let ring = try file.ring(&faults)
    longest = ring.longest
    ringSize = ring.memory.capacity
    maximumAge = options.maximumAge
    let (damaged, waiting) = (ring.dropped.damaged, ring.count)
    let isDamaged = damaged > 0 || !faults.isEmpty
    state = Guarded(State(ring: ring, told: isDamaged ? [.damaged] : []))
    if isDamaged { report(damage: damaged, faults, waiting: waiting) }
  }

  /// Whether this process opened the queue. False in a fork if the parent process opened the queue.
  @inline(__always)
  private var isOwn: Bool { forks == Forks.known }

  /// Appends the record; if there is no room, drops the oldest records and counts them.
  ///
  /// - Parameters:
  ///   - record: The bytes of the record, which are copied.
  ///   - date: The date from which ``Options/maximumAge`` counts; kept in whole microseconds.
  /// - Returns: False if the record is longer than a quarter of the capacity, if the queue is
  ///   closed, or if the process was forked after it opened the queue. A record that is too long is
  ///   counted as dropped. The first record in a fork is reported to `Diagnostics`.
  @discardableResult
  package func append(_ record: UnsafeRawBufferPointer, at date: Date) -> Bool {
    guard isOwn else { return refuseInFork() }
    guard record.count <= longest else {
      change { $0.note(.tooLong) }
      return false
    }
    let time = date.journalTime
    let second = SystemClock.coarse()
    let (isTaken, hasLost, isLookDue) = state.withLock { state in
      guard state.isOpen else { return (false, false, false) }
      let isTaken = state.ring.append(record, time: time)
      return (isTaken, state.ring.hasLost, state.latestLook != second)
    }
    if hasLost { reportLosses() }
    if isLookDue { keepFile() }
    return isTaken
  }

  @inline(never)
  private func refuseInFork() -> Bool {
    if !isForkTold.exchange(true, ordering: .relaxed) {
      report(
        .fork,
        """
        records of this forked process are lost, because the queue belongs to the process that \
        opened it; open a queue in the fork, in a separate folder
        """)
    }
    return false
  }

  /// Returns the next records, in order. Records older than ``Options/maximumAge`` are dropped
  /// first.
  ///
  /// - Parameters:
  ///   - position: The position of the record before the batch; nil to begin with the first record.
  ///   - maximumCount: The maximum number of records.
  ///   - maximumBytes: The maximum size of all records together in bytes; a single record may be
  ///     larger.
  ///   - now: The current time, from which the ages of the records are calculated.
  package func batch(
    after position: Position? = nil, maximumCount: Int, maximumBytes: Int, now: Date
  ) -> [Record] {
    batch(
      after: position, maximumCount: maximumCount, maximumBytes: maximumBytes, now: now, without: []
    )
  }

  /// Returns the next records, without those at some positions.
  func batch(
    after position: Position? = nil, maximumCount: Int, maximumBytes: Int, now: Date,
    without leftOut: Set<Position>
  ) -> [Record] {
    guard maximumCount > 0 else { return [] }
    keepFile()
    var batch = JournalBatch(
      after: position?.count, maximumCount: maximumCount, maximumBytes: maximumBytes,
      expiry: maximumAge.map { now.journalTime.subtracting($0) }, leftOut: leftOut)
    if position == nil { change { $0.forgetHandedOut() } }
    // Reads a piece at a time, so that appending threads never wait for the whole batch.
    while change({ ring in
      defer { ring.noteHandedOut(batch.records.last) }
      return ring.fill(&batch)
    }) == true {}
    return batch.records
  }

  /// Drops the records that are too old.
  ///
  /// - Returns: The time until the next record is too old; nil if there is no record with an age,
  ///   or no limit of age.
  func expire(now: Date) -> Duration? {
    guard let maximumAge else { return nil }
    keepFile()
    // Filling a batch drops the records that are too old, also if the batch gets no record.
    let expiry = now.journalTime.subtracting(maximumAge)
    var batch = JournalBatch(after: nil, maximumCount: 0, maximumBytes: 0, expiry: expiry)
    while change({ $0.fill(&batch) }) == true {}
    return batch.nextToExpire.map { .microseconds($0) - .microseconds(expiry) }
  }

  /// Whether a record with that date is too old.
  func isTooOld(_ date: Date, now: Date) -> Bool {
    guard let maximumAge, date.hasAge else { return false }
    // As `fill(_:)` decides, also for a clock that shows no number: a record that is too old only
    // for one of the two would be read again without end.
    return date.journalTime < now.journalTime.subtracting(maximumAge)
  }

  /// Removes all records up to and including the one at `position`.
  ///
  /// - Parameter position: The position of the last record that was processed, from a batch.
  package func acknowledge(_ position: Position) {
    change { $0.removeAll(through: position.count) }
  }

  /// Writes zeros over each waiting record that the closure picks, and removes it. The bytes that
  /// earlier removed records left in the file are overwritten, too.
  ///
  /// - Parameter isErased: Whether to erase a record. Called for each waiting record, without a
  ///   lock.
  /// - Returns: The number of erased records, which excludes records that were dropped during the
  ///   call.
  @discardableResult
  package func erase(where isErased: (Record) -> Bool) -> Int {
    var batch = JournalBatch(
      after: nil, maximumCount: .max, maximumBytes: .max, expiry: nil)
    guard let end = change({ $0.end }) else { return 0 }
    batch.limit = end
    var total = 0
    var goesOn = true
    while goesOn {
      goesOn = change { $0.fill(&batch) } == true
      // `isErased` is called without the lock, because it is user code, which may call this
      // journal.
      let named = batch.records.filter(isErased).map(\.position.count)
      batch.records = []
      total += change { $0.erase(named) } ?? 0
    }
    change { ring in
      ring.removeEmptyFrames()
      // A full journal may have dropped records while a reader held them. Usually, such a record is
      // no longer counted as dropped once the reader acknowledges it. From now on, these records
      // stay counted: `isErased` may not have been called for them, and might have picked some.
      ring.forgetDroppedInHand()
    }
    // Other threads may have removed records during the loop, and the bytes of these records are
    // still in the file. `roomEnd` is therefore read only now, so that the free room before it
    // contains these bytes.
    guard let roomEnd = change({ $0.roomEnd }) else { return total }
    var place: UInt64? = end
    while let next = place { place = change { $0.clearRoom(from: next, to: roomEnd) } ?? nil }
    return total
  }

  /// Acknowledges the records at `positions`, which need not be the first waiting records.
  ///
  /// - Parameter count: Called under the queue's lock for each piece of `positions`, with the
  ///   number of the piece's records that are acknowledged, so that ``tally(_:)`` counts each
  ///   record once.
  /// - Returns: The number of acknowledged records, which excludes records that were erased, or
  ///   that expired, after they were read.
  @discardableResult
  func acknowledge(_ positions: [Position], count: (Int) -> Void = { _ in }) -> Int {
    var total = 0
    for start in stride(from: 0, to: positions.count, by: JournalBatch.piece.frames) {
      let piece = positions[start...].prefix(JournalBatch.piece.frames).map(\.count)
      change { ring in
        let acknowledged = ring.takeBack(piece) + ring.erase(piece)
        count(acknowledged)
        total += acknowledged
      }
    }
    change { $0.removeEmptyFrames() }
    return total
  }

  /// Returns those of the positions whose records still wait.
  func waiting(of positions: [Position]) -> Set<Position> {
    Set(change { ring in positions.filter { ring.isWaiting($0.count) } } ?? [])
  }

  /// The position of the next record to append: all waiting records have lower positions.
  var end: Position { Position(count: change { $0.end } ?? 0) }

  /// Whether a record of `count` bytes can be appended without dropping older ones.
  func hasRoom(for count: Int) -> Bool {
    count <= longest && change { $0.room >= RingFrame.size(of: count) } == true
  }

  /// The number of waiting records.
  package var count: Int { change { $0.count } ?? 0 }

  /// The number of bytes of the waiting records.
  package var byteCount: Int { change { $0.byteCount } ?? 0 }

  /// The date of the first waiting record.
  package var oldest: Date? { change { $0.oldest } ?? nil }

  /// The maximum total size, in bytes, of the records and of the frames in which the queue stores
  /// them.
  package var capacity: Int { ringSize }

  /// The numbers of records dropped since the queue was opened.
  package var dropped: Dropped {
    // `change` returns nil for a closed queue, but the numbers of a closed queue can still be read.
    isOwn ? state.withLock { $0.ring.dropped } : Dropped()
  }

  /// Returns the number, size and age of the waiting records, the numbers of dropped records, and
  /// the result of `body`, all at the same moment. For a closed queue, the waiting records are
  /// those at its closing. `body` is called under the queue's lock, like the `count` closure of
  /// `acknowledge(_:count:)`, so that the numbers agree.
  func tally<Counts>(
    _ body: () -> Counts
  ) -> (waiting: Waiting, dropped: Dropped, counts: Counts) {
    // In a forked child process, the parent's ring is not mapped, so no record is counted.
    guard isOwn else { return (Waiting(), Dropped(), body()) }
    return state.withLock { ($0.waiting, $0.ring.dropped, body()) }
  }

  /// The number, size and age of the waiting records. For a closed queue, these are the records
  /// that waited when it was closed.
  var waiting: Waiting { tally {}.waiting }

  /// Waits until all appended records are on the disk, where they also survive a loss of power. A
  /// failure is reported to `Diagnostics`, unless the previous call also failed.
  package func synchronize() {
    keepFile()
    // Appending threads do not wait for the disk, so the lock is released before.
    guard let synchronize = change({ $0.memory.synchronization }) else { return }
    let failure = synchronize()
    let isNew = state.withLock { $0.isUnsynchronizedTold.turnOn(if: failure != nil) }
    guard let failure, isNew else { return }
    report(.writeFailed, Self.unsynchronized(failure))
  }

  /// The report of records that could not be synchronized with the disk.
  static func unsynchronized(_ failure: SystemError) -> String {
    "cannot sync the latest records to the disk: \(failure); a power failure may lose them"
  }

  /// Releases the folder. Later calls of any method change nothing. Waiting records stay in the
  /// file, and are in the queue when the folder is opened again. If the file is gone and cannot be
  /// written again, they are counted as dropped (``Dropped/unsaved``).
  package func close() {
    guard isOwn else { return }
    keepFile(isLast: true)
    let hasLost = state.withLock { state in
      guard state.isOpen else { return false }
      state.left = state.waiting
      if state.ring.count > 0, trouble(of: state.ring) != nil {
        // The frames stay: the file may have been moved, and is then opened where it is.
        state.ring.note(.unsaved, state.ring.count)
        state.left = Waiting()
      }
      state.ring.memory.letGo()
      return state.ring.hasLost
    }
    if hasLost { reportLosses() }
  }

  /// Sets the function that is called when the queue was moved to a new file, without a lock.
  func onRenewal(_ body: @escaping @Sendable () -> Void) { renewed.withLock { $0 = body } }

  /// Whether the queue's file is at its path, so that other files may be written beside it. False
  /// if the queue is closed, and in a fork.
  var isInPlace: Bool {
    isOwn && !isInOtherRoot
      && state.withLock { $0.isOpen && $0.ring.memory.trouble(at: place) != .removed }
  }

  /// Whether the program has called chroot(2) since the queue was opened. The queue's path then
  /// leads elsewhere.
  private var isInOtherRoot: Bool { FileDescriptor.identity(at: "/") != root }

  private func trouble(of ring: borrowing JournalRing) -> MappedRing.Trouble? {
    isInOtherRoot ? nil : ring.memory.trouble(at: place)
  }

  /// If the file lost pages, writes the queue to its file again. If the file was moved, removed or
  /// replaced, moves the queue to a new file. After a failed try, tries again once a second; until
  /// a try succeeds, records wait in memory.
  ///
  /// - Parameter isLast: Whether the queue is closed next, so that it tries in any case, unless no
  ///   record waits.
  func keepFile(isLast: Bool = false) {
    guard isOwn else { return }
    if let keeper, !isLast || count > 0 { keeper.keepFile() }
    let second = SystemClock.coarse()
    let isFolderOurs = keeper?.isInPlace ?? true
    let (isRenewed, news) = state.withLock { state -> (Bool, (Diagnostic.Kind, String)?) in
      guard state.isOpen else { return (false, nil) }
      let isDue = !state.isWithoutFile || state.latestLook != second || isLast
      state.latestLook = second
      guard let trouble = trouble(of: state.ring) else {
        let isBack = state.isWithoutFile
        state.isWithoutFile = false
        return (false, isBack ? (.recovered, "the queue's file is back at its path") : nil)
      }
      // The keeper reports that the folder is another's.
      guard isDue, !isLast || state.ring.count > 0, isFolderOurs || trouble == .lostPages else {
        return (false, nil)
      }
      do throws(JournalError) {
        switch trouble {
        case .lostPages: try JournalFile.restore(&state.ring, at: place)
        case .removed:
          let (folder, name) = FileSystem.split(place)
          try JournalFile.renew(&state.ring, in: folder, name, permissions)
        }
        state.isWithoutFile = false
        return (trouble == .removed, (.damaged, Self.text(of: trouble, nil)))
      } catch {
        let news = Self.text(of: trouble, error)
        return (false, state.isWithoutFile.turnOn() ? (.damaged, news) : nil)
      }
    }
    if let news { report(news.0, news.1) }
    if isRenewed {
      let renewed = renewed.withLock { $0 }
      renewed()
    }
  }

  /// Calls `body` under the lock, and returns its result. Returns nil, without a call, if the queue
  /// is closed or was opened by another process.
  @discardableResult
  private func change<Result: Sendable>(_ body: (inout JournalRing) -> Result) -> Result? {
    // In a fork, the parent's ring is not mapped.
    guard isOwn else { return nil }
    let (result, hasLost) = state.withLock { state -> (Result?, Bool) in
      guard state.isOpen else { return (nil, false) }
      return (body(&state.ring), state.ring.hasLost)
    }
    if hasLost { reportLosses() }
    return result
  }

  /// Reports each kind of loss once. Calls `report` after it has released the lock.
  @inline(never)
  private func reportLosses() {
    let (news, dropped, waiting) = state.withLock { state in
      let dropped = state.ring.takeLosses()
      let news = JournalLoss.allCases.filter {
        dropped[$0] > 0 && state.told.insert($0).inserted
      }
      return (news, dropped, state.ring.count)
    }
    for loss in news { report(loss, of: dropped, waiting: waiting, longest: longest) }
  }
}
