#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension Date {
  /// Whole microseconds since 1970, limited to 64 bits; zero for NaN.
  var journalTime: Int64 {
    // Rounded by hand, since the system's rounding would cost a call of a C function.
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
}

/// The seconds from 1970 to 2001.
private let secondsTo2001: Int64 = 978_307_200

extension Int64 {
  /// The time `duration` earlier, in microseconds, limited to the range of the type.
  func subtracting(_ duration: Duration) -> Int64 {
    let time = Duration.microseconds(self).minus(duration)
    return Int64(clamping: time.attoseconds / 1_000_000_000_000)
  }
}
