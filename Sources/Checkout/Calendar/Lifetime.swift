// SPDX-License-Identifier: Apache-2.0

internal import Ambient
public import Foundation

/// A half-open period of wall time that begins at an instant, for example the time for which a
/// price is locked.
///
/// Use ``MonotonicLifetime`` where setting the wall clock must have no effect.
public struct Lifetime: Hashable, Sendable, Codable {
  /// The instant at which the lifetime begins.
  public let start: Date
  /// The length of the lifetime.
  public let length: Duration

  /// Creates the lifetime of `length` since `start`.
  ///
  /// - Parameters:
  ///   - start: The first instant of the lifetime.
  ///   - length: The length of the lifetime; a lifetime of zero or less has already ended.
  public init(since start: Date, lasting length: Duration) {
    self.start = start
    self.length = length
  }

  /// The first instant after the lifetime.
  public var end: Date { start.advanced(by: length) }

  /// Whether the lifetime has not ended yet.
  public var isAlive: Bool { Self.elapsed(since: start) < length }

  /// The time between an instant and now, to the microsecond; negative for an instant in the
  /// future.
  ///
  /// - Parameter start: The instant from which the time is counted.
  public static func elapsed(since start: Date) -> Duration { elapsed(since: start, at: Time.now) }

  static func elapsed(since start: Date, at now: Date) -> Duration {
    // The time is clamped, because extreme dates would overflow; the years 1 to 9999 lie within the
    // limits. It is rounded to microseconds, because a `Date` is exact only to about a tenth of a
    // microsecond: without the rounding, an instant exactly at a bound could fall on the wrong side
    // of it.
    let seconds = min(max(now.timeIntervalSince(start), -1e12), 1e12)
    return .microseconds((seconds * 1_000_000).rounded())
  }
}

/// A reading of the wall clock and the monotonic clock. Read the clocks before a lock is taken, not
/// while it is held, because a custom `Time` may run any code of the program.
struct ClockReading: Sendable {
  let now = Time.now
  let uptime = Time.uptime
}

/// A half-open period of monotonic time. Setting the wall clock does not affect its end.
///
/// The lifetime is meaningful only until the machine is restarted, because uptime then restarts.
public struct MonotonicLifetime: Hashable, Sendable {
  /// The uptime at which the lifetime began.
  public let start: Duration
  /// The length of the lifetime.
  public let length: Duration

  /// Creates the lifetime of `length` that begins now.
  ///
  /// - Parameter length: The length of the lifetime; a lifetime of zero or less has already ended.
  public init(lasting length: Duration) {
    start = Time.uptime
    self.length = length
  }

  /// Creates a lifetime whose remaining time is the wall time from `reading` to `end`, but at most
  /// `length`. Without this maximum, setting the wall clock back would lengthen the lifetime.
  init(lasting length: Duration, until end: Date, at reading: ClockReading) {
    let left = min(max(.zero, .zero - Lifetime.elapsed(since: end, at: reading.now)), length)
    start = reading.uptime.plus(left).minus(length)
    self.length = length
  }

  /// The first uptime after the lifetime.
  var end: Duration { start.plus(length) }

  /// Whether the lifetime has not ended yet.
  public var isAlive: Bool { isAlive(at: Time.uptime) }

  func isAlive(at uptime: Duration) -> Bool { uptime.minus(start) < length }
}
