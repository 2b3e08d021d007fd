import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Ambient

@Suite struct `What a thread keeps for its log` {
  @Test func `is no long line's memory`() {
    ThreadMemory.keep([UInt8](repeating: 0, count: 1 << 20))
    #expect(ThreadMemory.withCurrent { $0.takeSpare() }.count <= 4_096)
  }

  @Test func `ends with the thread, and begins anew for what logs after it`() async {
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
