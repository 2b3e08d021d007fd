// SPDX-License-Identifier: Apache-2.0

internal import Ambient
internal import CAmbient
internal import Foundation

/// A batch of records from a ``JournalRing``. The batch is filled piece by piece, and the lock is
/// held for one piece at a time.
struct JournalBatch {
  var records: [Journal.Record] = []
  /// The position of the record before the batch; nil to begin with the first waiting record.
  let after: UInt64?
  let maximumCount: Int
  let maximumBytes: Int
  /// Records from before this time have expired and are dropped, unless they have no age
  /// (`Date.hasAge`); nil to drop none.
  let expiry: Int64?
  /// The positions of records that are left out.
  let leftOut: Set<Journal.Position>
  /// The time of the first record with an age that was not dropped, for a batch of no records
  /// (`maximumCount` is 0). Filling ends there.
  fileprivate(set) var nextToExpire: Int64?
  /// The position at which reading ends.
  var limit = UInt64.max
  /// The position at which reading continues.
  fileprivate var next: UInt64?
  fileprivate var byteCount = 0

  init(
    after: UInt64?, maximumCount: Int, maximumBytes: Int, expiry: Int64?,
    leftOut: Set<Journal.Position> = []
  ) {
    self.leftOut = leftOut
    self.after = after
    self.maximumCount = maximumCount
    self.maximumBytes = maximumBytes
    self.expiry = expiry
  }

  fileprivate func hasRoom(for length: Int) -> Bool {
    if records.isEmpty && byteCount == 0 { return true }
    return records.count < maximumCount && length <= maximumBytes - byteCount
  }

  /// The limits of one hold of the lock: after this number of frames, or of bytes of records, the
  /// lock is released.
  static let piece = (frames: 64, bytes: 65_536)
}

extension JournalRing {
  /// Adds the next records to the batch; returns whether there may be more to add.
  mutating func fill(_ batch: inout JournalBatch) -> Bool {
    var place = max(batch.next ?? behind(batch.after), start)
    defer {
      batch.next = place
      if batch.expiry != nil { removeEmptyFrames() }
    }
    var (frames, bytes) = JournalBatch.piece
    while place < min(end, batch.limit) {
      guard frames > 0, bytes > 0 else { return true }
      frames -= 1
      guard let frame = memory.intact(at: place, until: end) else {
        verify()
        place = firstFrame(from: place)
        continue
      }
      if !frame.isEmpty {
        let hasAge = frame.time >= Date.firstTimeWithAge
        if let expiry = batch.expiry, hasAge, frame.time < expiry {
          empty(frame, at: place)
          note(.expired)
        } else if batch.maximumCount == 0 {
          if hasAge {
            batch.nextToExpire = frame.time
            return false
          }
        } else if batch.leftOut.isEmpty || !batch.leftOut.contains(.init(count: place)) {
          guard batch.hasRoom(for: frame.byteCount) else { return false }
          batch.records.append(record(frame, at: place))
          batch.byteCount += frame.byteCount
        }
      }
      bytes -= frame.byteCount
      place += UInt64(frame.size)
    }
    return false
  }

  /// Appends the waiting records of another ring.
  mutating func append(recordsOf other: inout JournalRing) {
    var batch = JournalBatch(after: nil, maximumCount: .max, maximumBytes: .max, expiry: nil)
    while other.fill(&batch) {}
    for record in batch.records {
      guard record.bytes.count <= longest else {
        note(.full)
        continue
      }
      _ = record.bytes.withUnsafeBytes { append($0, time: record.date.journalTime) }
    }
    if other.dropped.damaged > 0 { note(.damaged, other.dropped.damaged) }
  }

  private func record(_ frame: RingFrame, at position: UInt64) -> Journal.Record {
    // Valid: `intact` has checked that the record is there.
    let bytes = UnsafeRawBufferPointer(
      start: memory.place(of: position) + RingFrame.headSize, count: frame.byteCount)
    return Journal.Record(
      position: .init(count: position), date: Date(journalTime: frame.time), bytes: Array(bytes))
  }

  /// The position of the first frame after the frame at `position`; the ring's start if `position`
  /// is nil.
  private func behind(_ position: UInt64?) -> UInt64 {
    guard let position, position >= start else { return start }
    if position >= end { return end }
    if let frame = frame(at: position) { return position + UInt64(frame.size) }
    return firstFrame(from: position + 1)
  }

  /// The position of the first frame at `least` or after it.
  private func firstFrame(from least: UInt64) -> UInt64 {
    var place = start
    while place < least, let frame = frame(at: place) { place += UInt64(frame.size) }
    return place
  }

  /// Whether a record at that position waits.
  func isWaiting(_ position: UInt64) -> Bool {
    position >= start && position < end && frame(at: position)?.isEmpty == false
  }

  /// Erases the records at these positions, except records that no longer wait. Returns the number
  /// of erased records.
  mutating func erase(_ positions: [UInt64]) -> Int {
    var total = 0
    for position in positions where isWaiting(position) {
      guard let frame = frame(at: position) else { continue }
      empty(frame, at: position)
      total += 1
    }
    return total
  }

  /// The position at which the free room ends. It increases when the first records are removed.
  var roomEnd: UInt64 { start &+ UInt64(memory.capacity) }

  /// Writes zeros over the next piece of the free room between `place` and `limit`. Returns the
  /// position from which to continue; nil if there is no room left between both positions.
  mutating func clearRoom(from place: UInt64, to limit: UInt64) -> UInt64? {
    let place = max(place, end)
    guard place < limit else { return nil }
    let size = min(UInt64(JournalBatch.piece.bytes), limit - place)
    clear(memory.place(of: place), Int(size))
    return place + size
  }

  /// The date of the first waiting record.
  var oldest: Date? {
    var place = start
    while place < end, let frame = frame(at: place) {
      if !frame.isEmpty { return Date(journalTime: frame.time) }
      place += UInt64(frame.size)
    }
    return nil
  }
}
