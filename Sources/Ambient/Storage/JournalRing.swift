internal import CAmbient

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A ``MappedRing`` of records: one frame behind the other, without a gap, from the first that
/// waits to the end. Callers hold the owner's lock.
struct JournalRing: ~Copyable, Sendable {
  let memory: MappedRing
  /// Where the first frame stands that waits, and where the next will: counts of bytes. The header
  /// has them, too, but others may write there.
  var start: UInt64
  var end: UInt64
  /// How many records wait, and their bytes.
  var count = 0
  var byteCount = 0
  var dropped = Journal.Dropped()
  /// The end of the records that a reader has in hand, and which of these were dropped to make
  /// room: the reader may deliver them all the same.
  private var handedOut: UInt64 = 0
  private var droppedInHand: Set<UInt64> = []
  /// Whether something was lost since its owner last looked.
  var hasLost = false

  /// Takes the places that the header or a search told.
  init(_ memory: consuming MappedRing, start: UInt64, end: UInt64) {
    self.memory = memory
    self.start = start
    self.end = end
  }

  var room: Int { memory.capacity &- Int(end &- start) }

  var longest: Int { min(memory.capacity / 4, RingFrame.longest) }

  /// Appends the record, for which there may be no room before the oldest are dropped.
  @inline(__always)
  mutating func append(
    _ record: UnsafeRawBufferPointer, checksum: UInt32, time: Int64
  ) -> Bool {
    let size = RingFrame.size(of: record.count)
    if size > room || end > MappedRing.lastEnd {
      guard makeRoom(size) else { return false }
    }
    // Valid: there is room, and a frame's size is a multiple of eight.
    let place = memory.place(of: end)
    // What fills up the last word.
    (place + size - 8).storeBytes(of: 0, as: UInt64.self)
    if record.count <= 1_024 {
      ShortCopy.copy(record, to: place + RingFrame.headSize)
    } else if let bytes = record.baseAddress {
      (place + RingFrame.headSize).copyMemory(from: bytes, byteCount: record.count)
    }
    RingFrame.write(
      position: end, length: UInt32(truncatingIfNeeded: record.count), time: time,
      checksum: checksum, to: place)
    end &+= UInt64(size)
    // Last: a process that ends before has not accepted the record.
    noteEnd()
    count &+= 1
    byteCount &+= record.count
    return true
  }

  /// Drops the oldest records until there is room; false if the counts have come to their end.
  @inline(never)
  private mutating func makeRoom(_ size: Int) -> Bool {
    guard end <= MappedRing.lastEnd else {
      dropped.full += 1
      hasLost = true
      return false
    }
    while room < size {
      let position = start
      guard removeFirst() else { continue }
      dropped.full += 1
      hasLost = true
      if position < handedOut { droppedInHand.insert(position) }
    }
    // Before anything is written over them.
    noteStart()
    return true
  }

  /// Removes the first frame, which is there; whether it had a record.
  private mutating func removeFirst() -> Bool {
    guard let frame = frame(at: start) else {
      verify()
      return false
    }
    start += UInt64(frame.size)
    return forget(frame)
  }

  /// Takes the frame's record out of the counts, if it has one.
  private mutating func forget(_ frame: RingFrame) -> Bool {
    if frame.isEmpty { return false }
    count -= 1
    byteCount -= frame.length
    return true
  }

  /// Notes up to where records were read.
  mutating func noteHandedOut(_ last: Journal.Record?) {
    if let last { handedOut = max(handedOut, last.position.count + 1) }
  }

  /// Records that no reader has records in hand.
  mutating func forgetHandedOut() {
    handedOut = 0
    droppedInHand = []
  }

  /// Records that what was dropped until now stays dropped, even if a reader delivers it.
  mutating func forgetDroppedInHand() { droppedInHand = [] }

  /// Takes records out of the count of dropped ones that a reader had in hand then; how many.
  mutating func takeBack(_ positions: [UInt64]) -> Int {
    guard !droppedInHand.isEmpty else { return 0 }
    let total = positions.count { droppedInHand.remove($0) != nil }
    dropped.full -= total
    return total
  }

  /// Removes all up to and with the frame at that place.
  mutating func removeAll(through position: UInt64) {
    _ = takeBack(droppedInHand.filter { $0 <= position })
    guard position >= start, position < end else { return }
    while start <= position, start < end { _ = removeFirst() }
    removeEmptyFrames()
  }

  /// Gives up the room of what stands before the first record.
  mutating func removeEmptyFrames() {
    while start < end, let frame = frame(at: start), frame.isEmpty { start += UInt64(frame.size) }
    noteStart()
  }

  /// Writes zeros over a record; its frame stays, so that the next is found.
  mutating func empty(_ frame: RingFrame, at position: UInt64) {
    _ = forget(frame)
    // Valid: it is a frame of the ring's; the mark first, since zeros have another checksum.
    let place = memory.place(of: position)
    ambient_frame_empty(place.assumingMemoryBound(to: ambient_frame.self))
    clear(place + RingFrame.headSize, frame.size - RingFrame.headSize)
  }

  /// Valid: the bytes are the ring's.
  func clear(_ place: UnsafeMutableRawPointer, _ count: Int) {
    place.initializeMemory(as: UInt8.self, repeating: 0, count: count)
  }

  /// The frame at that position, without a look at its record; nil if there is none.
  @inline(__always)
  func frame(at position: UInt64) -> RingFrame? { memory.frame(at: position, until: end) }

  func noteEnd() {
    let header = memory.header
    ambient_counts_store(&header.pointee.committed, &header.pointee.committed_again, end)
  }

  func noteStart() {
    let header = memory.header
    ambient_counts_store(&header.pointee.drained, &header.pointee.drained_again, start)
    ambient_stay_in_order()
  }
}
