// SPDX-License-Identifier: Apache-2.0

internal import Ambient
internal import CAmbient

/// A `MappedRing` of records. The frames of the records follow each other without gaps, from the
/// first waiting record to the end. Callers hold the lock of the `Journal` that owns the ring.
struct JournalRing: ~Copyable, Sendable {
  let memory: MappedRing
  /// `count` is the number of waiting records, and `byteCount` their total size in bytes.
  private(set) var count = 0
  private(set) var byteCount = 0
  private(set) var dropped = Journal.Dropped()
  /// `handedOut` is the end of the records that were handed to a reader. `droppedInHand` contains
  /// the positions of the handed-out records that were later dropped to make room. The reader may
  /// still deliver and acknowledge these records; `takeBack(_:)` then no longer counts them as
  /// dropped.
  private var handedOut: UInt64 = 0
  private var droppedInHand: Set<UInt64> = []
  /// Whether records were lost since the journal last reported losses.
  private(set) var hasLost = false

  /// Takes over the ring. The caller must then call ``verify()``, which counts the records.
  init(_ memory: consuming MappedRing) { self.memory = memory }

  /// The positions of the first waiting frame and of the next frame to append.
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

  /// Appends the record, after dropping the oldest records if there is no room.
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

  /// Drops the oldest records until a frame of `size` bytes fits. If `end` has passed
  /// `MappedRing.lastEnd`, counts the new record as dropped and returns false.
  @inline(never)
  private mutating func makeRoom(_ size: Int) -> Bool {
    guard end <= MappedRing.lastEnd else {
      note(.full)
      return false
    }
    while room < size {
      let position = start
      guard removeFirst() else { continue }
      note(.full)
      if position < handedOut { droppedInHand.insert(position) }
    }
    return true
  }

  /// Removes the first frame, which must exist; if it is damaged, only repairs it. Returns whether
  /// a record was removed.
  private mutating func removeFirst() -> Bool {
    guard let frame = frame(at: start) else {
      verify()
      return false
    }
    start += UInt64(frame.size)
    return forget(frame)
  }

  /// Subtracts the frame's record, if it has one, from the counts.
  private mutating func forget(_ frame: RingFrame) -> Bool {
    if frame.isEmpty { return false }
    count -= 1
    byteCount -= frame.byteCount
    return true
  }

  /// Counts lost records as dropped.
  mutating func note(_ loss: JournalLoss, _ records: Int = 1) {
    dropped[loss] += records
    hasLost = true
  }

  /// Returns the numbers of dropped records for a report, and sets `hasLost` to false.
  mutating func takeLosses() -> Journal.Dropped {
    hasLost = false
    return dropped
  }

  /// Notes that the records up to `last` were handed to a reader.
  mutating func noteHandedOut(_ last: Journal.Record?) {
    if let last { handedOut = max(handedOut, last.position.count + 1) }
  }

  /// Notes that no reader holds records.
  mutating func forgetHandedOut() {
    handedOut = 0
    forgetDroppedInHand()
  }

  /// Forgets which dropped records a reader holds. These stay counted as dropped, even if the
  /// reader acknowledges them later.
  mutating func forgetDroppedInHand() { droppedInHand = [] }

  /// Returns how many of the records at `positions` were dropped while a reader held them. These
  /// records are no longer counted as dropped, because the reader has delivered them after all.
  mutating func takeBack(_ positions: [UInt64]) -> Int {
    guard !droppedInHand.isEmpty else { return 0 }
    let total = positions.count { droppedInHand.remove($0) != nil }
    dropped.full -= total
    return total
  }

  /// Removes all frames up to and including the one at `position`.
  mutating func removeAll(through position: UInt64) {
    _ = takeBack(droppedInHand.filter { $0 <= position })
    guard position >= start, position < end else { return }
    while start <= position, start < end { _ = removeFirst() }
    removeEmptyFrames()
  }

  /// Frees the room of the empty frames before the first record.
  mutating func removeEmptyFrames() {
    while start < end, let frame = frame(at: start), frame.isEmpty { start += UInt64(frame.size) }
  }

  /// Writes zeros over a record; its frame stays, so that the next frame can be found.
  mutating func empty(_ frame: RingFrame, at position: UInt64) {
    _ = forget(frame)
    // Valid: the frame lies in the ring. The frame is marked as empty before its record is zeroed.
    // In the opposite order, a process killed between the two steps would leave a frame that counts
    // as damaged, because the zeros do not match the record's checksum.
    let place = memory.place(of: position)
    ambient_frame_empty(place.assumingMemoryBound(to: ambient_frame.self))
    clear(place + RingFrame.headSize, frame.size - RingFrame.headSize)
  }

  /// Writes zeros over `count` bytes. Valid: callers pass bytes of the ring.
  func clear(_ place: UnsafeMutableRawPointer, _ count: Int) {
    place.initializeMemory(as: UInt8.self, repeating: 0, count: count)
  }

  /// Returns the frame at that position, or nil if there is none. Does not check the frame's
  /// record.
  @inline(__always)
  func frame(at position: UInt64) -> RingFrame? { memory.frame(at: position, until: end) }
}

/// Repairs damage. Each damaged range of bytes becomes one intact frame without a record. The
/// frames then have no gap, and a later check does not count the same damage again.
extension JournalRing {
  /// Replaces the damaged stretch at that position by a frame without a record.
  private mutating func cover(_ position: UInt64) {
    let (next, damaged) = memory.nextIntact(behind: position, until: end)
    note(.damaged, damaged)
    let rest = Int(next &- position) - RingFrame.headSize
    guard rest >= 0 else {
      // The stretch is too short for a frame, so the stored end was wrong: the frames end here.
      end = position
      return
    }
    // Valid: the stretch lies in the ring, and begins at a multiple of eight.
    let place = memory.place(of: position).assumingMemoryBound(to: RingFrame.self)
    place.pointee = RingFrame(position: position, length: UInt32(rest), checksum: 0, time: 0)
    ambient_frame_empty(place)
  }

  /// Repairs the frames after pages of the file were lost, and counts all lost records.
  mutating func verifyAfterLoss() {
    let (waiting, damaged) = (count, dropped.damaged)
    verify()
    // `verify()` recognizes a damaged frame only by its head, which may also be lost, so the number
    // that it adds may be too low. `count` has decreased by the exact number of lost records.
    dropped.damaged = max(dropped.damaged, damaged + waiting - count)
  }

  /// Repairs the frames between start and end, so that they follow each other without gaps, and
  /// counts their records.
  mutating func verify() {
    (count, byteCount) = (0, 0)
    var place = start
    while place < end {
      guard let frame = memory.intact(at: place, until: end) else {
        cover(place)
        continue
      }
      if frame.isEmpty {
        // The frame may still contain bytes of a record: `cover(_:)` leaves them, and so does a
        // process that is killed while it erases the record.
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
