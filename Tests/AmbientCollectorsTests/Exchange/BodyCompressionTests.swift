// SPDX-License-Identifier: Apache-2.0

import AmbientCollectors
import CCurl
import Synchronization
import Testing

@Suite struct `Gzip body compression` {
  @Test(arguments: [
    (BodyCompression.gzip, 1_023, false), (.gzip, 1_024, true), (.gzip, 1_025, true),
    (.identity, 1_024, false),
  ])
  func `with gzip compression, a request body is compressed only if it has at least 1 KiB`(
    compression: BodyCompression, count: Int, isWorth: Bool
  ) {
    #expect(compression.isWorth(Array(repeating: 0, count: count)) == isWorth)
  }

  @Test func `BodyCompression.gzip() returns nil if the compressed body isn't shorter`() {
    #expect(BodyCompression.gzip([]) == nil)
    #expect(BodyCompression.gzip([1]) == nil)
    #expect(BodyCompression.gzip((0..<64).map { UInt8($0) }) == nil)
    let packed = BodyCompression.gzip(Array(repeating: 0, count: 1_000))
    #expect(packed?.prefix(3) == [0x1F, 0x8B, 8] && (packed?.count ?? 1_000) < 100)
  }

  /// A zlib whose functions say only what they were asked.
  private enum Asked {
    static let ends = Atomic<Int>(0)
    static let isWhole = Atomic<Bool>(true)
    static let isStarted = Atomic<Bool>(true)
    static let isZeroed = Atomic<Bool>(true)

    static let zlib = ambient_zlib(
      init: { stream, _, _, _, _, _, _, size in
        // zlib takes what is not zero for the program's own functions. Valid: the stream is the
        // caller's during this call, and of that size.
        let bytes = UnsafeRawBufferPointer(start: stream, count: Int(size))
        if bytes.contains(where: { $0 != 0 }) { Asked.isZeroed.store(false, ordering: .relaxed) }
        return Asked.isStarted.load(ordering: .relaxed) ? 0 : -2
      },
      deflate: { _, _ in Asked.isWhole.load(ordering: .relaxed) ? 1 : 0 },
      end: { _ in
        Asked.ends.add(1, ordering: .relaxed)
        return 0
      })
  }

  @Test func `a zlib stream is ended whether or not the compressed body fits the buffer`() {
    var zlib = Asked.zlib
    var room: [UInt8] = [0, 0, 0]
    // The test may have run before.
    Asked.ends.store(0, ordering: .relaxed)
    Asked.isWhole.store(true, ordering: .relaxed)
    Asked.isStarted.store(true, ordering: .relaxed)
    func pack() -> Int { ambient_zlib_gzip(&zlib, [1, 2, 3], 3, &room, 3) }
    #expect(pack() == 0)
    #expect(Asked.ends.load(ordering: .relaxed) == 1)
    Asked.isWhole.store(false, ordering: .relaxed)
    #expect(pack() == 0)
    #expect(Asked.ends.load(ordering: .relaxed) == 2)
    // Nothing is taken where zlib does not start.
    Asked.isStarted.store(false, ordering: .relaxed)
    #expect(pack() == 0)
    #expect(Asked.ends.load(ordering: .relaxed) == 2)
    #expect(Asked.isZeroed.load(ordering: .relaxed) == true)
  }
}
