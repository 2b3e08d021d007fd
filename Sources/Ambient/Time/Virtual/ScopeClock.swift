#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The two clocks of a scope: the monotonic one, which only passes, and the wall, which may also be
/// set.
struct ScopeClock {
  /// The wall time at the start, since the reference date.
  private let origin: Duration
  private var wallOffset: Duration = .zero
  /// The monotonic time since the start.
  private(set) var now: Duration = .zero

  init(origin: Date) { self.origin = origin.sinceReferenceDate }

  /// The wall time now, since the reference date.
  var wall: Duration { origin.plus(now).plus(wallOffset) }

  /// The wall time when the monotonic time is `uptime`.
  func wall(at uptime: Duration) -> Date {
    Date(sinceReferenceDate: origin.plus(uptime).plus(wallOffset))
  }

  /// The monotonic time when the wall shows `date`.
  func uptime(at date: Date) -> Duration {
    date.sinceReferenceDate.minus(origin).minus(wallOffset)
  }

  /// Lets time pass, and says whether it has not come so far before.
  mutating func pass(to time: Duration) -> Bool {
    guard time > now else { return false }
    now = time
    return true
  }

  mutating func stepWall(by duration: Duration) { wallOffset = wallOffset.plus(duration) }
}
