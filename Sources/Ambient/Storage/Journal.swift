#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A queue of records in a file that is mapped into memory: what ``append(_:at:)`` has taken
/// survives the death of the process, and is there, in order, when the folder is opened again.
///
/// Records are read in batches and removed when they are acknowledged, so each is delivered at
/// least once. What the queue has no room for is dropped, the oldest first, and counted. A folder
/// belongs to one ``Journal`` at a time. Safe to use from any thread; no call but ``synchronize()``
/// waits for the disk.
///
/// ```swift
/// let journal = try Journal(folder: "/var/lib/shop/orders")
/// ```
public final class Journal: Sendable {
  /// How large a queue is, and how long records stay.
  public struct Options: Hashable, Sendable {
    /// Bytes of room for records, of which each takes 24 and up to 7 more than it has: rounded up
    /// to a power of two, at least 64 KiB and at most 2 GiB. A queue that is not empty keeps what
    /// it was made with.
    public var capacity = 16 << 20
    /// How old a record may become; nil for any age.
    public var maximumAge: Duration?
    /// Which permissions the file has if it is made, whatever the process's mask.
    public var permissions: UInt16 = 0o600

    /// A queue of 16 MiB, whose records stay until they are acknowledged.
    public init() {}
  }

  /// How many records were dropped since the queue was opened, and why.
  public struct Dropped: Hashable, Sendable {
    /// The oldest, for which there was no room any more; none that was acknowledged afterwards by a
    /// reader that had it in hand, unless records were erased in between.
    public var full = 0
    /// Older than the maximum age.
    public var expired = 0
    /// No more what was written; as many at least.
    public var damaged = 0
    /// Never taken: longer than a quarter of the capacity.
    public var tooLong = 0

    /// Nothing was dropped.
    public init() {}
  }

  /// Where a record stands: later records have greater positions, and none comes again.
  public struct Position: Comparable, Hashable, Sendable {
    let count: UInt64

    /// Whether one record was appended before the other.
    ///
    /// - Parameters:
    ///   - one: The position of the one record.
    ///   - other: The position of the other record, in the same journal.
    public static func < (one: Position, other: Position) -> Bool { one.count < other.count }
  }

  /// What was appended, and where it stands.
  public struct Record: Hashable, Sendable {
    /// Where it stands.
    public let position: Position
    /// The date that was given with it, in whole microseconds.
    public let date: Date
    /// The bytes that were given.
    public let bytes: [UInt8]
  }

  /// What waits at one moment.
  package struct Waiting: Sendable {
    /// How many records.
    package var count = 0
    /// How many bytes they have.
    package var bytes = 0
    /// The date of the first.
    package var oldest: Date?
  }

  struct State: ~Copyable {
    var ring: JournalRing
    /// What waited when the queue was closed; nil while it is open.
    var left: Waiting?
    /// What was reported.
    var told: Set<JournalLoss> = []
    /// When it was last tried to write the queue to its file anew, in seconds, and whether that was
    /// reported.
    var latestRestoring = 0
    var isRestoringTold = false

    var isOpen: Bool { left == nil }

    var waiting: Waiting {
      left ?? Waiting(count: ring.count, bytes: ring.byteCount, oldest: ring.oldest)
    }
  }

  /// The file.
  let path: String
  private let file: FileDescriptor
  private let state: Guarded<State>
  private let longest: Int
  private let ringSize: Int
  /// How old a record may become.
  package let maximumAge: Duration?
  private let forks = Forks.count

  /// Opens the queue in the folder, which is made if it is missing, or makes one: the file `queue`.
  ///
  /// Damaged records are skipped, counted, and reported to ``Diagnostics``.
  ///
  /// - Parameters:
  ///   - folder: The folder of this journal alone.
  ///   - options: The limits of the journal, and what its records survive.
  /// - Throws: ``JournalError`` if the folder cannot be used, or another process uses it.
  public convenience init(folder: String, _ options: Options = Options()) throws(JournalError) {
    try self.init(folder: folder, file: JournalFile.name, options)
  }

  /// Opens the queue in that file of the folder, or makes one.
  package convenience init(
    folder: String, file: String, _ options: Options
  ) throws(JournalError) {
    try self.init(
      try JournalFile(folder: folder, file, options), maximumAge: options.maximumAge)
  }

