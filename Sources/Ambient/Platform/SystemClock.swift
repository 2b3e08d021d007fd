// SPDX-License-Identifier: Apache-2.0

internal import AmbientSystem

/// The system's clocks, read with one call each.
package enum SystemClock {
  static func wall() -> Date {
    let time = read(CLOCK_REALTIME)
    // `Date` counts seconds since 2001-01-01, and the system's clock counts them since 1970-01-01.
    // The difference is 978,307,200 s.
    let seconds = Double(time.tv_sec - 978_307_200)
    // Multiplication is faster than division, and its error is far below a Date's resolution.
    return Date(timeIntervalSinceReferenceDate: seconds + Double(time.tv_nsec) * 1e-9)
  }

  /// The time since the machine started, including the time that the machine slept.
  package static func monotonic() -> Duration {
    #if os(Linux)
      let time = read(CLOCK_BOOTTIME)
    #else
      // On Apple's systems CLOCK_MONOTONIC is the wall clock minus the time of the machine's start,
      // in microseconds, so it jumps when the wall clock is set. CLOCK_MONOTONIC_RAW does not
      // jump (clock_gettime(3)).
      let time = read(CLOCK_MONOTONIC_RAW)
    #endif
    return Duration(
      secondsComponent: Int64(time.tv_sec),
      attosecondsComponent: Int64(time.tv_nsec) * 1_000_000_000)
  }

  /// Returns the whole seconds since the machine started, from the coarse clock, which costs next
  /// to nothing. On Linux, the time that the machine slept is not included.
  package static func coarse() -> Int {
    #if os(Linux)
      Int(read(CLOCK_MONOTONIC_COARSE).tv_sec)
    #else
      Int(read(CLOCK_MONOTONIC_RAW_APPROX).tv_sec)
    #endif
  }

  /// The UTC offset of the process's time zone, in seconds (positive in the east), at that second
  /// after 1970.
  static func offset(atSecond second: Int) -> Int {
    var second = time_t(second)
    var parts = tm()
    return localtime_r(&second, &parts) == nil ? 0 : parts.tm_gmtoff
  }

  private static func read(_ clock: clockid_t) -> timespec {
    var time = timespec()
    clock_gettime(clock, &time)
    return time
  }
}
