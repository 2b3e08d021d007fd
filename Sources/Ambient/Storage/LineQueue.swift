// SPDX-License-Identifier: Apache-2.0

internal import CAmbient

/// The lines that wait to be written to their file, in a ``MappedRing``.
///
/// The queue's owner, such as `FileWriter`, has two locks: threads that append lines hold one lock,
/// and the thread that drains the queue holds the other.
final class LineQueue: Sendable {
  let ring: MappedRing

  init(_ ring: consuming MappedRing) { self.ring = ring }

  /// The mapping of the ring. The pointer is valid: an `ambient_mapping` is never freed, and this
  /// one belongs to the ring as long as this object lives.
  private var lines: UnsafeMutablePointer<ambient_mapping> { ring.mapping }

  /// Copies the first waiting lines before `limit` into the batch: as many as fit into `room` bytes
  /// and into a batch of the usual size, but at least one. Stops at a damaged line.
  func gather(_ batch: inout LineBatch, until limit: UInt64, room: Int) {
    let start = ring.start
    let size = max(
      min(room, LineBatch.usualSize, Int(limit &- start)), firstLine(until: limit))
    batch.makeRoom(size)
    // Valid: the batch's memory has this size.
    batch.gathered = ambient_lines_gather(lines, start, limit, batch.memory.baseAddress, size)
  }

  /// The length in bytes of the first waiting line. It is zero if no line waits before `limit`,
  /// or if the line's frame is damaged.
  func firstLine(until limit: UInt64) -> Int {
    ring.frame(at: ring.start, until: limit)?.byteCount ?? 0
  }

  /// Skips the damaged lines at the start; returns a lower bound of their number.
  func passOverDamage(until limit: UInt64) -> Int {
    let (next, damaged) = ring.nextIntact(behind: ring.start, until: limit)
    ring.remove(before: next)
    return damaged
  }

  /// Finds the line that contains the byte after the first `bytes` bytes of the waiting lines.
  /// Returns the position of the line's frame, and the number of lines before that line.
  func place(after bytes: Int, until limit: UInt64) -> (place: UInt64, lines: Int) {
    var (place, rest, lines) = (ring.start, bytes, 0)
    while let frame = ring.frame(at: place, until: limit), frame.byteCount <= rest, rest > 0 {
      rest -= frame.byteCount
      place &+= UInt64(frame.size)
      lines += 1
    }
    return (place, lines)
  }

  /// The number of lines that were written, or found in their file, since the ring was mapped.
  var drained: Int { Int(lines.pointee.drained_lines) }

  /// The number of lines appended since the ring was mapped. Read it while holding the lock that
  /// threads hold to append lines.
  var appended: UInt64 { lines.pointee.appended_lines }

  /// Returns the number of lost lines: lines that left the ring since the last call, but were not
  /// counted as drained (written). The lost lines then also count as drained, so that the next call
  /// does not return them again.
  ///
  /// - Parameter appended: The number of lines appended so far, all of which must have left the
  ///   ring.
  func takeLoss(of appended: UInt64) -> Int {
    let lost = appended &- lines.pointee.drained_lines
    lines.pointee.drained_lines = appended
    return Int(lost)
  }

  /// If no line waits, starts the positions from zero again, long before they reach their limit.
  func restartIfLong() {
    guard ring.isEmpty, ring.end > MappedRing.lastEnd / 2 else { return }
    // The ring is filled with zeros: otherwise a recovery that has lost the positions would find
    // frames from before the restart.
    ring.place(of: 0).initializeMemory(as: UInt8.self, repeating: 0, count: ring.capacity)
    ring.set(start: 0, end: 0)
  }

  /// Stores in the ring's header how many dropped lines the log does not mention yet. The number is
  /// read when the ring's file is opened the next time.
  func note(lost count: Int) {
    ring.header.pointee.lost = ambient_sealed(UInt64(clamping: count))
  }
}

/// Functions for the intent, which describes a write that may not have completed: the lines to
/// write, the file, and the file's size.
extension LineQueue {
  /// Stores the intent to write the lines from `start` to `end`.
  func intend(_ identity: FileDescriptor.Identity, size: Int, from start: UInt64, until end: UInt64)
  {
    ambient_lines_intend(lines, identity.device, identity.file, UInt64(size), start, end)
  }

  /// The stored intent of a write that may not have completed; nil if there is none.
  var intent: ambient_intent? {
    let intent = lines.pointee.intent
    let isOpen = intent.until > ring.start && intent.until <= ring.end && intent.size <= Int.max
    return isOpen ? intent : nil
  }

  /// Takes over the intent that a dead writer left in the file.
  ///
  /// All lines before the intent are known to be in the log, even if the writer died before it
  /// removed them from the ring. So these lines are removed here.
  func adopt(_ intent: ambient_intent) {
    guard intent.isIntact, intent.from <= intent.until, intent.until <= ring.end,
      intent.from &+ UInt64(ring.capacity) >= ring.end
    else { return }
    if intent.from > ring.start { ring.remove(before: intent.from) }
    // The intent stays in the file, so that it is still there if this recovery is killed.
    lines.pointee.intent = intent
  }
}

extension ambient_intent {
  var identity: FileDescriptor.Identity { .init(device: device, file: file) }

  /// Whether the checksum `check` matches the intent's contents.
  var isIntact: Bool { check == withUnsafePointer(to: self) { ambient_intent_check($0) } }
}

/// Coordination with signal handlers.
extension LineQueue {
  /// Claims the right to drain. Returns false if a signal handler has the right and does not
  /// release it soon; a handler has the right only while it writes.
  func claim() -> Bool { ambient_drain_await(lines, 1_000) }

  func release() { ambient_drain_release(lines) }

  /// Lets a signal handler write the waiting lines to the open file. The caller has claimed the
  /// right to drain.
  func direct(to file: OwnedDescriptor) {
    ambient_lines_direct(
      lines, file.unchecked.number, file.identity.device, file.identity.file)
  }
}

/// A batch of lines that one write appends to their file.
struct LineBatch: ~Copyable {
  fileprivate var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  fileprivate var gathered = ambient_gathered()

  /// The maximum number of bytes in a batch, unless a single line is longer. Larger batches would
  /// hardly make a write cheaper.
  static let usualSize = 131_072

  deinit { memory.deallocate() }

  fileprivate mutating func makeRoom(_ count: Int) {
    guard count > memory.count else { return }
    memory.deallocate()
    memory = .allocate(byteCount: count, alignment: 8)
  }

  /// The gathered lines; valid until the next batch is gathered.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<gathered.count]) }

  /// The position of the line after the batch.
  var end: UInt64 { gathered.next }

  /// The number of lines.
  var lines: Int { gathered.lines }
}
