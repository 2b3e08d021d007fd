// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Ambient

@Suite struct `Thread memory` {
  @Test func `a thread frees a long log line's buffer instead of keeping the buffer for reuse`() {
    ThreadMemory.keep([UInt8](repeating: 0, count: 1 << 20))
    #expect(ThreadMemory.withCurrent { $0.takeSpare() }.count <= 4_096)
  }

  /// Takes what this thread keeps for fields: two buffers, or new ones where it keeps none.
  private func takeFieldSpares() -> [Int] {
    ThreadMemory.withCurrent { [$0.takeFieldSpare().count, $0.takeFieldSpare().count] }
  }

  private func memory(_ size: Int) -> [UInt8] { [UInt8](repeating: 0, count: size) }

  @Test(arguments: [(4_096, true), (4_097, false)])
  func `a thread keeps a line or field buffer for reuse only if it has at most 4 KiB`(
    size: Int, isKept: Bool
  ) {
    _ = (ThreadMemory.withCurrent { $0.takeSpare() }, takeFieldSpares())
    ThreadMemory.keep(memory(size))
    ThreadMemory.keep(fields: memory(size))
    #expect((ThreadMemory.withCurrent { $0.takeSpare() }.count == size) == isKept)
    #expect(takeFieldSpares().contains(size) == isKept)
  }

  @Test func `a thread keeps two field buffers for reuse, and a third replaces the second`() {
    _ = takeFieldSpares()
    for size in [600, 700] { ThreadMemory.keep(fields: memory(size)) }
    #expect(takeFieldSpares() == [600, 700])
    for size in [600, 700, 800] { ThreadMemory.keep(fields: memory(size)) }
    #expect(takeFieldSpares() == [600, 800])
    ThreadMemory.keep(fields: memory(900))
    let none: Int? = nil
    #expect((["a": none] as AmbientFields).isEmpty)
    let taken = takeFieldSpares()
    #expect(taken[0] == 900 && taken[1] < 900)
  }

  @Test
  func `a thread keeps the buffers of a log message's text and fields, not of scope metadata`() {
    let text = String(repeating: "x", count: 600)
    let date = Date(timeIntervalSinceReferenceDate: 0)
    Log.withInstance(.calling { _ in }) {
      _ = (ThreadMemory.withCurrent { $0.takeSpare() }, takeFieldSpares())
      // The text does not have the date as its field has it, so that the names have memory, too.
      Log.info("\(date, name: "date") \(text, name: "text")", ["more": text])
      #expect(ThreadMemory.withCurrent { $0.takeSpare() }.count > 600)
      #expect(takeFieldSpares().allSatisfy { $0 > 600 })
      Log.withMetadata(["scope": text]) {
        _ = takeFieldSpares()
        Log.info("a")
        #expect(takeFieldSpares().allSatisfy { $0 < 600 })
        Log.info("a", ["more": text])
        #expect(takeFieldSpares().contains { $0 > 600 })
      }
    }
  }

  @Test func `a thread-specific destructor can log after the thread's log buffers were freed`()
    async
  {
    await #expect(processExitsWith: .success) {
      let recorder = LogRecorder()
      Log.instance = recorder
      // Made before the log's own, so that the system calls it first, and made again by itself, so
      // that it is also called after the log's own.
      var key = pthread_key_t()
      pthread_key_create(&key) { round in
        Log.info("the thread ends")
        let number = Int(bitPattern: round)
        let key = lateKey.load(ordering: .relaxed)
        if number < 3 { pthread_setspecific(key, UnsafeRawPointer(bitPattern: number + 1)) }
      }
      lateKey.store(key, ordering: .relaxed)
      for _ in 0..<50 {
        let thread = Thread {
          Log.info("the thread works")
          pthread_setspecific(lateKey.load(ordering: .relaxed), UnsafeRawPointer(bitPattern: 1))
        }
        thread.start()
        #expect(Patience.wait { thread.isFinished })
      }
      #expect(Patience.wait { recorder.records.count >= 200 })
      #expect(recorder.messages.count { $0 == "the thread ends" } == 150)
    }
  }
}

private let lateKey = Atomic<pthread_key_t>(0)
