// SPDX-License-Identifier: Apache-2.0

internal import Ambient
internal import Foundation

extension Date {
  /// The date as whole microseconds since 1970, clamped to the range of `Int64`. Zero if the date
  /// is NaN.
  var journalTime: Int64 {
    // Rounds to the nearest integer: moves the number away from zero by a half, and then lets
    // `Int64(_:)` truncate it. `rounded()` would cost a call of a C function.
    let interval = timeIntervalSinceReferenceDate * 1e6
    let microseconds = interval + (interval < 0 ? -0.5 : 0.5)
    guard microseconds.magnitude < 9e18 else {
      return microseconds.isNaN ? 0 : microseconds < 0 ? .min : .max
    }
    let (time, isBeyond) = Int64(microseconds).addingReportingOverflow(secondsTo2001 * 1_000_000)
    return isBeyond ? .max : time
  }

  init(journalTime: Int64) {
    self.init(sinceReferenceDate: .microseconds(journalTime) - .seconds(secondsTo2001))
  }

  /// Whether an age can be calculated from this date. If the date is before 2020, when this package
  /// did not exist, the clock was not set yet: for example, a machine without a battery starts in
  /// 1970, until it gets the time from the network.
  var hasAge: Bool { journalTime >= Self.firstTimeWithAge }

  /// The `journalTime` of the beginning of 2020, the first date of which `hasAge` is true.
  static var firstTimeWithAge: Int64 { 1_577_836_800_000_000 }
}

/// The number of seconds from the beginning of 1970 to the beginning of 2001.
private let secondsTo2001: Int64 = 978_307_200

extension Int64 {
  /// Returns this number of microseconds minus `duration`, clamped to the range of `Int64`.
  func subtracting(_ duration: Duration) -> Int64 {
    let time = Duration.microseconds(self).minus(duration)
    return Int64(clamping: time.attoseconds / 1_000_000_000_000)
  }
}
