internal import CAmbient

/// The lines that wait for their file, in a ``MappedRing``.
///
/// The owner has two locks: appending threads hold the first, and the draining thread the second.
final class LineQueue: Sendable {
  let ring: MappedRing

  init(_ ring: consuming MappedRing) { self.ring = ring }

  /// Valid: such records are never freed; this one is the ring's as long as this object lives.
  private var lines: UnsafeMutablePointer<ambient_mapping> { ring.mapping }

  /// Copies the lines that wait from the first on into the batch: those before `limit` that have
  /// room in so many bytes, at least one; none if the first is damaged.
  func gather(_ batch: inout LineBatch, until limit: UInt64, room: Int) {
    let start = ring.start
    let size = max(
      min(room, LineBatch.usualSize, Int(limit &- start)), firstLine(until: limit))
    batch.makeRoom(size)
    // Valid: the batch has as many bytes.
    batch.gathered = ambient_lines_gather(lines, start, limit, batch.memory.baseAddress, size)
  }

  /// How long the first line is that waits; none if there is none, or its frame is damaged.
  func firstLine(until limit: UInt64) -> Int {
    ring.frame(at: ring.start, until: limit)?.byteCount ?? 0
  }

  /// Gives up the damaged lines at the start; how many there were at least.
  func passOverDamage(until limit: UInt64) -> Int {
    let (next, damaged) = ring.nextIntact(behind: ring.start, until: limit)
    ring.remove(before: next)
    return damaged
  }

  /// Where the frame stands whose line begins so many bytes of lines after the first that waits, or
  /// the one before it if that is within a line; and how many lines stand before it.
  func place(after bytes: Int, until limit: UInt64) -> (place: UInt64, lines: Int) {
    var (place, rest, lines) = (ring.start, bytes, 0)
    while let frame = ring.frame(at: place, until: limit), frame.byteCount <= rest, rest > 0 {
      rest -= frame.byteCount
      place &+= UInt64(frame.size)
      lines += 1
    }
    return (place, lines)
  }

  /// How many intact lines wait.
  var count: Int {
    var (place, end, total) = (ring.start, ring.end, 0)
    while place < end {
      if let frame = ring.intact(at: place, until: end) {
        place &+= UInt64(frame.size)
        total += 1
      } else {
        place = ring.nextIntact(behind: place, until: end).place
      }
    }
    return total
  }

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
    guard ring.isEmpty, ring.end > MappedRing.lastEnd / 2 else { return }
    // Else a recovery that lost the counts would find frames of before.
    ring.place(of: 0).initializeMemory(as: UInt8.self, repeating: 0, count: ring.capacity)
    ring.set(start: 0, end: 0)
  }

  /// Keeps the count of lines that were dropped and not reported in the log yet, for the next
  /// opening.
  func note(lost count: Int) {
    ring.header.pointee.lost = ambient_sealed(UInt64(clamping: count))
  }
}

/// A write that is not known to have been done: which lines were to be written, to which file, at
/// which size.
extension LineQueue {
  /// Notes that the lines from `start` up to that place are about to be written.
  func intend(_ identity: FileDescriptor.Identity, size: Int, from start: UInt64, until end: UInt64)
  {
    ambient_lines_intend(lines, identity.device, identity.file, UInt64(size), start, end)
  }

  /// The write that was begun and is not known to have been done; nil if there is none.
  var intent: ambient_intent? {
    let intent = lines.pointee.intent
    let isOpen = intent.until > ring.start && intent.until <= ring.end && intent.size <= Int.max
    return isOpen ? intent : nil
  }

  /// Takes over the intent that a writer which died left in the file.
  ///
  /// Lines before it are known to stand in the log, be it that the count of them was not written.
  func adopt(_ intent: ambient_intent) {
    guard intent.isIntact, intent.from <= intent.until, intent.until <= ring.end,
      intent.from &+ UInt64(ring.capacity) >= ring.end
    else { return }
    if intent.from > ring.start { ring.remove(before: intent.from) }
    // It stays in the file as it is: a recovery that is killed now has it still.
    lines.pointee.intent = intent
  }
}

extension ambient_intent {
  var identity: FileDescriptor.Identity { .init(device: device, file: file) }

  /// Whether its check is that of what it says.
  var isIntact: Bool { check == withUnsafePointer(to: self) { ambient_intent_check($0) } }
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

/// Lines that are written to their file in one piece.
struct LineBatch: ~Copyable {
  fileprivate var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  fileprivate var gathered = ambient_gathered()

  /// How many bytes of lines are written at once, but for a longer line: more make a write cheaper
  /// by little.
  static let usualSize = 131_072

  deinit { memory.deallocate() }

  fileprivate mutating func makeRoom(_ count: Int) {
    guard count > memory.count else { return }
    memory.deallocate()
    memory = .allocate(byteCount: count, alignment: 8)
  }

  /// Valid until the next batch is gathered.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<gathered.count]) }

  /// Where the line after its last one stands.
  var end: UInt64 { gathered.next }

  /// How many lines it has.
  var lines: Int { gathered.lines }
}
