#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

// A Date counts seconds in a double, of which today's lie some 0.1 µs apart. One rule for all code
// that makes dates, the reader of text as the clocks: the nearest double. It may lie just before
// its instant; one computed from seconds since 1970, where doubles lie up to 0.48 µs apart, by half
// of that. So code that goes back, to text or to a duration, first rounds to the nearest
// microsecond, and then cuts digits off.

extension Date {
  /// The nearest date to that time since 2001-01-01T00:00:00Z.
  init(sinceReferenceDate duration: Duration) {
    // The components of a duration trap beyond 64 bits of seconds, where a sleep for ever leads.
    var (second, attoseconds) = duration.attoseconds.quotientAndRemainder(dividingBy: perSecond)
    if attoseconds < 0 {
      second -= 1
      attoseconds += perSecond
    }
    self.init(second: Double(second), attoseconds: Int64(attoseconds))
  }

  /// The nearest date to the instant so long after a whole second since 2001.
  init(second: Double, attoseconds: Int64) {
    self.init(timeIntervalSinceReferenceDate: second + Double(attoseconds) / 1e18)
  }

  /// The time since 2001-01-01T00:00:00Z whose nearest date this is: whole microseconds, if there
  /// is such a time, as for every date that was read from text; whole milliseconds before 1865 and
  /// from 2138 on, where doubles lie almost a microsecond apart.
  var sinceReferenceDate: Duration {
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

  /// The date that is later by `duration`, or earlier if negative.
  package func advanced(by duration: Duration) -> Date {
    Date(sinceReferenceDate: sinceReferenceDate.plus(duration))
  }

  /// By how many microseconds a date in that second may lie before the instant that it stands for:
  /// half a microsecond, and where doubles lie further apart than that (from 2137 on, and before
  /// 1865), the distance of two.
  @inline(__always)
  static func tolerance(after second: Double) -> Double { max(0.5, second.ulp * 1.05e6) }

  /// The microseconds of a date that lies so long after a second, cut off.
  ///
  /// Never a million: a whole second is a double itself.
  @inline(__always)
  static func microseconds(of fraction: Double, _ tolerance: Double) -> Int {
    Int(min(fraction * 1e6 + tolerance, 999_999))
  }
}

private let perSecond: Int128 = 1_000_000_000_000_000_000

extension Duration {
  /// The time from one date to another on any clock, whose dates may be sums of seconds: whole
  /// microseconds if they lead there, and else the next nanosecond.
  static func sum(from start: Date, to end: Date) -> Duration {
    let seconds = end.timeIntervalSince(start).clamped
    let microseconds = (seconds * 1e6).rounded()
    return start.addingTimeInterval(microseconds / 1e6) == end
      ? .microseconds(Int64(microseconds)) : .seconds(seconds).nanosecondsRoundedUp
  }

  /// The sum, or the longest duration of its sign where the sum does not fit.
  package func plus(_ other: Duration) -> Duration {
    let (sum, overflows) = attoseconds.addingReportingOverflow(other.attoseconds)
    return Duration(attoseconds: overflows ? (attoseconds < 0 ? .min : .max) : sum)
  }

  /// The difference, or the longest duration of its sign where the difference does not fit.
  package func minus(_ other: Duration) -> Duration {
    let (rest, overflows) = attoseconds.subtractingReportingOverflow(other.attoseconds)
    return Duration(attoseconds: overflows ? (attoseconds < 0 ? .min : .max) : rest)
  }

  /// The shortest duration of whole nanoseconds that is not shorter.
  var nanosecondsRoundedUp: Duration {
    let beyond = attoseconds % 1_000_000_000
    return Duration(attoseconds: attoseconds - beyond)
      .plus(beyond > 0 ? .nanoseconds(1) : .zero)
  }

  /// The duration times `factor`, to the nearest nanosecond; at most some 30,000 years.
  func scaled(by factor: Double) -> Duration {
    let seconds = (self / .seconds(1) * factor).clamped
    return Duration(attoseconds: Int128((seconds * 1e9).rounded()) * 1_000_000_000)
  }
}

extension Double {
  /// The number itself, or the nearest number of seconds that a `Duration` can hold in thousands of
  /// years; zero for what is no number.
  fileprivate var clamped: Double { isNaN ? 0 : Swift.min(Swift.max(self, -1e12), 1e12) }
}
