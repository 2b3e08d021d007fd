internal import CAmbient

/// Lines on their way to a file, in memory that is a file itself: what stands there survives the
/// death of the process.
///
/// A ``MappedRing`` of lines. Whoever appends has a lock of the owner's; whoever drains has another
/// one. The format stands in `docs/file-log.md`.
final class LineRing: Sendable {
  private let ring: MappedRing

  /// A page, of the largest that systems have.
  static let headerSize = 65_536

  init(mapping file: FileDescriptor, headerSize: Int, capacity: Int) throws(SystemError) {
    ring = try MappedRing(mapping: file, headerSize: headerSize, capacity: capacity)
    ambient_buffer_enlist(buffer)
  }

  deinit {
    // A fork has let go of its parent's already.
    if isOwn { ambient_buffer_strike(buffer) }
  }

  var capacity: Int { ring.capacity }

  /// Whether this process has made it, and no fork of that.
  var isOwn: Bool { ring.isOwn }

  /// Valid: the file was made with such a header, or looked at; it is mapped as long as this object
  /// lives.
  @inline(__always)
  var buffer: UnsafeMutablePointer<ambient_buffer> {
    UnsafeMutableRawPointer(ring.header).assumingMemoryBound(to: ambient_buffer.self)
  }

  /// Where the byte of that count stands, and behind it all that the ring holds.
  @inline(__always)
  private func place(of count: UInt64) -> UnsafeMutableRawPointer { ring.place(of: count) }

  /// How many bytes were ever appended.
  @inline(__always)
  var committed: UInt64 { ambient_count_load(&ring.header.pointee.committed) }

  /// How many of them stand in the file.
  @inline(__always)
  var drained: UInt64 { ambient_count_load(&ring.header.pointee.drained) }

  var isEmpty: Bool { committed == drained }

  /// Appends the line if that leaves so many bytes free.
  ///
  /// - Returns: How many bytes wait now; nil if there was no room.
  @inline(__always)
  func append(_ line: UnsafeRawBufferPointer, leaving reserve: Int) -> Int? {
    let end = committed
    let waiting = Int(end &- drained)
    guard line.count &+ reserve <= capacity &- waiting else { return nil }
    ShortCopy.copy(line, to: place(of: end))
    // Last: a process that ends before has not accepted the line.
    ambient_count_store(&ring.header.pointee.committed, end &+ UInt64(line.count))
    return waiting &+ line.count
  }

  /// What was appended between the two counts; valid until more of it is noted as drained.
  func bytes(from start: UInt64, to end: UInt64) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: place(of: start), count: Int(end &- start))
  }

  /// How long the first line is that waits.
  func firstLine(until end: UInt64) -> Int {
    let waiting = bytes(from: drained, to: end)
    return (waiting.firstIndex(of: UInt8(ascii: "\n")) ?? waiting.count - 1) + 1
  }

  /// Where the whole lines end that have room in so many bytes, of what waits until there; at least
  /// one line.
  func end(ofLinesIn room: Int, until end: UInt64) -> UInt64 {
    let waiting = bytes(from: drained, to: end)
    guard waiting.count > room else { return end }
    let last = waiting[..<room].lastIndex(of: UInt8(ascii: "\n"))
    return drained + UInt64(last.map { $0 + 1 } ?? firstLine(until: end))
  }

  /// How many lines wait.
  var waitingLines: Int {
    bytes(from: drained, to: committed).reduce(0) { $0 + ($1 == UInt8(ascii: "\n") ? 1 : 0) }
  }

  /// Notes that the bytes up to there stand in the file: their room is free.
  func note(drained count: UInt64) { ambient_count_store(&ring.header.pointee.drained, count) }

  /// Notes what is about to be written: the bytes that wait up to `end`, at the end of that file.
  func intend(_ identity: FileDescriptor.Identity, size: Int, until end: UInt64) {
    ambient_intend(buffer, identity.device, identity.file, UInt64(size), drained, end)
  }

  /// Ends a write that is not known to have been done: what was to be written, and where.
  var intent: Intent? {
    let intent = buffer.pointee.intent
    guard intent.check == withUnsafePointer(to: intent, { ambient_intent_check($0) }),
      intent.from <= drained, intent.until > drained, intent.until <= committed,
      intent.until - intent.from <= UInt64(capacity), let size = Int(exactly: intent.size)
    else { return nil }
    return Intent(
      identity: .init(device: intent.device, file: intent.file), size: size, from: intent.from,
      until: intent.until)
  }

  /// A write that is not known to have been done: of which bytes, to which file, at which size.
  struct Intent {
    let identity: FileDescriptor.Identity
    let size: Int
    let from: UInt64
    let until: UInt64
  }

  /// Whether this thread may drain now: a handler of signals may be at it, for as long as a write
  /// lasts.
  func claim() -> Bool {
    for _ in 0..<1_000 {
      if ambient_buffer_claim(buffer) { return true }
      SystemThread.sleep(.microseconds(100))
    }
    return false
  }

  /// Counts anew from nothing while nothing waits, long before the counts end (2^48).
  func restartIfLong() {
    guard isEmpty, committed > 1 << 46 else { return }
    ambient_count_store(&ring.header.pointee.drained, 0)
    ambient_count_store(&ring.header.pointee.committed, 0)
  }

  func release() { ambient_buffer_release(buffer) }

  /// Lets a handler of signals write what waits to that file.
  func direct(to target: FileDescriptor) { ambient_buffer_direct(buffer, target.number) }
}
