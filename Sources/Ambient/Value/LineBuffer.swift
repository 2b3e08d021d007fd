/// The bytes of one line under construction: in the caller's memory while they fit, then on the
/// heap.
struct LineBuffer: ~Copyable {
  private var memory: UnsafeMutableRawBufferPointer
  private var isOwner = false
  private(set) var count = 0

  /// Builds a line in 1,024 bytes of the stack; a longer one moves to the heap.
  static func with<R>(_ body: (inout LineBuffer) -> R) -> R {
    withUnsafeTemporaryAllocation(byteCount: 1_024, alignment: 8) { memory in
      // Valid: the buffer ends before the closure does.
      var line = LineBuffer(memory)
      return body(&line)
    }
  }

  private init(_ memory: UnsafeMutableRawBufferPointer) { self.memory = memory }

  deinit { if isOwner { memory.deallocate() } }

  /// The bytes so far; valid until the buffer changes.
  var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(memory)[..<count])
  }

  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Forgets what follows the first `count` bytes.
  mutating func truncate(to count: Int) { self.count = min(count, self.count) }

  @inline(__always)
  mutating func append(_ byte: UInt8) {
    if count == memory.count { grow(by: 1) }
    memory[count] = byte
    count += 1
  }

  @inline(__always)
  mutating func append(_ literal: StaticString) {
    // Valid: a literal's bytes live as long as the program.
    append(UnsafeRawBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
  }

  @inline(__always)
  mutating func append(_ source: UnsafeRawBufferPointer) {
    guard let start = source.baseAddress else { return }
    if source.count > memory.count - count { grow(by: source.count) }
    // Valid: there is room, which does not overlap the source.
    memory.baseAddress?.advanced(by: count).copyMemory(from: start, byteCount: source.count)
    count += source.count
  }

  /// Appends the text as it is.
  mutating func append(_ text: String) {
    let isDone: Void? = text.utf8.withContiguousStorageIfAvailable { bytes in
      // Valid: the bytes are the text's own, for the time of the closure.
      append(UnsafeRawBufferPointer(bytes))
    }
    if isDone == nil { for byte in text.utf8 { append(byte) } }
  }

  /// Lets `body` write up to `capacity` bytes and say how many it wrote.
  @inline(__always)
  mutating func append(
    capacity: Int, _ body: (UnsafeMutableRawBufferPointer) -> Int
  ) {
    if capacity > memory.count - count { grow(by: capacity) }
    count += body(UnsafeMutableRawBufferPointer(rebasing: memory[count...]))
  }

  @inline(never)
  private mutating func grow(by room: Int) {
    let larger = UnsafeMutableRawBufferPointer.allocate(
      byteCount: max(memory.count * 2, count + room), alignment: 8)
    larger.copyMemory(from: bytes)
    if isOwner { memory.deallocate() }
    memory = larger
    isOwner = true
  }
}
