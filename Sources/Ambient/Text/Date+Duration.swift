#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension Duration {
  /// The shortest duration of whole nanoseconds that is not shorter.
  var nanosecondsRoundedUp: Duration {
    let beyond = attoseconds % 1_000_000_000
    return Duration(attoseconds: attoseconds - beyond + (beyond > 0 ? 1_000_000_000 : 0))
  }

  /// The time from one date to another: the roundest that a `Date`, which resolves a tenth of a
  /// microsecond, cannot tell from it, and else the next nanosecond.
  static func from(_ start: Date, to end: Date) -> Duration {
    let seconds = end.timeIntervalSince(start).clamped
    let round = (seconds * 1e6).rounded() / 1e6
    guard start.addingTimeInterval(round) == end else {
      return .seconds(seconds).nanosecondsRoundedUp
    }
    return .microseconds(Int64((seconds * 1e6).rounded()))
  }
}

extension Date {
  /// The date that is nearest to that time since 2001-01-01T00:00:00Z.
  init(sinceReferenceDate duration: Duration) {
    // The components of a duration trap beyond 64 bits of seconds, where a sleep for ever leads.
    let (seconds, attoseconds) =
      duration.attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000_000_000_000)
    self.init(timeIntervalSinceReferenceDate: Double(seconds) + Double(attoseconds) / 1e18)
  }

  /// The roundest time since 2001-01-01T00:00:00Z whose date is this one.
  var sinceReferenceDate: Duration {
    let interval = timeIntervalSinceReferenceDate.clamped
    let seconds = interval.rounded(.down)
    let fraction = interval - seconds
    let whole = Duration.seconds(Int64(seconds))
    let round = whole + .microseconds(Int64((fraction * 1e6).rounded()))
    return Date(sinceReferenceDate: round) == self
      ? round : whole + Duration.seconds(fraction).nanosecondsRoundedUp
  }
}

extension Double {
  /// The number itself, or the nearest number of seconds that a `Duration` can hold in thousands of
  /// years; zero for what is no number.
  fileprivate var clamped: Double { isNaN ? 0 : Swift.min(Swift.max(self, -1e12), 1e12) }
}
