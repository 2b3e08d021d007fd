import CAmbient
import Foundation
import TestSupport
import Testing

@testable import Ambient

@Suite struct `A ring that is unmapped` {
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
    lines.direct(to: FileDescriptor(number: 1))
    let mapping = lines.ring.mapping
    meanwhile(mapping)
    return (mapping, UnsafeRawPointer(lines.ring.header))
  }

  @Test func `leaves its memory to a signal handler that drains it for longer than a second`()
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

@Suite struct `The lines of a ring` {
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
  @Test func `count from zero again behind half of all positions, when no line waits`() throws {
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
