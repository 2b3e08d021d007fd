internal import Ambient
public import Foundation

/// A stretch of wall time since an instant, half-open: for price quotes and idempotency keys.
///
/// Use ``MonotonicLifetime`` where setting the wall clock must have no effect.
public struct Lifetime: Hashable, Sendable, Codable {
  /// When it began.
  public let start: Date
  /// How long it lasts.
  public let length: Duration

  /// The lifetime of that length since `start`.
  ///
  /// - Parameters:
  ///   - start: The instant at which it begins, which is in it.
  ///   - length: How long it lasts; of zero or less, it is over at once.
  public init(since start: Date, lasting length: Duration) {
    self.start = start
    self.length = length
  }

  /// The first instant after it.
  public var end: Date { start.advanced(by: length) }

  /// Whether it lasts still.
  public var isAlive: Bool { Self.elapsed(since: start) < length }

  /// The time between an instant and now, to the microsecond; negative if it is still to come.
  ///
  /// - Parameter start: The instant from which is counted.
  public static func elapsed(since start: Date) -> Duration { elapsed(since: start, at: Time.now) }

  static func elapsed(since start: Date, at now: Date) -> Duration {
    // A Date resolves about a tenth of a microsecond: rounding keeps the bounds exact.
    // The dates of all calendars lie within the limits, which keep others from overflowing.
    let seconds = min(max(now.timeIntervalSince(start), -1e12), 1e12)
    return .microseconds((seconds * 1_000_000).rounded())
  }
}

/// A reading of both clocks, taken before a lock, since a time may run the user's code.
struct ClockReading: Sendable {
  let now = Time.now
  let uptime = Time.uptime
}

/// A stretch of monotonic time, half-open: it ends when it should, whatever the wall clock does.
///
/// It is meaningful within one run of the machine only.
public struct MonotonicLifetime: Hashable, Sendable {
  /// The uptime at which it began.
  public let start: Duration
  /// How long it lasts.
  public let length: Duration

  /// The lifetime of that length that begins now.
  ///
  /// - Parameter length: How long it lasts; of zero or less, it is over at once.
  public init(lasting length: Duration) {
    start = Time.uptime
    self.length = length
  }

  /// A lifetime of that length of which as much is left as the wall says, and no more than all.
  init(lasting length: Duration, until end: Date, at reading: ClockReading) {
    let left = min(max(.zero, .zero - Lifetime.elapsed(since: end, at: reading.now)), length)
    start = reading.uptime.plus(left).minus(length)
    self.length = length
  }

  /// The first uptime after it.
  var end: Duration { start.plus(length) }

  /// Whether it lasts still.
  public var isAlive: Bool { isAlive(at: Time.uptime) }

  func isAlive(at uptime: Duration) -> Bool { uptime.minus(start) < length }
}
