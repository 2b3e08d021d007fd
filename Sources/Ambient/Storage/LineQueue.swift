internal import CAmbient

/// The lines that wait for their file, in a ``MappedRing``.
///
/// Threads that append have a lock of the owner's, and the one that drains has another. Where lines
/// wait from and to stands in this process's own memory, and in the ring's file only for the next
/// opening: other processes may change that.
final class LineQueue: Sendable {
  private let memory: MappedRing

  /// Takes a ring whose lines wait between the two places.
  init(_ memory: consuming MappedRing, start: UInt64, end: UInt64) {
    self.memory = memory
    ambient_lines_place(lines, start, end)
  }

  /// Valid: such records are never freed; this one is the ring's as long as this object lives.
  @inline(__always)
  private var lines: UnsafeMutablePointer<ambient_mapping> { memory.mapping }

  var capacity: Int { memory.capacity }

  /// Where the first line stands that waits: a count of bytes, frames included.
  var start: UInt64 { ambient_lines_start(lines) }

  /// Where the next line will stand.
  var end: UInt64 { ambient_lines_end(lines) }

  var isEmpty: Bool { start == end }

  /// Appends the line if that leaves so many bytes free.
  ///
  /// - Returns: How many bytes wait now; nil if there was no room.
  @inline(__always)
  func append(_ line: UnsafeRawBufferPointer, leaving reserve: Int) -> Int? {
    let waiting = ambient_lines_append(lines, line.baseAddress, line.count, reserve)
    return waiting < 0 ? nil : waiting
  }

  /// Copies the lines that wait from `start` on into the batch: those before `limit` that have room
  /// in so many bytes, at least one; none if the first is damaged.
  func gather(_ batch: inout LineBatch, until limit: UInt64, room: Int) {
    let start = start
    let size = max(
      min(room, LineBatch.usualSize, Int(limit &- start)), firstLine(until: limit))
    batch.makeRoom(size)
    // Valid: the batch has as many bytes.
    batch.note(ambient_lines_gather(lines, start, limit, batch.memory.baseAddress, size))
  }

  /// How long the first line is that waits; none if there is none, or its frame is damaged.
  func firstLine(until limit: UInt64) -> Int { memory.frame(at: start, until: limit)?.length ?? 0 }

  /// Gives up the damaged lines at the start; how many there were at least.
  func passOverDamage(until limit: UInt64) -> Int {
    let (next, damaged) = memory.nextIntact(behind: start, until: limit)
    note(drained: next, lines: 0)
    return damaged
  }

  /// Where the frame stands whose line begins so many bytes of lines after the first that waits, or
  /// the one before it if that is within a line; and how many lines stand before it.
  func place(after bytes: Int, until limit: UInt64) -> (place: UInt64, lines: Int) {
    var (place, rest, lines) = (start, bytes, 0)
    while let frame = memory.frame(at: place, until: limit), frame.length <= rest, rest > 0 {
      rest -= frame.length
      place &+= UInt64(frame.size)
      lines += 1
    }
    return (place, lines)
  }

  /// How many intact lines wait.
  var count: Int {
    var (place, total) = (start, 0)
    while place < end {
      if let frame = memory.intact(at: place, until: end) {
        place &+= UInt64(frame.size)
        total += 1
      } else {
        place = memory.nextIntact(behind: place, until: end).place
      }
    }
    return total
  }

  /// Notes that the lines before that place, so many, stand in the file: their room is free.
  func note(drained place: UInt64, lines count: Int) { ambient_lines_drained(lines, place, count) }

  /// How many lines were ever appended. Read under the lock of threads that append.
  var appended: UInt64 { lines.pointee.appended_lines }

  /// How many of the first so many lines were not drained, now that the place behind them was; each
  /// is told once.
  func takeLoss(of appended: UInt64) -> Int {
    let lost = appended &- lines.pointee.drained_lines
    lines.pointee.drained_lines = appended
    return Int(lost)
  }

  /// Counts anew from nothing while no line waits, long before counts end.
  func restartIfLong() {
    guard isEmpty, end > MappedRing.lastEnd / 2 else { return }
    // Else a recovery that lost the counts would find frames of before.
    memory.place(of: 0).initializeMemory(as: UInt8.self, repeating: 0, count: capacity)
    ambient_lines_place(lines, 0, 0)
  }
}

/// A write that is not known to have been done.
extension LineQueue {
  /// Which lines were to be written, to which file, at which size.
  struct Intent {
    let identity: FileDescriptor.Identity
    let size: Int
    let until: UInt64
  }

  /// Notes that the lines from `start` up to that place are about to be written.
  func intend(_ identity: FileDescriptor.Identity, size: Int, from start: UInt64, until end: UInt64)
  {
    ambient_lines_intend(lines, identity.device, identity.file, UInt64(size), start, end)
  }

