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
