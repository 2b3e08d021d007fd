// SPDX-License-Identifier: Apache-2.0

/// A Swift `Clock` that follows the ``Time`` of the scope in which the clock is used.
///
/// The clock stores no time: each use looks up `Time.instance`. A clock made before a scope
/// therefore follows the scope's time inside it, and a clock that outlives a scope follows the time
/// outside. Instants are monotonic times, comparable only within one ``Time``.
public struct TimeClock: Clock, Sendable {
  /// A monotonic time.
  public struct Instant: InstantProtocol, Sendable {
    /// The time since the arbitrary origin of `Time.uptime`.
    package let uptime: Duration

    /// Makes the instant at a monotonic time.
    ///
    /// - Parameter uptime: The time since the arbitrary origin of `Time.uptime`.
    package init(uptime: Duration) { self.uptime = uptime }

    /// The present instant of the current `Time.instance`.
    public static var now: Instant { Instant(uptime: Time.uptime) }

    /// The instant that differs from this one by `duration`.
    ///
    /// - Parameter duration: The time to add; if it is negative, the new instant is earlier.
    public func advanced(by duration: Duration) -> Instant {
      Instant(uptime: uptime.plus(duration))
    }

    /// The duration from this instant to the other one.
    ///
    /// - Parameter other: An instant of the same clock.
    public func duration(to other: Instant) -> Duration { other.uptime.minus(uptime) }

    /// The instant that is `duration` later.
    ///
    /// - Parameters:
    ///   - instant: The instant to start from.
    ///   - duration: The time in between.
    public static func + (instant: Instant, duration: Duration) -> Instant {
      instant.advanced(by: duration)
    }

    /// The instant that is `duration` earlier.
    ///
    /// - Parameters:
    ///   - instant: The instant to start from.
    ///   - duration: The time in between.
    public static func - (instant: Instant, duration: Duration) -> Instant {
      instant.advanced(by: .zero.minus(duration))
    }

    /// The duration from the right instant to the left one.
    public static func - (left: Instant, right: Instant) -> Duration { right.duration(to: left) }

    /// Moves the instant later by `duration`.
    ///
    /// - Parameters:
    ///   - instant: The instant to move.
    ///   - duration: The time in between.
    public static func += (instant: inout Instant, duration: Duration) {
      instant = instant + duration
    }

    /// Moves the instant earlier by `duration`.
    ///
    /// - Parameters:
    ///   - instant: The instant to move.
    ///   - duration: The time in between.
    public static func -= (instant: inout Instant, duration: Duration) {
      instant = instant - duration
    }

    /// Whether the left is earlier than the right.
    public static func < (left: Instant, right: Instant) -> Bool { left.uptime < right.uptime }
  }

  private let maker: SourcePlace

  @available(*, unavailable, renamed: "Time.clock()")
  public init(fileID: String = #fileID, line: UInt = #line) { fatalError() }

  fileprivate init(maker: SourcePlace) { self.maker = maker }

  /// The present instant of the current `Time.instance`.
  public var now: Instant { .now }

  /// A nanosecond.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Waits until `deadline` on the current `Time.instance`, like `Time.sleep(for:tolerance:)`.
  ///
  /// - Parameters:
  ///   - deadline: The instant to wait for. If it is not in the future, the call only lets
  ///     other tasks run.
  ///   - tolerance: How late the wake-up may be; if it is nil, the system decides.
  /// - Throws: `CancellationError` if the task is cancelled, or if its scope of virtual time stalls
  ///   or ends; ``FrozenTimeError`` if time stands still and the deadline is in the future; an
  ///   error of a program's own subclass of ``Time``.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try await Time.instance.sleep(
      untilUptime: deadline.uptime, tolerance: tolerance, caller: maker)
  }
}

extension Time {
  /// Unavailable: use ``clock(fileID:line:)``.
  @available(*, unavailable, renamed: "clock()")
  public static var clock: TimeClock { fatalError("unavailable") }

  /// Makes a Swift `Clock` that follows the current `Time.instance`, for code that takes any clock.
  ///
  /// Code that takes a clock does not pass its own call site when it sleeps. Reports therefore name
  /// the place where the clock was made, such as `Checkout/Search.swift:42`.
  ///
  /// ```swift
  /// let results = queries.debounce(for: .seconds(0.3), clock: Time.clock())
  /// ```
  ///
  /// - Parameters:
  ///   - fileID: The file of the call. Reports of the clock's sleeps name this file.
  ///   - line: The line of the call.
  public static func clock(fileID: String = #fileID, line: UInt = #line) -> TimeClock {
    TimeClock(maker: SourcePlace(fileID: fileID, line: line))
  }
}