  /// The write that was begun and is not known to have been done; nil if there is none.
  var intent: Intent? {
    let intent = lines.pointee.intent
    guard intent.until > start, intent.until <= end, let size = Int(exactly: intent.size) else {
      return nil
    }
    return Intent(
      identity: .init(device: intent.device, file: intent.file), size: size, until: intent.until)
  }

  /// Takes over the intent that a writer which died left in the file.
  ///
  /// Lines before it are known to stand in the log, be it that the count of them was not written.
  func adopt(_ intent: ambient_intent) {
    guard intent.check == withUnsafePointer(to: intent, { ambient_intent_check($0) }),
      intent.from <= intent.until, intent.until <= end, intent.from &+ UInt64(capacity) >= end
    else { return }
    if intent.from > start { note(drained: intent.from, lines: 0) }
    // It stays in the file as it is: a recovery that is killed now has it still.
    lines.pointee.intent = intent
  }
}

/// What handlers of signals, and threads that wait for room, need of it.
extension LineQueue {
  /// Whether this thread may drain now: a handler of signals may be at it, for as long as a write
  /// lasts.
  func claim() -> Bool {
    for _ in 0..<1_000 {
      if ambient_drain_claim(lines) { return true }
      SystemThread.sleep(.microseconds(100))
    }
    return false
  }

  func release() { ambient_drain_release(lines) }

  /// Lets a handler of signals write the lines that wait to that file; nil for to none.
  func direct(to target: FileDescriptor?) { ambient_lines_direct(lines, target?.number ?? -1) }

  /// Counts drains; read before a line is found to have no room, it tells ``awaitDrain(_:atMost:)``
  /// of a drain in between.
  var drains: UInt32 { ambient_drains(lines) }

  /// Waits for a drain after those that were counted.
  func awaitDrain(_ seen: UInt32, atMost limit: Duration) {
    ambient_drains_await(lines, seen, Int64(max(limit, .zero) / .nanoseconds(1)))
  }

  /// Wakes all threads that wait for room.
  func noteDrain() { ambient_drains_add(lines) }
}

/// What the next opening is told in the ring's file.
extension LineQueue {
  /// Keeps the count of lines that were dropped and not reported in the log yet.
  func note(lost count: Int) {
    memory.header.pointee.lost = ambient_sealed(UInt64(clamping: count))
  }

  /// Whether pages of the ring's file were lost, so that memory stands in its place.
  var isLost: Bool { memory.isLost }

  /// Why the ring must go on in another file than the one at that path; nil if it need not.
  func trouble(at path: String) -> String? {
    if memory.isLost || memory.isCut {
      return "pages of its buffer “\(path)” were lost, since the disk failed or the file was cut"
    }
    do throws(SystemError) {
      if try FileStatus(at: path).identity == memory.identity { return nil }
    } catch {
      // It may be there, where this process may not look any more.
      if !error.isMissing { return nil }
    }
    return "the file of its buffer “\(path)” was removed"
  }

  /// Goes on in another file, which is locked and has as many bytes. No other thread may append or
  /// drain meanwhile.
  ///
  /// - Parameters:
  ///   - target: The file that the lines are for.
  ///   - lost: How many lines were dropped and not reported in the log yet.
  ///   - commit: Makes it the file that the next opening finds.
  func move(
    to file: FileDescriptor, _ target: String, lost: Int, commit: () throws(SystemError) -> Void
  ) throws(SystemError) {
    try BufferFile.header.write(
      to: file, capacity: capacity, start: start, end: end, path: target, lost: lost,
      intent: lines.pointee.intent)
    try memory.move(to: file, commit: commit)
  }
}

/// Lines that are written to their file in one piece.
struct LineBatch: ~Copyable {
  fileprivate private(set) var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  private var gathered = ambient_gathered()

  /// How many bytes of lines are written at once, but for a longer line: more make a write cheaper
  /// by little.
  static let usualSize = 131_072

  deinit { memory.deallocate() }

  fileprivate mutating func makeRoom(_ count: Int) {
    guard count > memory.count else { return }
    memory.deallocate()
    memory = .allocate(byteCount: count, alignment: 8)
  }

  fileprivate mutating func note(_ gathered: ambient_gathered) { self.gathered = gathered }

  /// Valid until the next batch is gathered.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<gathered.count]) }

  var isEmpty: Bool { gathered.count == 0 }

  /// Where the line after its last one stands.
  var end: UInt64 { gathered.next }

  /// How many lines it has.
  var lines: Int { gathered.lines }

  /// How long its first line is.
  var firstLine: Int { (bytes.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count - 1) + 1 }
}
