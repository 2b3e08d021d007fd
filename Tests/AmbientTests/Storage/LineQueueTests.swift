// SPDX-License-Identifier: Apache-2.0

import CAmbient
import Foundation
import TestSupport
import Testing

@testable import Ambient

@Suite(.timeLimit(.minutes(30))) struct `Line queues` {
  private let folder = TemporaryFolder()

  private func queue(_ lines: String...) throws -> LineQueue {
    let buffer = BufferFile(target: folder.path("shop.log"), folder: nil)
    let queue = try buffer.make(capacity: 8_192).lines
    for line in lines { append(line, to: queue) }
    return queue
  }

  private func append(_ line: String, to queue: LineQueue) {
    let waiting = Array("\(line)\n".utf8).withUnsafeBytes { queue.ring.append($0) }
    #expect(waiting == Int(queue.ring.end - queue.ring.start))
  }

  private func damage(_ queue: LineQueue, at place: UInt64) {
    // Valid: the place is within the ring, which the queue keeps mapped.
    queue.ring.place(of: place + 24).storeBytes(of: 0xFF, as: UInt8.self)
  }

  /// Each of the lines takes 32 bytes with its frame.
  @Test(arguments: [
    (0, 0, 0), (3, 0, 0), (4, 32, 1), (9, 32, 1), (10, 64, 2), (13, 64, 2), (14, 96, 3),
    (99, 96, 3),
  ])
  func `LineQueue place() returns how many whole lines the given number of bytes contains`(
    _ bytes: Int, _ place: Int, _ lines: Int
  ) throws {
    let queue = try queue("one", "three", "two")
    let found = queue.place(after: bytes, until: queue.ring.end)
    #expect((Int(found.place), found.lines) == (place, lines))
  }

  @Test(
    arguments: [
      (0, "one\n"), (4, "one\n"), (9, "one\n"), (10, "one\nthree\n"), (13, "one\nthree\n"),
      (14, "one\nthree\ntwo\n"), (.max, "one\nthree\ntwo\n"),
    ] as [(Int, String)])
  func `LineQueue gather() takes the lines that fit in the given room, but at least one`(
    _ room: Int, _ text: String
  ) throws {
    let queue = try queue("one", "three", "two")
    var batch = LineBatch()
    queue.gather(&batch, until: queue.ring.end, room: room)
    #expect(String(decoding: batch.bytes, as: UTF8.self) == text)
    let lines = text.split(separator: "\n").count
    #expect(batch.lines == lines && batch.end == UInt64(32 * lines))
    // Up to a limit.
    queue.gather(&batch, until: 64, room: .max)
    #expect(batch.bytes.count == 10 && batch.lines == 2)
    queue.gather(&batch, until: 0, room: .max)
    #expect(batch.bytes.isEmpty && batch.lines == 0 && batch.end == 0)
  }

  @Test func `LineQueue gather() stops at a damaged line, and passOverDamage() skips that line`()
    throws
  {
    let queue = try queue("one", "two", "three", "four")
    for place in [32, 64] as [UInt64] { damage(queue, at: place) }
    #expect(queue.count == 2)
    var batch = LineBatch()
    queue.gather(&batch, until: queue.ring.end, room: .max)
    #expect(String(decoding: batch.bytes, as: UTF8.self) == "one\n")
    queue.ring.remove(before: batch.end, lines: batch.lines)
    queue.gather(&batch, until: queue.ring.end, room: .max)
    #expect(batch.bytes.isEmpty)
    #expect(queue.passOverDamage(until: queue.ring.end) == 2)
    #expect(queue.ring.start == 96 && queue.count == 1)
    queue.gather(&batch, until: queue.ring.end, room: .max)
    #expect(String(decoding: batch.bytes, as: UTF8.self) == "four\n")
    queue.ring.remove(before: batch.end, lines: batch.lines)
    #expect(queue.ring.isEmpty && queue.count == 0)
    #expect(queue.firstLine(until: queue.ring.end) == 0)
    // Two of four were neither written nor are they waiting; that is said once.
    #expect(queue.appended == 4)
    #expect(queue.takeLoss(of: 4) == 2 && queue.takeLoss(of: 4) == 0)
  }

  @Test
  func `LineQueue firstLine() returns the first line's length, or 0 if the limit is earlier`()
    throws
  {
    let queue = try queue("three")
    #expect(queue.firstLine(until: 32) == 6)
    #expect(queue.firstLine(until: 24) == 0 && queue.firstLine(until: 0) == 0)
  }

  @Test func `LineQueue claim() returns false while the queue is already claimed`() throws {
    let queue = try queue()
    let isClaimed = [queue.claim(), queue.claim()]
    #expect(isClaimed == [true, false])
    queue.release()
    #expect(queue.claim())
    queue.release()
  }

  @Test func `LineQueue intent becomes nil once the lines that it covers are removed`() throws {
    let queue = try queue("one", "two")
    #expect(queue.intent == nil)
    let identity = FileDescriptor.Identity(device: 1, file: 2)
    queue.intend(identity, size: 3, from: 0, until: 64)
    let intent = try #require(queue.intent)
    #expect(intent.identity == identity && intent.isIntact)
    #expect([intent.size, intent.from, intent.until] == [3, 0, 64])
    queue.ring.remove(before: 32)
    #expect(queue.intent != nil)
    queue.ring.remove(before: 64)
    #expect(queue.intent == nil)
    // Nor are there more lines than were appended.
    queue.intend(identity, size: 3, from: 64, until: 96)
    #expect(queue.intent == nil)
    append("three", to: queue)
    #expect(queue.intent != nil)
    queue.ring.mapping.pointee.intent.size = UInt64(Int.max) + 1
    #expect(queue.intent == nil)
    queue.ring.mapping.pointee.intent.size = UInt64(Int.max)
    #expect(queue.intent != nil)
  }

  @Test(
    arguments: [
      (0, 64, true, 0), (32, 64, true, 32), (64, 64, false, 64), (32, 96, false, 0),
      (64, 32, false, 0),
    ] as [(UInt64, UInt64, Bool, UInt64)])
  func `LineQueue adopt() takes a write intent only if its range and its check are valid`(
    _ from: UInt64, _ until: UInt64, _ isOpen: Bool, _ start: UInt64
  ) throws {
    var intent = ambient_intent(device: 1, file: 2, size: 3, from: from, until: until, check: 0)
    intent.check = ambient_intent_check(&intent)
    let queue = try queue("one", "two")
    queue.adopt(intent)
    #expect((queue.intent != nil) == isOpen)
    #expect(queue.ring.start == start && queue.ring.end == 64)
    // But not with a wrong check.
    let other = try self.queue("one", "two")
    intent.check ^= 1
    other.adopt(intent)
    #expect(other.intent == nil && other.ring.start == 0)
  }

  @Test(arguments: [(0, true), (8, false)] as [(UInt64, Bool)])
  func `LineQueue adopt() takes a write intent only if it starts within the queue's ring`(
    _ less: UInt64, _ isOpen: Bool
  ) throws {
    let queue = try queue()
    let start: UInt64 = 8_192 * 3
    queue.ring.set(start: start, end: start)
    append(String(repeating: "x", count: 100), to: queue)
    let from = queue.ring.end - 8_192 - less
    var intent = ambient_intent(
      device: 1, file: 2, size: 3, from: from, until: queue.ring.end, check: 0)
    intent.check = ambient_intent_check(&intent)
    queue.adopt(intent)
    #expect((queue.intent != nil) == isOpen && queue.ring.start == start)
  }

  @Test func `a LineQueue accepts lines until it is full or only the given reserve is left`()
    throws
  {
    let queue = try queue()
    func append(_ count: Int, leaving reserve: Int = 0) -> Int? {
      [UInt8](repeating: 1, count: count).withUnsafeBytes {
        queue.ring.append($0, leaving: reserve)
      }
    }
    #expect(append(4_096 - 24) == 4_096)
    #expect(append(2_048 - 24, leaving: 2_049) == nil)
    #expect(append(2_048 - 24, leaving: 2_048) == 6_144)
    #expect(append(2_048 - 23) == nil)
    #expect(append(2_048 - 24) == 8_192)
    #expect(append(0) == nil)
    #expect(queue.count == 3 && queue.appended == 3)
  }
}

