// SPDX-License-Identifier: Apache-2.0

public import AmbientSystem
internal import Synchronization

/// A time that stands still, until code moves it by ``advance(by:)``.
///
/// Create a `FixedTime` and assign it to ``Time/instance``. The class inherits the static members
/// of ``Time``, so `FixedTime.instance` is the current time source, which need not be a
/// `FixedTime`.
public final class FixedTime: Time, @unchecked Sendable {
  private let date: Date
  /// The monotonic time at the start. If nil, it is the monotonic time of `surrounding`, moved to
  /// `date`.
  private let given: Duration?
  /// The time around the block that this time freezes; nil for the system's clocks, and if `given`
  /// has a value.
  private let surrounding: Time?
  /// How far the monotonic time is ahead of the wall time, in nanoseconds, at most 292 years;
  /// `Int.min` until the first read of `uptime`. It is not computed earlier, because that would
  /// read two clocks for each block, and few blocks ask for the monotonic time.
  private let leadOnce = Atomic<Int>(.min)
  /// The sum of all advances, in nanoseconds.
  private let advanced = Atomic<Int>(0)
  /// The seconds of `now`, so that a read of `now` is one load.
  private let seconds: Atomic<UInt64>
  private let around: (any VirtualScope)?

  /// Creates a time that shows `date`.
  ///
  /// - Parameters:
  ///   - date: The wall time.
  ///   - uptime: The monotonic time. If nil, the time from 2001-01-01T00:00:00Z to `date`, so that
  ///     two fixed times are equally far apart on the wall clock and on the monotonic clock.
  public init(at date: Date, uptime: Duration? = nil) {
    self.date = date
    seconds = Atomic(date.timeIntervalSinceReferenceDate.bitPattern)
    given = uptime ?? date.sinceReferenceDate
    surrounding = nil
    around = nil
  }

  /// Creates a fixed time for a block. Its monotonic time is that of the time around the block,
  /// moved by as much as the wall time is. If the block is in a scope of virtual time, its tasks
  /// and holds belong to that scope.
  init(at date: Date, within surrounding: Time?) {
    self.date = date
    seconds = Atomic(date.timeIntervalSinceReferenceDate.bitPattern)
    around = surrounding?.scope
    // A time that code moves, and virtual time, may show another lead later. Reading them now costs
    // little.
    if let surrounding, surrounding.standsStill || around != nil {
      given = date.sinceReferenceDate.plus(surrounding.lead)
      self.surrounding = nil
    } else {
      given = nil
      self.surrounding = surrounding
    }
  }

  /// Creates a time that shows the instant that `text` denotes in ISO 8601.
  ///
  /// - Parameters:
  ///   - text: The instant, with its offset from UTC.
  ///   - uptime: The monotonic time. If nil, the time from 2001-01-01T00:00:00Z to the instant.
  /// - Throws: ``ISO8601Error`` if the text is not an instant.
  public convenience init(at text: String, uptime: Duration? = nil) throws(ISO8601Error) {
    self.init(at: try Date(iso8601: text), uptime: uptime)
  }

  /// The wall time passed to the initializer, plus all advances since then.
  public override var now: Date {
    Date(timeIntervalSinceReferenceDate: Double(bitPattern: seconds.load(ordering: .relaxed)))
  }

  /// The monotonic time at the start, plus all advances since then.
  ///
  /// For a time that was created by an initializer, the start is the value passed to it, or the
  /// time from 2001-01-01T00:00:00Z to the fixed date. For `Time.freeze(at:)`, it is the
  /// monotonic time around the block, moved by as much as the wall time is.
  public override var uptime: Duration {
    let start = given ?? date.sinceReferenceDate.plus(lead)
    return start.plus(.nanoseconds(advanced.load(ordering: .relaxed)))
  }

  override var lead: Duration {
    if let given { return given.minus(date.sinceReferenceDate) }
    let known = leadOnce.load(ordering: .relaxed)
    guard known == .min else { return .nanoseconds(known) }
    let computed = (surrounding?.lead ?? DefaultTime.lead).wholeNanoseconds
    let (exchanged, first) = leadOnce.compareExchange(
      expected: .min, desired: computed, ordering: .relaxed)
    return .nanoseconds(exchanged ? computed : first)
  }

  /// Moves this time forward, for example in a stub of a call that takes two seconds.
  ///
  /// ```swift
  /// let time = FixedTime(at: date)
  /// Time.withInstance(time) {
  ///   print(Time.measure { time.advance(by: .seconds(2)) })
  /// }
  /// ```
  ///
  /// Wall time and monotonic time move together. The method can be called from any thread.
  ///
  /// - Parameter duration: The time to add, in whole nanoseconds; a negative duration adds nothing.
  ///   All advances together add at most 292 years; time beyond that is ignored.
  public func advance(by duration: Duration) {
    let step = max(duration, .zero).wholeNanoseconds
    var before = advanced.load(ordering: .relaxed)
    while true {
      let (sum, isTooLarge) = before.addingReportingOverflow(step)
      let (exchanged, current) = advanced.compareExchange(
        expected: before, desired: isTooLarge ? .max : sum, ordering: .relaxed)
      if exchanged { break }
      before = current
    }
    let now = Date(sinceReferenceDate: wall).timeIntervalSinceReferenceDate
    var shown = seconds.load(ordering: .relaxed)
    // Another thread may have stored a later time.
    while Double(bitPattern: shown) < now {
      (_, shown) = seconds.compareExchange(
        expected: shown, desired: now.bitPattern, ordering: .relaxed)
    }
  }

  /// Always true.
  public override var standsStill: Bool { true }

  /// Suspends the task once, and returns, if the deadline is not later than now.
  ///
  /// - Parameters:
  ///   - deadline: The monotonic time to wait for.
  ///   - tolerance: Not used here.
  ///   - caller: The source location of the sleep, which the error names.
  /// - Throws: `CancellationError` if the task is cancelled; otherwise, ``FrozenTimeError`` if the
  ///   deadline is later than now.
  public override func sleep(
    untilUptime deadline: Duration, tolerance: Duration?, caller: SourcePlace
  ) async throws {
    try Task.checkCancellation()
    guard deadline > uptime else { return try await Self.suspendOnce() }
    throw FrozenTimeError(
      date: now, duration: deadline.minus(uptime), caller: caller)
  }

  override var wall: Duration {
    date.sinceReferenceDate.plus(.nanoseconds(advanced.load(ordering: .relaxed)))
  }

  override func uptime(at date: Date) -> Duration {
    uptime.plus(date.sinceReferenceDate.minus(wall))
  }

  override package var scope: (any VirtualScope)? { around }

  override package var isOfAmbient: Bool { true }
}

/// The error of a sleep whose deadline never comes, because time stands still.
///
/// ``FixedTime`` throws this error at once. If it waited, a test would hang without a report; if it
/// returned, the test would continue as if time had passed, and could report a false result.
public struct FrozenTimeError: DescribedError, Hashable {
  /// The date that the frozen clock shows.
  public let date: Date
  /// The time from `date` until the sleep's deadline, on the frozen clock.
  public let duration: Duration
  /// The caller of the sleep, such as `Checkout/Basket.swift:42`.
  public let caller: SourcePlace

  /// The caller, the duration and the date, and advice.
  public var description: String {
    """
    the sleep of \(duration) at \(caller) would never end, because time is frozen at \
    \(date.iso8601()). Use Time.virtual(from:), where sleeps take no real time, or \
    Time.travel(to:), where time passes.
    """
  }
}
