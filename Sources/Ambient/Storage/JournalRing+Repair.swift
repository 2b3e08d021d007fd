internal import CAmbient

/// What is damaged becomes one frame without a record, so that the ring is one chain of frames
/// again and the damage is met once.
extension JournalRing {
  /// The frame that stands there and whose record is what was written; nil if there is none.
  func intact(at position: UInt64, until limit: UInt64) -> JournalFrame? {
    let place = memory.place(of: position)
    let frame = JournalFrame(at: place, position: position, room: Int(limit &- position))
    guard let frame, frame.isIntact(place) else { return nil }
    return frame
  }

  /// Where the next frame stands behind a damaged one: the position and the checksum tell it from
  /// all else.
  private func nextIntact(behind position: UInt64) -> UInt64 {
    // No frame is shorter than its head.
    var place = position &+ UInt64(JournalFrame.headSize)
    while place < end {
      if intact(at: place, until: end) != nil { return place }
      place &+= UInt64(JournalFrame.alignment)
    }
    return end
  }

  private mutating func cover(from position: UInt64, to next: UInt64) {
    // Each position that still stands where it should was a record's.
    var place = position
    var heads = 0
    while place < next {
      // Valid: places are multiples of eight, within the ring.
      if memory.place(of: place).load(as: UInt64.self) == place { heads += 1 }
      place &+= UInt64(JournalFrame.alignment)
    }
    dropped.damaged += max(heads, 1)
    hasLost = true
    let rest = Int(next &- position) - JournalFrame.headSize
    guard rest >= 0 else {
      // Too short for any frame, at the end: the end was not where the counts said.
      end = position
      noteEnd()
      return
    }
    let start = memory.place(of: position)
    clear(start + JournalFrame.headSize, rest)
    JournalFrame.write(
      position: position, length: UInt32(rest) | ambient_void, time: 0, checksum: 0, to: start)
  }

  /// Makes what stands between the counts one chain of frames, and counts the records.
  mutating func verify() {
    var place = start
    while place < end {
      guard let frame = intact(at: place, until: end) else {
        cover(from: place, to: nextIntact(behind: place))
        continue
      }
      if frame.isEmpty {
        // A process that was killed while it erased has left something of the record.
        clear(
          memory.place(of: place) + JournalFrame.headSize, frame.size - JournalFrame.headSize)
      }
      place &+= UInt64(frame.size)
    }
    // A frame that is whole was only not counted any more when the process died.
    while room > 0, let frame = intact(at: end, until: start &+ UInt64(memory.capacity)) {
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

/// When the counts are lost, or older than the frames as they may be after a loss of power, the
/// frames tell what they were.
extension JournalRing {
  /// Whether one intact frame stands behind the other between the counts.
  var isWhole: Bool {
    var place = start
    while place < end, let frame = intact(at: place, until: end) { place &+= UInt64(frame.size) }
    return place == end
  }

  /// Looks at the whole ring for frames, and sets the counts to where they stand.
  ///
  /// - Parameters:
  ///   - start: Where the first frame stands that waits, if that is known.
  ///   - end: Where the next frame is to stand, if that is known.
  mutating func find(start known: UInt64?, end knownEnd: UInt64?) {
    let capacity = UInt64(memory.capacity)
    var frames: [(position: UInt64, end: UInt64)] = []
    var offset: UInt64 = 0
    while offset < capacity {
      // Valid: offsets are multiples of eight, within the ring.
      let position = memory.place(of: offset).load(as: UInt64.self)
      if position & (capacity &- 1) == offset, position <= Self.lastEnd,
        let frame = intact(at: position, until: position &+ capacity)
      {
        frames.append((position, position &+ UInt64(frame.size)))
        offset &+= UInt64(frame.size)
      } else {
        offset &+= UInt64(JournalFrame.alignment)
      }
    }
    guard let last = frames.map(\.end).max() else {
      // Nothing is there that could tell: positions of before come again by a rare chance only.
      let place = knownEnd ?? known ?? UInt64.random(in: 0..<1 << 47) << 3
      (start, end) = (knownEnd == nil ? place : known ?? place, place)
      return note()
    }
    end = max(last, knownEnd ?? 0, known ?? 0)
    // What stands further back was overwritten, and what is done with stays done with.
    let least = end > capacity ? end - capacity : 0
    if let known, known >= least {
      start = known
    } else {
      start = frames.map(\.position).filter { $0 >= least }.min() ?? end
    }
    note()
  }

  private func note() {
    noteStart()
    noteEnd()
  }
}
