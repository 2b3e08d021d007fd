// SPDX-License-Identifier: Apache-2.0

import Ambient
import CAmbient
import Foundation
import TestSupport
import Testing

@testable import AmbientCollectors

@Suite(.timeLimit(.minutes(30))) struct `Journal ring` {
  private let folder = TemporaryFolder()

  private func ring(_ capacity: Int = 65_536) throws -> JournalRing {
    let file = try FileDescriptor.made(folder.path("ring"), permissions: 0o600)
    let isLocked = try file.lock()
    try #require(isLocked)
    try file.allocate(RingHeader.size + capacity)
    return JournalRing(try MappedRing(mapping: OwnedDescriptor(file), capacity: capacity))
  }

  /// How many records are in a batch after each of so many pieces, and whether it goes on then.
  private func pieces(
    _ count: Int, of ring: inout JournalRing
  ) -> (counts: [Int], goesOn: [Bool]) {
    var batch = JournalBatch(after: nil, maximumCount: .max, maximumBytes: .max, expiry: nil)
    var (counts, goesOn): ([Int], [Bool]) = ([], [])
    for _ in 0..<count {
      goesOn.append(ring.fill(&batch))
      counts.append(batch.records.count)
    }
    return (counts, goesOn)
  }

  @Test func `a JournalBatch is read in pieces with limited numbers of records and bytes`() throws {
    var ring = try ring(1 << 20)
    let most = JournalBatch.piece
    for _ in 0..<2 * most.frames + 2 { #expect(append([1], to: &ring)) }
    var (counts, goesOn) = pieces(4, of: &ring)
    #expect(counts == [most.frames, 2 * most.frames, 2 * most.frames + 2, 2 * most.frames + 2])
    #expect(goesOn == [true, true, false, false])
    ring.removeAll(through: ring.end - 8)
    #expect(ring.count == 0 && ring.byteCount == 0)
    let quarter = [UInt8](repeating: 7, count: most.bytes / 4)
    for _ in 0..<9 { #expect(append(quarter, to: &ring)) }
    (counts, goesOn) = pieces(3, of: &ring)
    #expect(counts == [4, 8, 9] && goesOn == [true, true, false])
  }

  @Test func `a journal that is at its last possible position refuses and counts further records`()
    throws
  {
    var ring = try ring()
    ring.memory.set(start: MappedRing.lastEnd, end: MappedRing.lastEnd)
    #expect(append([1], to: &ring))
    #expect(ring.hasLost == false)
    #expect(!append([2], to: &ring))
    #expect(ring.hasLost && ring.dropped == .init(full: 1))
    #expect(ring.count == 1 && ring.takeLosses() == .init(full: 1))
    #expect(!ring.hasLost && ring.dropped.full == 1)
  }

  @Test func `a full JournalRing drops only as many old records as a new record needs`() throws {
    var ring = try ring()
    #expect(ring.longest == 16_384 && ring.room == 65_536)
    for number in 0..<4 as Range<UInt8> {
      #expect(append([UInt8](repeating: number, count: 16_384 - 24), to: &ring))
    }
    #expect(ring.room == 0 && ring.dropped.full == 0)
    #expect(append([], to: &ring))
    #expect(ring.dropped.full == 1 && ring.room == 16_384 - 24 && ring.count == 4)
    #expect(append([UInt8](repeating: 4, count: 16_384 - 48), to: &ring))
    #expect(ring.room == 0 && ring.dropped.full == 1 && ring.count == 5)
    #expect(ring.byteCount == 3 * (16_384 - 24) + 16_384 - 48)
  }

  @Test func `JournalRing.verify removes damaged records and counts each of them once`() throws {
    var ring = try ring()
    for number in 0..<5 as Range<UInt8> { #expect(append([number, number], to: &ring)) }
    // The second and the third, of 32 bytes each with their frames. Valid: within the ring.
    for place in [32, 64] as [UInt64] {
      ring.memory.place(of: place + 24).storeBytes(of: 0xFF, as: UInt8.self)
    }
    for _ in 1...2 {
      ring.verify()
      #expect(ring.count == 3 && ring.byteCount == 6 && ring.dropped == .init(damaged: 2))
    }
    let (counts, goesOn) = pieces(1, of: &ring)
    #expect(counts == [3] && goesOn == [false])
  }

  @Test func `JournalRing.verifyAfterLoss counts each record on lost pages once`() throws {
    var ring = try ring()
    for number in 0..<5 as Range<UInt8> { #expect(append([number, number], to: &ring)) }
    // Valid: three frames of 32 bytes are within the ring.
    let start = ring.memory.place(of: 0)
    ring.clear(start, 3 * 32)
    ring.verifyAfterLoss()
    #expect(ring.count == 2 && ring.dropped == .init(damaged: 3))
    ring.verifyAfterLoss()
    #expect(ring.count == 2 && ring.dropped == .init(damaged: 3))
  }

  /// Whoever chooses a record's bytes could otherwise move a journal's positions.
  @Test func `bytes inside a journal record that imitate a record's frame aren't read as a record`()
    throws
  {
    let queue = Queue()
    let journal = try queue.open()
    journal.append("first")
    let place = journal.end.count + UInt64(RingFrame.headSize)
    var bytes = [UInt8](repeating: 0, count: 64)
    // One that would be behind all others.
    bytes.withUnsafeMutableBytes {
      ambient_frame_write($0.baseAddress, place + 65_536 * 7, 0, "fake", 4)
    }
    #expect(bytes.withUnsafeBytes { journal.append($0, at: Journal.now) })
    let end = journal.end
    journal.close()
    let again = try queue.open()
    #expect(again.end == end && again.count == 2)
    let records = again.batch(maximumCount: 9, maximumBytes: .max, now: Journal.now)
    #expect(records.map(\.bytes) == [Array("first".utf8), bytes])
  }
}

private func append(_ record: [UInt8], to ring: inout JournalRing) -> Bool {
  record.withUnsafeBytes { ring.append($0, time: 0) }
}

@Suite struct `Journal record times` {
  private static let of2001: Int64 = 978_307_200_000_000

  @Test(
    arguments: [
      (0, of2001), (1, of2001 + 1_000_000), (5e-7, of2001 + 1), (4e-7, of2001),
      (-4e-7, of2001), (-5e-7, of2001 - 1), (-978_307_200, 0), (.nan, 0),
      (.infinity, .max), (-.infinity, .min), (9.1e12, .max), (-9.1e12, .min),
    ] as [(Double, Int64)])
  func `a journal record's date is rounded to microseconds and clamped to the valid range`(
    seconds: Double, time: Int64
  ) {
    #expect(Date(timeIntervalSinceReferenceDate: seconds).journalTime == time)
  }

  @Test func `a journal's record times convert to Date and back, and subtraction never overflows`()
  {
    for time in [0, 1, -1, Self.of2001, 1_795_000_000_123_456] {
      #expect(Date(journalTime: time).journalTime == time)
    }
    #expect(Int64(5).subtracting(.microseconds(3)) == 2)
    #expect(Int64(5).subtracting(.microseconds(-3)) == 8)
    #expect(Int64.min.subtracting(.seconds(1)) == .min)
    #expect(Int64.max.subtracting(.seconds(-1)) == .max)
    #expect(Int64(0).subtracting(.seconds(Int64.max)) == .min)
  }
}
