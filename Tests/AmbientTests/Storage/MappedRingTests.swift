// SPDX-License-Identifier: Apache-2.0

import CAmbient
import Foundation
import TestSupport
import Testing

@testable import Ambient

@Suite struct `Ring unmapping` {
  private let folder = TemporaryFolder()

  /// Whether the system can read the byte at the address; an access of this process's own would
  /// trap.
  private func isMapped(_ address: UnsafeRawPointer) throws -> Bool {
    var ends: [CInt] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    return write(ends[1], address, 1) == 1
  }

  private func unmap(
    _ meanwhile: (UnsafeMutablePointer<ambient_mapping>) -> Void
  ) throws -> (mapping: UnsafeMutablePointer<ambient_mapping>, memory: UnsafeRawPointer) {
    let buffer = BufferFile(target: folder.path("shop.log"), folder: nil)
    let lines = try buffer.make(capacity: 65_536).lines
    lines.direct(to: OwnedDescriptor(try .new(folder.path("target"))))
    let mapping = lines.ring.mapping
    meanwhile(mapping)
    return (mapping, UnsafeRawPointer(lines.ring.header))
  }

  @Test func `a log buffer's ring stays mapped while a signal handler drains it`()
    throws
  {
    // A handler that drains holds this claim.
    let (mapping, memory) = try unmap { mapping in #expect(ambient_drain_claim(mapping)) }
    #expect(try isMapped(memory))
    #expect(UnsafeRawPointer(mapping.pointee.ring) == memory)
    // The handler stops at its next batch, and another handler does not begin.
    #expect(mapping.pointee.target == -1)
    ambient_drain_release(mapping)
  }
}

@Suite struct `Mapped rings` {
  private let folder = TemporaryFolder()

  @Test func `if other code reused the file's descriptor number, mapping a ring throws EBUSY`()
    async throws
  {
    // In a process of its own, because the number is free for a moment.
    await #expect(processExitsWith: .success) {
      let folder = TemporaryFolder()
      let file = OwnedDescriptor(try .new(folder.path("ring")))
      try file.unchecked.allocate(RingHeader.size + 65_536)
      let other = open(folder.path("other"), O_RDWR | O_CREAT, 0o600)
      #expect(dup2(other, file.unchecked.number) >= 0)
      #expect(throws: SystemError.busy) { try RingMapping.map(file, RingHeader.size, 65_536) }
      #expect(FileDescriptor(number: other).size == 0)
    }
  }

  private func lines() throws -> LineQueue {
    let buffer = BufferFile(target: folder.path("shop.log"), folder: nil)
    return try buffer.make(capacity: 65_536).lines
  }

  @Test
  func `a newly mapped ring buffer starts empty, without any state of an earlier ring buffer`()
    throws
  {
    for _ in 0..<20 {
      let lines = try lines()
      let mapping = lines.ring.mapping
      let known = mapping.pointee
      #expect(known.target == -1 && known.lost == UInt32(AMBIENT_RING_WHOLE))
      #expect(known.latecomers == 0)
      #expect([known.start, known.end, known.appended_lines, known.drained_lines] == [0, 0, 0, 0])
      #expect(known.intent.until == 0 && known.intent.check == 0)
      #expect(known.header_size == RingHeader.size && known.capacity == 65_536)
      _ = Array("one\n".utf8).withUnsafeBytes { lines.ring.append($0) }
      lines.intend(.init(device: 1, file: 2), size: 3, from: 0, until: lines.ring.end)
      lines.ring.remove(before: lines.ring.end, lines: 1)
      lines.direct(to: OwnedDescriptor(try .appending(to: folder.path("target"))))
      mapping.pointee.latecomers = 1
      #expect(lines.claim())
      lines.release()
    }
  }

  @Test func `each mapped ring has its own record and memory`() throws {
    let rings = try (0..<3).map { _ in try lines() }
    #expect(Set(rings.map { $0.ring.mapping }).count == 3)
    #expect(Set(rings.map { $0.ring.header }).count == 3)
    withExtendedLifetime(rings) {}
  }

  @Test func `a ring's bytes are mapped twice in a row, so that a wrapping line is contiguous`()
    throws
  {
    let lines = try lines()
    lines.ring.set(start: 65_528, end: 65_528)
    _ = Array("wrapped\n".utf8).withUnsafeBytes { lines.ring.append($0) }
    #expect(lines.count == 1 && lines.ring.start == 65_528 && lines.ring.end == 65_560)
    let header = UnsafeMutableRawPointer(lines.ring.header)
    // Valid: the ring stands behind the header, and once more behind itself.
    let words = [0, 65_536].map { (header + 65_536 + $0 + 16).load(as: UInt64.self) }
    #expect(words == [0x0A64_6570_7061_7277, 0x0A64_6570_7061_7277])
  }

