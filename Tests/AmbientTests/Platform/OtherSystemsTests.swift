// SPDX-License-Identifier: Apache-2.0

import CAmbient
import Foundation
import TestSupport
import Testing

/// What other systems than this one go by, in the C that each system compiles.
@Suite struct `Fallbacks for other systems` {
  @Test func `ambient_write_polled writes at most PIPE_BUF bytes and never blocks`() throws {
    var ends: [CInt] = [-1, -1]
    try #require(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    let most = Int(PIPE_BUF)
    let bytes = [UInt8](repeating: 120, count: most * 3)
    #expect(ambient_write_polled(ends[1], bytes, 3) == 3)
    #expect(ambient_write_polled(ends[1], bytes, bytes.count) == most)
    var result = most
    // Ends, as the pipe is full some time.
    while result > 0 {
      errno = 0
      result = ambient_write_polled(ends[1], bytes, bytes.count)
    }
    #expect(result == -1 && errno == EAGAIN)
    var room = [UInt8](repeating: 0, count: 1 << 20)
    #expect(read(ends[0], &room, room.count) > most)
    #expect(ambient_write_polled(ends[1], bytes, bytes.count) == most)
    #expect(ambient_write_polled(.max, bytes, 1) == -1 && errno == EBADF)
  }

  @Test func `ambient_synchronize_by tries the second call only if the first one is unsupported`() {
    let works: @convention(c) (CInt) -> CInt = { _ in 0 }
    let isUnknown: @convention(c) (CInt) -> CInt = { _ in
      errno = ENOTSUP
      return -1
    }
    let fails: @convention(c) (CInt) -> CInt = { _ in
      errno = EIO
      return -1
    }
    #expect(ambient_synchronize_by(works, fails, 0) == 0)
    #expect(ambient_synchronize_by(isUnknown, works, 0) == 0)
    #expect(ambient_synchronize_by(isUnknown, fails, 0) == -1 && errno == EIO)
    #expect(ambient_synchronize_by(fails, works, 0) == -1 && errno == EIO)
    #expect(ambient_synchronize(-1) == -1 && errno == EBADF)
  }

  @Test func `ambient_allocate_by tries contiguous space, then extents, then only sets the size`()
    throws
  {
    let folder = TemporaryFolder()
    let file = open(folder.path("ring"), O_RDWR | O_CREAT, 0o600)
    try #require(file >= 0)
    defer { close(file) }
    func size() -> Int64 {
      var status = stat()
      return fstat(file, &status) == 0 ? Int64(status.st_size) : -1
    }
    let takes: Take = { _, isGapless, more in isGapless && more == 4_096 ? 0 : fail(EIO) }
    let takesParts: Take = { _, isGapless, _ in isGapless ? fail(ENOSPC) : 0 }
    let isFull: Take = { _, _, _ in fail(ENOSPC) }
    let isUnknown: Take = { _, _, _ in fail(ENOTSUP) }
    #expect(ambient_allocate_by(isFull, file, 4_096) == -1 && errno == ENOSPC && size() == 0)
    #expect(ambient_allocate_by(takes, file, 4_096) == 0 && size() == 4_096)
    #expect(ambient_allocate_by(takesParts, file, 8_192) == 0 && size() == 8_192)
    #expect(ambient_allocate_by(isUnknown, file, 12_288) == 0 && size() == 12_288)
    // A file that has the room asks for none, and is not cut.
    #expect(ambient_allocate(file, 65_536) == 0 && size() == 65_536)
    #expect(ambient_allocate_by(isFull, file, 4_096) == 0 && size() == 65_536)
    #expect(ambient_allocate_by(isFull, file, 1 << 20) == -1 && size() == 65_536)
    #expect(ambient_allocate_by(takes, -1, 1) == -1 && errno == EBADF)
  }

  @Test(arguments: [SIGSEGV, SIGBUS, SIGILL, SIGFPE])
  func `ambient_fails_again distinguishes a faulting instruction from a signal sent by kill`(
    signal: CInt
  ) {
    let (linux, apple): (CInt, CInt) = (0, 0x10001)
    #expect(ambient_fails_again(signal, 1, linux) && ambient_fails_again(signal, 1, apple))
    // The kernel's own code for an address that no program may have.
    #expect(ambient_fails_again(signal, 0x80, linux))
    #expect(!ambient_fails_again(signal, linux, linux) && !ambient_fails_again(signal, -6, linux))
    #expect(!ambient_fails_again(signal, apple, apple) && !ambient_fails_again(signal, 0, apple))
    #expect(!ambient_fails_again(signal, apple + 1, apple))
    #expect(!ambient_fails_again(SIGTRAP, 1, linux) && !ambient_fails_again(SIGINT, 0x80, linux))
  }
}

private typealias Take = @convention(c) (CInt, Bool, Int64) -> CInt

private func fail(_ number: CInt) -> CInt {
  errno = number
  return -1
}
