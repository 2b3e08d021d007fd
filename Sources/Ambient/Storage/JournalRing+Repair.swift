internal import CAmbient

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
      noteEnd()
      return
    }
    let start = memory.place(of: position)
    clear(start + RingFrame.headSize, rest)
    RingFrame.write(
      position: position, length: UInt32(rest) | ambient_void, time: 0, checksum: 0, to: start)
  }

  /// Makes what stands between the counts one chain of frames, and counts the records.
  mutating func verify() {
    var place = start
    while place < end {
      guard let frame = memory.intact(at: place, until: end) else {
        cover(place)
        continue
      }
      if frame.isEmpty {
        // A process that was killed while it erased has left something of the record.
        clear(
          memory.place(of: place) + RingFrame.headSize, frame.size - RingFrame.headSize)
      }
      place &+= UInt64(frame.size)
    }
    // A frame that is whole was only not counted any more when the process died.
    while room > 0, let frame = memory.intact(at: end, until: start &+ UInt64(memory.capacity)) {
      end &+= UInt64(frame.size)
    }
    noteEnd()
    recount()
    removeEmptyFrames()
  }

  private mutating func recount() {
    (count, byteCount) = (0, 0)
    var place = start
    while place < end, let frame = frame(at: place) {
      if !frame.isEmpty {
        count += 1
        byteCount += frame.length
      }
      place &+= UInt64(frame.size)
    }
  }
}
