internal import CAmbient

/// A ``MappedRing`` of records: one frame behind the other, without a gap, from the first that
/// waits to the end. Callers hold the owner's lock.
struct JournalRing: ~Copyable, Sendable {
  let memory: MappedRing
  /// How many records wait, and their bytes.
  private(set) var count = 0
  private(set) var byteCount = 0
  var dropped = Journal.Dropped()
  /// The end of the records that a reader has in hand, and which of these were dropped to make
  /// room: the reader may deliver them all the same.
  private var handedOut: UInt64 = 0
  private var droppedInHand: Set<UInt64> = []
  /// Whether something was lost since its owner last looked.
  var hasLost = false

  /// Takes the records that stand between the ring's places, which ``verify()`` counts.
  init(_ memory: consuming MappedRing) { self.memory = memory }

  /// Where the first frame stands that waits, and where the next will.
  private(set) var start: UInt64 {
    get { memory.start }
    set { memory.remove(before: newValue) }
  }
  private(set) var end: UInt64 {
    get { memory.end }
    set { memory.set(start: start, end: newValue) }
  }

  var room: Int { memory.capacity &- Int(end &- start) }

  var longest: Int { min(memory.capacity / 4, RingFrame.longest) }

  /// Appends the record, for which there may be no room before the oldest are dropped.
  mutating func append(_ record: UnsafeRawBufferPointer, time: Int64) -> Bool {
    let size = RingFrame.size(of: record.count)
    if size > room || end > MappedRing.lastEnd {
      guard makeRoom(size) else { return false }
    }
    _ = memory.append(record, at: time)
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
    byteCount -= frame.byteCount
    return true
  }

  /// Notes up to where records were read.
  mutating func noteHandedOut(_ last: Journal.Record?) {
    if let last { handedOut = max(handedOut, last.position.count + 1) }
  }

  /// Records that no reader has records in hand.
  mutating func forgetHandedOut() {
    handedOut = 0
    forgetDroppedInHand()
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
}

/// Repairs damage: a damaged stretch becomes one frame without a record, so that the ring is one
/// chain of frames again and the damage is met once.
extension JournalRing {
  /// Replaces the damaged stretch at that position by a frame without a record.
  private mutating func cover(_ position: UInt64) {
    let (next, damaged) = memory.nextIntact(behind: position, until: end)
    dropped.damaged += damaged
    hasLost = true
    let rest = Int(next &- position) - RingFrame.headSize
    guard rest >= 0 else {
      // Too short for any frame, at the end: the end was not where the counts said.
      end = position
      return
    }
    // Valid: the stretch is the ring's, and begins at a multiple of eight.
    let place = memory.place(of: position).assumingMemoryBound(to: RingFrame.self)
    place.pointee = RingFrame(position: position, length: UInt32(rest), checksum: 0, time: 0)
    ambient_frame_empty(place)
  }

  /// Makes what stands between the counts one chain of frames, and counts the records.
  mutating func verify() {
    (count, byteCount) = (0, 0)
    var place = start
    while place < end {
      guard let frame = memory.intact(at: place, until: end) else {
        cover(place)
        continue
      }
      if frame.isEmpty {
        // Damaged, or a process that was killed while it erased has left something of the record.
        clear(memory.place(of: place) + RingFrame.headSize, frame.size - RingFrame.headSize)
      } else {
        count += 1
        byteCount += frame.byteCount
      }
      place &+= UInt64(frame.size)
    }
    removeEmptyFrames()
  }
}
