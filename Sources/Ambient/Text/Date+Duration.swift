#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

// A Date counts seconds in a Double, which resolves some 0.1 µs today, and text cuts digits off. So
// one rule for all who make dates: the first that is not before the instant. The nearest one may lie
// just before it, and would be shown, compared and slept until as one unit of the last digit less.

extension Date {
  /// The first date that is not before that time since 2001-01-01T00:00:00Z.
  package init(sinceReferenceDate duration: Duration) {
    // The components of a duration trap beyond 64 bits of seconds, where a sleep for ever leads.
    var (second, attoseconds) = duration.attoseconds.quotientAndRemainder(dividingBy: perSecond)
    if attoseconds < 0 {
      second -= 1
      attoseconds += perSecond
    }
    self.init(second: Double(second), attoseconds: Int64(attoseconds))
  }

  /// The first date that is not before the instant so long after a whole second since 2001.
  init(second: Double, attoseconds: Int64) {
    let nearest = second + Double(attoseconds) / 1e18
    // The difference of two so close numbers is exact.
    let isBefore = Self.attoseconds(of: nearest - second) < attoseconds
    self.init(timeIntervalSinceReferenceDate: isBefore ? nearest.nextUp : nearest)
  }

  /// The time since 2001-01-01T00:00:00Z whose date this is: whole microseconds, if there is such a
  /// time, as for every date that was read from text.
  package var sinceReferenceDate: Duration {
    let interval = timeIntervalSinceReferenceDate.clamped
    let second = interval.rounded(.down)
    let fraction = interval - second
    let round = Duration.seconds(Int64(second)) + .microseconds(Int64(fraction * 1e6))
    if Date(sinceReferenceDate: round) == self { return round }
    return .seconds(Int64(second)) + Duration(attoseconds: Int128(Self.attoseconds(of: fraction)))
  }

  /// The date that is later by `duration`, or earlier if negative.
  func advanced(by duration: Duration) -> Date {
    Date(sinceReferenceDate: sinceReferenceDate + duration)
  }

  /// The whole attoseconds of a fraction of a second, from 0 to 1, cut off.
  private static func attoseconds(of fraction: Double) -> Int64 {
    let product = fraction * 1e18
    let lost = (-product).addingProduct(fraction, 1e18)  // by the rounding of the product, exactly
    let whole = Int64(product)
    return product - Double(whole) + lost < 0 ? whole - 1 : whole
  }
}

private let perSecond: Int128 = 1_000_000_000_000_000_000

extension Duration {
  /// The time from one date to another on clocks that keep to the rule above.
  static func exact(from start: Date, to end: Date) -> Duration {
    end.sinceReferenceDate - start.sinceReferenceDate
  }

  /// The time from one date to another on any clock, whose dates may be sums of seconds: whole
  /// microseconds if they lead there, and else the next nanosecond.
  static func sum(from start: Date, to end: Date) -> Duration {
    let seconds = end.timeIntervalSince(start).clamped
    let microseconds = (seconds * 1e6).rounded()
    return start.addingTimeInterval(microseconds / 1e6) == end
      ? .microseconds(Int64(microseconds)) : .seconds(seconds).nanosecondsRoundedUp
  }

  /// The shortest duration of whole nanoseconds that is not shorter.
  var nanosecondsRoundedUp: Duration {
    let beyond = attoseconds % 1_000_000_000
    return Duration(attoseconds: attoseconds - beyond + (beyond > 0 ? 1_000_000_000 : 0))
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
