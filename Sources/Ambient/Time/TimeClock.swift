/// The ``Time`` in force where the clock is used, as a Swift `Clock`.
///
/// It holds no time: each use looks it up, so that one made before a scope obeys the scope, and one
/// that outlives a scope obeys what is in force then.
/// Instants are of the monotonic time, and comparable within one time only.
public struct TimeClock: Clock, Sendable {
  /// A monotonic time.
  public struct Instant: InstantProtocol, Sendable {
    /// The time since the arbitrary origin of ``Time/uptime``.
    public let uptime: Duration

    /// An instant of that monotonic time.
    public init(uptime: Duration) { self.uptime = uptime }

    /// The instant now, on the time in force here.
    public static var now: Instant { Instant(uptime: Time.uptime) }

    /// The instant that is later by `duration`.
    public func advanced(by duration: Duration) -> Instant {
      Instant(uptime: uptime.plus(duration))
    }

    /// How much later the other instant is.
    public func duration(to other: Instant) -> Duration { other.uptime.minus(uptime) }

    /// Whether the left is earlier than the right.
    public static func < (left: Instant, right: Instant) -> Bool { left.uptime < right.uptime }
  }

  private let maker: SourcePlace

  /// A clock whose sleepers are reported with the place that made it.
  public init(fileID: String = #fileID, line: UInt = #line) {
    self.init(maker: SourcePlace(fileID: fileID, line: line))
  }

  fileprivate init(maker: SourcePlace) { self.maker = maker }

  /// A clock that does not know who made it.
  fileprivate static let anonymous = TimeClock(maker: SourcePlace(fileID: "Time.clock", line: 0))

  /// The instant now, on the time in force here.
  public var now: Instant { .now }

  /// A nanosecond, which is what instants are measured in.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Waits until `deadline`, on the time in force here, as
  /// ``Time/sleep(for:tolerance:fileID:line:)``.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try await Time.instance.sleep(
      untilUptime: deadline.uptime, tolerance: tolerance, caller: maker)
  }
}

extension Clock where Self == TimeClock {
  /// The time in force where the clock is used.
  public static var ambient: TimeClock { .anonymous }
}

extension Time {
  /// The time in force as a Swift `Clock`, so that code that takes any clock obeys it.
  ///
  /// ```swift
  /// try await Task.sleep(until: .now + .seconds(2), clock: Time.clock)
  /// ```
  public static var clock: TimeClock { .anonymous }

  /// The time in force as a Swift `Clock` that knows the place which made it.
  ///
  /// Code that takes a clock says not who it is when it sleeps. What reports name is the clock's
  /// maker then, as `Checkout/Search.swift:42`, where ``clock`` alone is named `Time.clock`.
  ///
  /// ```swift
  /// let results = queries.debounce(for: .seconds(0.3), clock: Time.clock())
  /// ```
  public static func clock(fileID: String = #fileID, line: UInt = #line) -> TimeClock {
    TimeClock(fileID: fileID, line: line)
  }
}
