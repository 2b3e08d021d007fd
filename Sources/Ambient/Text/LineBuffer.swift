// SPDX-License-Identifier: Apache-2.0

/// The bytes of a line under construction. They are in the caller's memory at first. If the line
/// outgrows this memory, the bytes move to the heap.
@usableFromInline package struct LineBuffer: ByteBuffer, ~Copyable {
  private var start: UnsafeMutableRawPointer
  private var capacity: Int
  private var isOwner = false
  package private(set) var count = 0

  /// Builds a line in 1,024 bytes of the stack; a longer line moves to the heap.
  @inlinable @inline(__always)
  package static func with<R>(_ body: (inout LineBuffer) -> R) -> R {
    withUnsafeTemporaryAllocation(byteCount: 1_024, alignment: 8) { memory in
      guard let start = memory.baseAddress else { preconditionFailure("memory has an address") }
      // Valid: the buffer does not outlive the closure.
      var line = LineBuffer(start, capacity: memory.count)
      return body(&line)
    }
  }

  @usableFromInline init(_ start: UnsafeMutableRawPointer, capacity: Int) {
    self.start = start
    self.capacity = capacity
  }

  deinit { if isOwner { start.deallocate() } }

  /// The bytes that were appended so far; valid until the buffer changes.
  package var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }

  var text: String { String(decoding: bytes, as: UTF8.self) }

  @inline(__always)
  package mutating func append(_ source: UnsafeRawBufferPointer) {
    guard let first = source.baseAddress else { return }
    if source.count > capacity &- count { grow(by: source.count) }
    // Valid: there is room, and this room does not overlap the source.
    (start + count).copyMemory(from: first, byteCount: source.count)
    count &+= source.count
  }

  /// Appends a literal, in other modules.
  package mutating func append(literal text: StaticString) { append(text) }

  @inline(__always)
  mutating func append(capacity room: Int, _ body: (UnsafeMutableRawBufferPointer) -> Int) {
    if room > capacity &- count { grow(by: room) }
    // Valid: there is room.
    count &+= body(UnsafeMutableRawBufferPointer(start: start + count, count: room))
  }

  @inline(never)
  private mutating func grow(by room: Int) {
    capacity = max(capacity * 2, count + room)
    let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 8)
    larger.copyMemory(from: start, byteCount: count)
    if isOwner { start.deallocate() }
    start = larger
    isOwner = true
  }
}
