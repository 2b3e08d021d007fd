// SPDX-License-Identifier: Apache-2.0

public import AmbientSystem

// A Date stores seconds since 2001 as a double. Today, neighbouring doubles lie some 0.1 µs apart.
// All code that makes a date, from a text or from a clock, chooses the nearest double, which may
// lie just before the instant. A date that was computed from seconds since 1970 may lie up to
// 0.24 µs before the instant, because neighbouring doubles of such seconds lie up to 0.48 µs apart
// (until 2106). Therefore, conversions from a date to text or to a duration first round to the
// nearest microsecond, and only then cut digits off.

extension Date {
  /// Creates the date nearest to the instant `duration` after 2001-01-01T00:00:00Z.
  package init(sinceReferenceDate duration: Duration) {
    // The attoseconds are divided here, because `Duration.components` traps if the seconds do not
    // fit into 64 bits, as in the duration of an endless sleep.
    var (second, attoseconds) = duration.attoseconds.quotientAndRemainder(dividingBy: perSecond)
    if attoseconds < 0 {
      second -= 1
      attoseconds += perSecond
    }
    self.init(second: Double(second), attoseconds: Int64(attoseconds))
  }

  /// Creates the date nearest to an instant: `second` whole seconds and `attoseconds` after
  /// 2001-01-01T00:00:00Z.
  init(second: Double, attoseconds: Int64) {
    self.init(timeIntervalSinceReferenceDate: second + Double(attoseconds) / 1e18)
  }

  /// The duration since 2001-01-01T00:00:00Z whose nearest date is this one.
  ///
  /// Several durations have the same nearest date. The result is the one that is a whole number of
  /// microseconds; every date that was read from a text with at most six fractional digits has one.
  /// Before 1865 and from 2137 on, where doubles lie almost a microsecond apart or more, the result
  /// is the one that is a whole number of milliseconds. If a date has no such duration, the result
  /// is the date's exact value.
  package var sinceReferenceDate: Duration {
    let interval = timeIntervalSinceReferenceDate.clamped
    let second = interval.rounded(.down)
    let fraction = interval - second
    let microseconds = Self.microseconds(of: fraction, Self.tolerance(after: second))
    let part: Duration =
      interval.magnitude < 0x1p32
      ? .microseconds(microseconds) : .milliseconds(Int64((fraction * 1e3).rounded()))
    let round = Duration.seconds(Int64(second)) + part
    if Date(sinceReferenceDate: round) == self { return round }
    return .seconds(Int64(second)) + Duration(attoseconds: Int128(fraction * 1e18))
  }

  /// Returns this date plus `duration`; a negative duration gives an earlier date.
  ///
  /// A date more than some 30,000 years from 2001 counts as the nearest within them, and NaN as the
  /// start of 2001.
  ///
  /// - Parameter duration: The time to add. A date is a number of seconds, a `Double`, so the
  ///   result is exact to a microsecond only from 1865 to 2136.
  public func advanced(by duration: Duration) -> Date {
    Date(sinceReferenceDate: sinceReferenceDate.plus(duration))
  }

  /// The maximum number of microseconds by which a date may lie before the instant that it
  /// represents, for dates in the second that begins at `second`.
  ///
  /// This is half a microsecond. Where doubles lie further apart (from 2137 on, and before 1865),
  /// it is slightly more than the distance between neighbouring doubles.
  @inline(__always)
  static func tolerance(after second: Double) -> Double { max(0.5, second.ulp * 1.05e6) }

  /// The whole microseconds of the fraction of a second, after adding the tolerance.
  ///
  /// The result is at most 999,999, so a fraction is never rounded up to the next whole second.
  /// Nothing is lost by this: a double represents each whole second exactly, so a date for a whole
  /// second never has a fraction just below one.
  @inline(__always)
  static func microseconds(of fraction: Double, _ tolerance: Double) -> Int {
    Int(min(fraction * 1e6 + tolerance, 999_999))
  }
}

private let perSecond: Int128 = 1_000_000_000_000_000_000

extension Duration {
  /// The time from `start` to `end`. These dates may come from any clock, or may have been computed
  /// by adding seconds to another date.
  ///
  /// If `start` plus a whole number of microseconds is exactly `end`, the result is that number of
  /// microseconds. Otherwise, the result is rounded up to whole nanoseconds.
  static func sum(from start: Date, to end: Date) -> Duration {
    let seconds = end.timeIntervalSince(start).clamped
    let microseconds = (seconds * 1e6).rounded()
    return start.addingTimeInterval(microseconds / 1e6) == end
      ? .microseconds(Int64(microseconds)) : .seconds(seconds).nanosecondsRoundedUp
  }

  /// The sum. If it overflows, the result is the longest duration with the sign of the exact sum.
  package func plus(_ other: Duration) -> Duration {
    let (sum, overflows) = attoseconds.addingReportingOverflow(other.attoseconds)
    return Duration(attoseconds: overflows ? (attoseconds < 0 ? .min : .max) : sum)
  }

  /// The difference. If it overflows, the result is the longest duration with the sign of the exact
  /// difference.
  package func minus(_ other: Duration) -> Duration {
    let (rest, overflows) = attoseconds.subtractingReportingOverflow(other.attoseconds)
    return Duration(attoseconds: overflows ? (attoseconds < 0 ? .min : .max) : rest)
  }

  /// The duration rounded up to whole nanoseconds.
  var nanosecondsRoundedUp: Duration {
    let beyond = attoseconds % 1_000_000_000
    return Duration(attoseconds: attoseconds - beyond)
      .plus(beyond > 0 ? .nanoseconds(1) : .zero)
  }

  /// The duration in nanoseconds, rounded towards zero; the nearest number that an `Int` has, other
  /// than `Int.min`.
  var wholeNanoseconds: Int { max(Int(clamping: attoseconds / 1_000_000_000), .min + 1) }

  /// The duration times `factor`, to the nearest nanosecond; at most some 30,000 years.
  func scaled(by factor: Double) -> Duration {
    let seconds = (self / .seconds(1) * factor).clamped
    return Duration(attoseconds: Int128((seconds * 1e9).rounded()) * 1_000_000_000)
  }
}

extension Double {
  /// The number of seconds, limited to ±1e12 (some 30,000 years), which fits into a `Duration`;
  /// zero for NaN.
  fileprivate var clamped: Double { isNaN ? 0 : Swift.min(Swift.max(self, -1e12), 1e12) }
}
