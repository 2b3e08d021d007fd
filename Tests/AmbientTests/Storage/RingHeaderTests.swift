// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Ambient

@Suite struct `Ring headers` {
  @Test func `a ring header whose start lies after its end is read as an empty, undamaged ring`()
    throws
  {
    let folder = TemporaryFolder()
    let file = try FileDescriptor.new(folder.path("buffer"))
    defer { file.close() }
    // A signal handler has drained a frame whose end the killed thread had yet to store.
    try BufferFile.header.write(to: file, capacity: 8_192, start: 64, end: 32)
    try file.allocate(RingHeader.size + 8_192)
    let contents = try #require(try BufferFile.header.read(file, wanted: 8_192))
    #expect(contents.start == 64 && contents.end == 64 && contents.faults.isEmpty)
  }
}
