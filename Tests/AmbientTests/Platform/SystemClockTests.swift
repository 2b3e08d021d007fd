// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Ambient

@Suite struct `System clock` {
  @Test func `SystemClock's wall clock matches the current date`() {
    let before = Date.now
    let time = SystemClock.wall()
    // The clock counts nanoseconds, a date's last bit is of 0.1 µs.
    #expect(time > before.addingTimeInterval(-1e-3))
    #expect(time < Date.now.addingTimeInterval(1e-3))
  }

  #if os(Linux)
    private func read(_ clock: clockid_t) -> Duration {
      var time = timespec()
      clock_gettime(clock, &time)
      return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    @Test func `SystemClock's monotonic and coarse clocks match the system's clocks`() {
      for _ in 0..<10 {
        let before = read(CLOCK_BOOTTIME)
        let time = SystemClock.monotonic()
        #expect(before <= time && time <= read(CLOCK_BOOTTIME))
      }
      let before = read(CLOCK_MONOTONIC_COARSE).components.seconds
      let time = Int64(SystemClock.coarse())
      #expect(before <= time && time <= read(CLOCK_MONOTONIC_COARSE).components.seconds)
    }
  #endif

  @Test func `SystemClock's offset from UTC follows the process's time zone`() async {
    await #expect(processExitsWith: .success) {
      setenv("TZ", "AAA-5:30BBB,M3.5.0,M10.5.0", 1)
      tzset()
      let (winter, summer) = (1_795_755_600, 1_782_907_200)
      #expect(SystemClock.offset(atSecond: winter) == 19_800)
      #expect(SystemClock.offset(atSecond: summer) == 23_400)
      // A year that no calendar has.
      #expect(SystemClock.offset(atSecond: .max) == 0)
    }
  }
}
