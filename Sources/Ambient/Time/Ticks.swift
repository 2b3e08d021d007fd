#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The ticks of a timer: wall times, as they come.
///
/// It has no end of its own: leave the loop, or cancel the task. The rhythm begins when the loop
/// does, with the first tick after one period; each loop has a rhythm of its own.
public struct Ticks: AsyncSequence, Sendable {
  let period: Duration
  let missed: MissedTicks
  let tolerance: Duration?
  let caller: Caller

  /// Begins a rhythm, on the time in force here.
  public func makeAsyncIterator() -> Iterator {
    let time = Time.instance
    return Iterator(ticks: self, time: time, last: time.uptime)
  }

  /// Waits for one tick after another.
  public struct Iterator: AsyncIteratorProtocol {
    let ticks: Ticks
    let time: Time
    /// The place in the rhythm of the tick before.
    var last: Duration
    /// How many ticks came without that time passed, where nothing else lets it pass.
    var ticksAtOnce = 0
    var lastTurn: Duration?

    /// Waits for the next tick.
    ///
    /// - Returns: The wall time when it came; never `nil`.
    /// - Throws: `CancellationError` at once when the task is cancelled; ``FrozenTimeError`` where
    ///   time stands still; in virtual time, if the period is not above zero,
    ///   ``VirtualTimeError/tooManyTicks(caller:)`` after 100,000 ticks at one instant.
    public mutating func next() async throws -> Date? {
      let due = last + ticks.period
      let isAwaited = time.uptime <= due
      if ticks.period <= .zero, time.virtual != nil { try await takeTurn() }
      try await time.sleep(untilUptime: due, tolerance: ticks.tolerance, caller: ticks.caller)
      last = place(of: due, at: time.uptime, isAwaited)
      return time.now
    }

    /// Time passes only while all wait, and such a timer never does: others get their turn, and
    /// who advances time gets an answer.
    private mutating func takeTurn() async throws {
      let now = time.uptime
      ticksAtOnce = now == lastTurn ? ticksAtOnce + 1 : 0
      lastTurn = now
      guard ticksAtOnce < 100_000 else {
        throw VirtualTimeError.tooManyTicks(caller: ticks.caller)
      }
      await Task.yield()
    }

    private func place(of due: Duration, at now: Duration, _ isAwaited: Bool) -> Duration {
      let late = (now - due).attoseconds
      let period = ticks.period.attoseconds
      // A timer that the system wakes a little late keeps its rhythm: it must not drift.
      guard period > 0, !isAwaited || late >= period else { return due }
      return switch ticks.missed {
      case .burst: due
      case .delay: now
      case .skip: now - Duration(attoseconds: late % period)
      }
    }
  }
}
