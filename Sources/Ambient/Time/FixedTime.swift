public import AmbientSystem

/// A time that stands still.
///
/// Create a `FixedTime` and assign it to ``Time/instance``. The class inherits the static members
/// of ``Time``, so `FixedTime.instance` is the current time source, which need not be a
/// `FixedTime`.
public final class FixedTime: Time, @unchecked Sendable {
  private let date: Date
  /// The monotonic time passed to the initializer. If nil, `uptime` computes it from `date` at each
  /// read: computing it in the initializer would double the cost of opening a frozen scope.
  private let given: Duration?
  private let around: VirtualTime?

  /// Creates a time that always shows `date`.
  ///
  /// - Parameters:
  ///   - date: The wall time.
  ///   - uptime: The monotonic time. If nil, the time from 2001-01-01T00:00:00Z to `date`, so that
  ///     two fixed times are equally far apart on the wall clock and on the monotonic clock.
  public convenience init(at date: Date, uptime: Duration? = nil) {
    self.init(at: date, uptime: uptime, around: nil)
  }

  /// Creates a fixed time for a block inside the scope of a virtual time, `around`. Tasks and holds
  /// in the block belong to the scope of `around`.
  init(at date: Date, uptime: Duration? = nil, around: VirtualTime?) {
    self.date = date
    given = uptime
    self.around = around
  }

  /// Creates a time that always shows the instant that `text` denotes in ISO 8601.
  ///
  /// - Parameters:
  ///   - text: The instant, with its offset from UTC.
  ///   - uptime: The monotonic time. If nil, the time from 2001-01-01T00:00:00Z to the instant.
  /// - Throws: ``ISO8601Error``, which names the wrong character.
  public convenience init(at text: String, uptime: Duration? = nil) throws(ISO8601Error) {
    self.init(at: try Date(iso8601: text), uptime: uptime)
  }

  /// The wall time passed to the initializer.
  public override var now: Date { date }

  /// The monotonic time passed to the initializer; without one, the time from 2001-01-01T00:00:00Z
  /// to the fixed date.
  public override var uptime: Duration { given ?? date.sinceReferenceDate }

  /// Returns at once if the deadline is not later than now.
  ///
  /// - Parameters:
  ///   - deadline: The monotonic time to wait for. A deadline later than now never comes.
  ///   - tolerance: Not used here.
  ///   - caller: The source location of the sleep, which the error names.
  /// - Throws: ``FrozenTimeError`` if the deadline is later than now; `CancellationError` if the
  ///   task is cancelled.
  public override func sleep(
    untilUptime deadline: Duration, tolerance: Duration?, caller: SourcePlace
  ) async throws {
    try Task.checkCancellation()
    guard deadline > uptime else { return }
    throw FrozenTimeError(
      date: date, duration: deadline.minus(uptime), caller: caller)
  }

  override func uptime(at date: Date) -> Duration {
    uptime.plus(date.sinceReferenceDate.minus(wall))
  }

  override func seededBits() -> IdentifierSource.Bits? { around?.seededBits() }

  override var virtual: VirtualTime? { around }
}

/// The error of a sleep whose deadline never comes, because time stands still.
///
/// ``FixedTime`` throws this error at once. If it waited, a test would hang without a report; if it
/// returned, the test would go on as if time had passed, and could report a false result.
public struct FrozenTimeError: DescribedError, Hashable {
  /// The date at which time stands still.
  public let date: Date
  /// The duration of the sleep.
  public let duration: Duration
  /// The caller of the sleep, such as `Checkout/Basket.swift:42`.
  public let caller: SourcePlace

  /// The caller and the date, and advice.
  public var description: String {
    """
    \(caller) sleeps for \(duration) where time stands still at \(date.iso8601()): it would never \
    end. Use Time.virtual(from:), where a sleep takes no real time, or Time.travel(to:), where time \
    runs on.
    """
  }
}