  /// Opens the queue that is in the folder, and leaves it as large as it is.
  ///
  /// - Throws: ``JournalError/missing(path:)`` if there is none; nothing is made.
  package convenience init(
    existingIn folder: String, file: String? = nil, maximumAge: Duration? = nil
  ) throws(JournalError) {
    try self.init(
      try JournalFile(folder: folder, file ?? JournalFile.name, nil), maximumAge: maximumAge)
  }

  private init(_ file: JournalFile, maximumAge: Duration?) throws(JournalError) {
    var file = file
    let ring = try file.ring()
    path = file.path
    self.file = file.file
    longest = ring.longest
    ringSize = ring.memory.capacity
    self.maximumAge = maximumAge
    let (damaged, waiting) = (ring.dropped.damaged, ring.count)
    let faults = file.contents.faults
    let isDamaged = damaged > 0 || !faults.isEmpty
    state = Guarded(State(ring: ring, told: isDamaged ? [.damaged] : []))
    if isDamaged { report(damage: damaged, faults, waiting: waiting) }
  }

  /// Whether this process has opened it, and no fork of that.
  @inline(__always)
  private var isOwn: Bool { forks == Forks.known }

  /// Takes the record; if there is no room, the oldest are dropped and counted.
  ///
  /// - Parameters:
  ///   - record: The bytes of the record, which are copied.
  ///   - date: What ``Options/maximumAge`` counts from, and is kept in whole microseconds.
  /// - Returns: False if the record is longer than a quarter of the capacity, which is counted, if
  ///   the queue is closed, or if the process is a fork of the one that opened it.
  @discardableResult
  public func append(_ record: UnsafeRawBufferPointer, at date: Date) -> Bool {
    guard isOwn else { return false }
    guard record.count <= longest else {
      change {
        $0.dropped.tooLong += 1
        $0.hasLost = true
      }
      return false
    }
    let time = date.journalTime
    let (isTaken, hasLost) = state.withLock { state in
      guard state.isOpen else { return (false, false) }
      let isTaken = state.ring.append(record, time: time)
      return (isTaken, state.ring.hasLost)
    }
    if hasLost { reportLosses() }
    return isTaken
  }

  /// The next records, in order; those that are older than ``Options/maximumAge`` are dropped
  /// first.
  ///
  /// - Parameters:
  ///   - position: Behind which record to begin; nil for the first that waits.
  ///   - maximumCount: How many records at most.
  ///   - maximumBytes: How many bytes they have in all at most; one record may have more.
  ///   - now: When ages are told.
  public func batch(
    after position: Position? = nil, maximumCount: Int, maximumBytes: Int, now: Date
  ) -> [Record] {
    guard maximumCount > 0 else { return [] }
    restoreIfLost()
    var batch = JournalBatch(
      after: position?.count, maximumCount: maximumCount, maximumBytes: maximumBytes,
      expiry: maximumAge.map { now.journalTime.subtracting($0) })
    if position == nil { change { $0.forgetHandedOut() } }
    // A piece at a time, so that appending threads do not wait for all.
    while change({ ring in
      defer { ring.noteHandedOut(batch.records.last) }
      return ring.fill(&batch)
    }) == true {}
    return batch.records
  }

  /// Removes all records up to and with that one.
  ///
  /// - Parameter position: The position of the last record that was dealt with, as a batch gives
  ///   it.
  public func acknowledge(_ position: Position) {
    change { $0.removeAll(through: position.count) }
  }

  /// Writes zeros over each waiting record that the closure names, and removes it. What records
  /// that were removed before have left in the file is overwritten, too.
  ///
  /// - Parameter isErased: Whether a record goes. Called for each that waits, under no lock.
  /// - Returns: How many records were erased. One that was dropped meanwhile is none of them.
  @discardableResult
  public func erase(where isErased: (Record) -> Bool) -> Int {
    var batch = JournalBatch(
      after: nil, maximumCount: .max, maximumBytes: .max, expiry: nil)
    guard let end = change({ $0.end }) else { return 0 }
    batch.limit = end
    var total = 0
    var goesOn = true
    while goesOn {
      goesOn = change { $0.fill(&batch) } == true
      // Under no lock, since it is the program's.
      let named = batch.records.filter(isErased).map(\.position.count)
      batch.records = []
      total += change { $0.erase(named) } ?? 0
    }
    change { ring in
      ring.removeEmptyFrames()
      // Those that were dropped meanwhile may have been to be erased, too.
      ring.forgetDroppedInHand()
    }
    // Now, since others may have removed records meanwhile, which stand there still.
    guard let roomEnd = change({ $0.roomEnd }) else { return total }
    var place: UInt64? = end
    while let next = place { place = change { $0.clearRoom(from: next, to: roomEnd) } ?? nil }
    return total
  }