  @Test func `mapping a ring from an invalid descriptor throws EBADF`() {
    #expect(throws: SystemError(number: EBADF)) {
      try RingMapping.map(OwnedDescriptor(FileDescriptor(number: -1)), 65_536, 65_536)
    }
  }

  @Test func `after a ring buffer is mapped to its file again, no pages are marked as lost`()
    throws
  {
    let path = folder.path("ring")
    let owner = OwnedDescriptor(try .new(path))
    let file = owner.unchecked
    try file.allocate(131_072)
    let mapping = try RingMapping.map(owner, 65_536, 65_536)
    try #require(UInt(bitPattern: mapping.pointee.ring) != .max)
    defer { ambient_ring_unmap(mapping) }
    mapping.pointee.latecomers = 5
    mapping.pointee.lost = UInt32(AMBIENT_RING_REPLACED)
    #expect(ambient_ring_is_lost(mapping))
    #expect(!ambient_ring_remap(mapping, -1, true) && mapping.pointee.latecomers == 5)
    #expect(ambient_ring_is_lost(mapping))
    #expect(ambient_ring_remap(mapping, file.number, true))
    #expect(!ambient_ring_is_lost(mapping) && mapping.pointee.latecomers == 0)
    #expect(mapping.pointee.lost == UInt32(AMBIENT_RING_WHOLE))
  }

  #if os(Linux)
    @Test
    func `ambient_lost_pages_replace acts only on SIGBUS faults inside a ring, up to a limit`()
      throws
    {
      let lines = try lines()
      _ = Array("one\n".utf8).withUnsafeBytes { lines.ring.append($0) }
      let mapping = lines.ring.mapping
      let start = UnsafeMutableRawPointer(lines.ring.header)
      let size = 3 * 65_536
      // No place behind the ring: another ring may begin there.
      func isReplaced(_ place: Int?, _ signal: CInt = SIGBUS, code: CInt = 2) -> Bool {
        var info = siginfo_t()
        info.si_signo = signal
        info.si_code = code
        info._sifields._sigfault.si_addr = place.map { start + $0 }
        return ambient_lost_pages_replace(signal, &info)
      }
      #expect(!isReplaced(0, SIGSEGV) && !isReplaced(0, code: 1) && !isReplaced(0, code: 3))
      #expect(!ambient_lost_pages_replace(SIGBUS, nil))
      #expect(!isReplaced(nil))
      #expect(!lines.ring.isLost && lines.count == 1)
      #expect(isReplaced(0))
      #expect(lines.ring.isLost && lines.count == 1 && mapping.pointee.latecomers == 0)
      // The memory stands there twice, too.
      (start + 65_536 + 8).storeBytes(of: 77, as: UInt64.self)
      #expect((start + 2 * 65_536 + 8).load(as: UInt64.self) == 77)
      #expect(!isReplaced(nil))
      for place in [0, size - 1] { #expect(isReplaced(place)) }
      #expect(mapping.pointee.latecomers == 2)
      mapping.pointee.latecomers = 999
      #expect(isReplaced(0))
      #expect(!isReplaced(0))
    }
  #endif
}

@Suite struct `Ring positions` {
  private let folder = TemporaryFolder()

  private func lines(from position: UInt64) throws -> LineQueue {
    let buffer = BufferFile(target: folder.path("shop.log"), folder: nil)
    let lines = try buffer.make(capacity: 65_536).lines
    lines.ring.set(start: position, end: position)
    return lines
  }

  private func append(_ line: String, to lines: LineQueue) {
    let waiting = Array("\(line)\n".utf8).withUnsafeBytes { lines.ring.append($0) }
    #expect(waiting != nil)
  }

  /// The positions of the first waiting line and of the next.
  private func positions(_ lines: LineQueue) -> [UInt64] { [lines.ring.start, lines.ring.end] }

  /// A frame may end at 2⁵¹ - 2⁴⁰ at most; half of that is long before.
  @Test func `restartIfLong() resets an empty LineQueue's positions past half of their range`()
    throws
  {
    let half: UInt64 = (1 << 50) - (1 << 39)
    let lines = try lines(from: half)
    lines.restartIfLong()
    #expect(positions(lines) == [half, half])
    append("one", to: lines)
    let end = lines.ring.end
    lines.restartIfLong()
    #expect(positions(lines) == [half, end] && end > half)
    lines.ring.remove(before: end, lines: 1)
    lines.restartIfLong()
    #expect(positions(lines) == [0, 0])
    // Nothing of before is taken for a line.
    let place = lines.ring.place(of: half)
    let bytes = (0..<64).map { place.load(fromByteOffset: $0, as: UInt8.self) }
    #expect(bytes == [UInt8](repeating: 0, count: 64))
    append("two", to: lines)
    let second = lines.ring.end
    #expect(positions(lines) == [0, second] && lines.count == 1)
    #expect(lines.firstLine(until: second) == 4)
  }
}

@Suite struct `Ring checksums` {
  @Test func `ambient_checksum and ambient_checksum_by_table compute the same CRC-32C`() {
    let nine = Array("123456789".utf8)
    #expect(ambient_checksum(nine, 9) == 0xE306_9283)
    #expect(ambient_checksum_by_table(nine, 9) == 0xE306_9283)
    let bytes = (0..<1_000).map { _ in UInt8.random(in: 0...255) }
    for count in [0, 1, 7, 8, 9, 63, 64, 65, 1_000] {
      #expect(ambient_checksum(bytes, count) == ambient_checksum_by_table(bytes, count))
    }
  }
}