@Suite struct `Line frames` {
  @Test func `RingFrame size() returns the bytes of head and line, rounded up to a multiple of 8`()
  {
    let lengths = [0, 1, 7, 8, 9, 16]
    #expect(lengths.map(RingFrame.size) == [24, 32, 32, 32, 40, 40])
  }

  @Test func `ambient_copy_checksum copies a line of any length and returns the line's checksum`() {
    let bytes = (1...64).map { UInt8($0) }
    for count in 0...40 {
      var copy = [UInt8](repeating: 0, count: 64)
      #expect(ambient_copy_checksum(&copy, bytes, count) == ambient_checksum(bytes, count))
      #expect(ambient_checksum(bytes, count) == ambient_checksum_by_table(bytes, count))
      #expect(Array(copy[..<count]) == Array(bytes[..<count]))
      #expect(copy[count...].allSatisfy { $0 == 0 })
    }
  }

  @Test func `a line's frame in a ring is valid only if its position, size and checksum are right`()
  {
    let line = Array("12345".utf8)
    var memory = [UInt64](repeating: .max, count: 6)
    ambient_frame_write(&memory, 64, 7, line, line.count)
    var frame = RingFrame()
    let rooms = [0, 23, 24, 31, 32, 99] as [UInt64]
    #expect(
      rooms.map { ambient_frame_read(memory, 64, $0, &frame) }
        == [false, false, false, false, true, true])
    #expect(!ambient_frame_read(memory, 72, 99, &frame))
    #expect(frame.position == 64 && frame.time == 7 && frame.byteCount == 5 && !frame.isEmpty)
    func isIntact() -> Bool {
      memory.withUnsafeBytes { bytes in
        bytes.baseAddress.map { ambient_frame_is_intact(&frame, $0 + 24) } ?? false
      }
    }
    #expect(isIntact())
    // Zeros up to the next word, and nothing behind them.
    #expect(memory[4...] == [.max, .max])
    #expect(memory[3] == 0x35_3433_3231)
    for bit in [0, 39] as [UInt64] {
      memory[3] ^= 1 << bit
      #expect(!isIntact())
      memory[3] ^= 1 << bit
    }
    memory.withUnsafeMutableBytes { bytes in
      ambient_frame_empty(bytes.baseAddress?.assumingMemoryBound(to: ambient_frame.self))
    }
    #expect(ambient_frame_read(memory, 64, 99, &frame))
    #expect(frame.isEmpty && frame.byteCount == 5)
    // What is left of its line does not matter then.
    memory[3] = 0
    #expect(isIntact())
  }

  @Test func `ambient_frame_search finds a line frame by the low bits of its position`() {
    var ring = [UInt64](repeating: 1, count: 8)
    func search(_ from: UInt64, _ limit: UInt64) -> UInt64 {
      ambient_frame_search(ring, from, limit, 63)
    }
    #expect(search(0, 64) == 64 && search(64, 64) == 64 && search(72, 64) == 64)
    ring[2] = 64 * 9 + 16
    #expect(search(0, 64) == 16 && search(16, 64) == 16 && search(24, 64) == 64)
    #expect(search(0, 16) == 16 && search(24, 128) == 80 && search(64, 128) == 80)
  }
}