  /// Acknowledges those records, wherever they stand among those that wait.
  ///
  /// - Parameter count: Called under the queue's lock with how many records of a piece had not been
  ///   erased meanwhile, so that ``tally(_:)`` sees each record once.
  /// - Returns: How many of all had not been erased meanwhile.
  @discardableResult
  package func acknowledge(_ positions: [Position], count: (Int) -> Void = { _ in }) -> Int {
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

  /// Where the next record will stand: all that wait stand before it.
  package var end: Position { Position(count: change { $0.end } ?? 0) }

  /// Whether a record of so many bytes is taken without another being dropped for it.
  package func hasRoom(for count: Int) -> Bool {
    count <= longest && change { $0.room >= RingFrame.size(of: count) } == true
  }

  /// How many records wait.
  public var count: Int { change { $0.count } ?? 0 }

  /// How many bytes the records have that wait.
  public var byteCount: Int { change { $0.byteCount } ?? 0 }

  /// The date of the first record that waits.
  public var oldest: Date? { change { $0.oldest } ?? nil }

  /// For how many bytes there is room, the frames of records included.
  public var capacity: Int { ringSize }

  /// How many records were dropped since the queue was opened.
  public var dropped: Dropped {
    // Those of a closed one, too.
    isOwn ? state.withLock { $0.ring.dropped } : Dropped()
  }

  /// What waits, or waited when the queue was closed, and what was dropped, with what `body`
  /// returns at the same moment: it is called under the queue's lock, as the count of acknowledged
  /// records is.
  package func tally<Counts>(
    _ body: () -> Counts
  ) -> (waiting: Waiting, dropped: Dropped, counts: Counts) {
    // A fork could not take the lock.
    guard isOwn else { return (Waiting(), Dropped(), body()) }
    return state.withLock { ($0.waiting, $0.ring.dropped, body()) }
  }

  /// What waits, or waited when the queue was closed.
  package var waiting: Waiting { tally {}.waiting }

  /// Waits until all that was appended stands on the disk, where it survives the machine, too.
  public func synchronize() {
    guard change({ _ in true }) == true else { return }
    restoreIfLost()
    try? file.synchronize()
  }

  /// Releases the folder: other calls do nothing from now on. What waits is there at the next
  /// opening.
  public func close() {
    guard isOwn else { return }
    restoreIfLost()
    state.withLock { state in
      guard state.isOpen else { return }
      state.left = state.waiting
      file.unlock()
    }
  }

  /// Writes the queue to its file anew if that lost pages, once a second at most; until it can be
  /// written, records wait in memory.
  private func restoreIfLost() {
    guard isOwn else { return }
    let second = SystemClock.coarse()
    let news = state.withLock { state -> String? in
      guard state.isOpen, state.ring.memory.isDamaged,
        state.latestRestoring != second
      else { return nil }
      state.latestRestoring = second
      let what = "pages of its file were lost, since the disk failed or the file was cut"
      do throws(SystemError) {
        try JournalFile.restore(&state.ring)
        state.isRestoringTold = false
        return "\(what); all that is left of it was written there anew"
      } catch {
        defer { state.isRestoringTold = true }
        return state.isRestoringTold
          ? nil
          : """
          \(what), and it cannot be written anew: \(error). Records wait in memory until it can, and do not \
          survive the process
          """
      }
    }
    if let news { report(.damaged, news) }
  }

  /// Calls `body` unless the queue is closed, or another process's.
  @discardableResult
  private func change<Result: Sendable>(_ body: (inout JournalRing) -> Result) -> Result? {
    // A fork could not take the lock, either.
    guard isOwn else { return nil }
    let (result, hasLost) = state.withLock { state -> (Result?, Bool) in
      guard state.isOpen else { return (nil, false) }
      return (body(&state.ring), state.ring.hasLost)
    }
    if hasLost { reportLosses() }
    return result
  }

  /// Reports each kind of loss once, under no lock.
  @inline(never)
  private func reportLosses() {
    let (news, dropped, waiting) = state.withLock { state in
      state.ring.hasLost = false
      let dropped = state.ring.dropped
      let news = JournalLoss.allCases.filter {
        $0.count(in: dropped) > 0 && state.told.insert($0).inserted
      }
      return (news, dropped, state.ring.count)
    }
    for loss in news { report(loss, of: dropped, waiting: waiting, longest: longest) }
  }
}
