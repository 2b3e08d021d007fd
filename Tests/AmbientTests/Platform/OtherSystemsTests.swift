import CAmbient
import Foundation
import Testing

/// What other systems than this one go by, in the C that each system compiles.
@Suite struct `A call that other systems lack` {
  @Test func `writes to a pipe as much as it takes without waiting, and no more`() throws {
    var ends: [CInt] = [-1, -1]
    try #require(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    let most = Int(PIPE_BUF)
    let bytes = [UInt8](repeating: 120, count: most * 3)
    #expect(ambient_write_polled(ends[1], bytes, 3) == 3)
    #expect(ambient_write_polled(ends[1], bytes, bytes.count) == most)
    var result = most
    // Ends, as the pipe is full some time.
    while result > 0 { result = ambient_write_polled(ends[1], bytes, bytes.count) }
    #expect(result == -1 && errno == EAGAIN)
    var room = [UInt8](repeating: 0, count: 1 << 20)
    #expect(read(ends[0], &room, room.count) > most)
    #expect(ambient_write_polled(ends[1], bytes, bytes.count) == most)
    #expect(ambient_write_polled(.max, bytes, 1) == -1 && errno == EBADF)
  }

  @Test func `synchronizes a file as well as its file system can`() {
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
}
