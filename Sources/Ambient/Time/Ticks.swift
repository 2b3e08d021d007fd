// SPDX-License-Identifier: Apache-2.0

public import AmbientSystem

extension Time {
  /// Returns an endless sequence that ticks once in each period.
  ///
  /// A loop ticks by the `Time.instance` that is current when the loop begins. The elements are the
  /// wall times at which the ticks come. The sequence never ends by itself: leave the loop, or
  /// cancel the task. Each loop has its own rhythm, which begins with the loop; the first tick
  /// comes after one period.
  ///
  /// ```swift
  /// for try await now in Time.timer(every: .seconds(60)) { await cache.removeExpired(at: now) }
  /// ```
  ///
  /// - Parameters:
  ///   - period: The time between ticks; if it is zero or less, ticks follow each other without a
  ///     pause other than `jitter`. In virtual time, such a loop throws an error after 100,000
  ///     ticks at one instant.
  ///   - missed: The treatment of ticks that fell due while the loop was busy.
  ///   - tolerance: How late a tick may be; `nil` leaves the tolerance to the system.
  ///   - jitter: The largest random delay of a tick, so that timers that start together do not tick
  ///     together; zero or less for no delay. The delay of a tick does not shift later ticks. In
  ///     virtual time, delays derive from the scope's seed.
  ///   - fileID: The file of the call, for reports; the compiler supplies it.
  ///   - line: The line of the call, for reports; the compiler supplies it.
  /// - Returns: The sequence. Waiting for its next element throws `CancellationError` if the task
  ///   is cancelled, or if its scope of virtual time stalls or ends; ``FrozenTimeError`` if time
  ///   stands still and the tick is not due yet; in virtual time, if the period is not above zero,
  ///   a `VirtualTimeError` with the code `tooManyTicks` after 100,000 ticks at one instant; an
  ///   error of a program's own subclass of ``Time``.
  public static func timer(
    every period: Duration, missed: MissedTicks = .skip, tolerance: Duration? = nil,
    jitter: Duration = .zero, fileID: String = #fileID, line: UInt = #line
  ) -> some AsyncSequence<Date, any Error> & Sendable {
    Ticks(
      period: period, missed: missed, tolerance: tolerance, jitter: jitter,
      caller: SourcePlace(fileID: fileID, line: line))
  }
}

extension Time {
  /// A timer's treatment of ticks that fell due while its loop was busy.
  ///
  /// Example: a timer ticks every 10 s, and its loop is busy from its first tick, at 10, until 35.
  @nonexhaustive
  public enum MissedTicks: Hashable, Sendable, CaseIterable {
    /// Makes up for the missed ticks one by one, without a wait, then ticks in the old rhythm: at
    /// 10, 35, 35, 40, 50.
    case burst
    /// Makes up for all missed ticks with one tick, which starts a new rhythm: at 10, 35, 45, 55.
    case delay
    /// Makes up for all missed ticks with one tick, then ticks in the old rhythm: at 10, 35, 40,
    /// 50.
    case skip
  }
}

/// The ticks of a timer.
private struct Ticks: AsyncSequence, Sendable {
  let period: Duration
  let missed: Time.MissedTicks
  let tolerance: Duration?
  let jitter: Duration
  let caller: SourcePlace

  func makeAsyncIterator() -> Iterator {
    let time = Time.instance
    return Iterator(ticks: self, time: time, last: time.uptime)
  }

  struct Iterator: AsyncIteratorProtocol {
    let ticks: Ticks
    let time: Time
    /// The monotonic time at which the current period began: the start of the loop, or the time at
    /// which a tick was due. After a late tick with `MissedTicks.delay`, the time of that tick.
    fileprivate var last: Duration
    /// The number of successive ticks at the instant `lastTurn` of virtual time, without the latest
    /// tick. They are counted only if the period is not above zero.
    fileprivate var ticksAtOnce = 0
    fileprivate var lastTurn: Duration?

    mutating func next() async throws -> Date? {
      let due = last.plus(ticks.period)
      // A loop that comes back at most `jitter` after the due time has not missed the tick.
      let isAwaited = time.uptime <= due || time.uptime <= due.plus(ticks.jitter)
      if ticks.period <= .zero, let scope = time.scope { try countTick(in: scope) }
      // A loop that comes back too late for the tick gets no random delay in addition.
      let delay = isAwaited ? time.randomPart(of: ticks.jitter) : .zero
      try await time.sleep(
        untilUptime: due.plus(delay), tolerance: ticks.tolerance, caller: ticks.caller)
      last = place(of: due, at: time.uptime.minus(delay), isAwaited)
      return time.now
    }

    /// Counts the ticks at one instant of a timer whose period is not above zero.
    ///
    /// After 100,000 ticks at one instant, this method throws an error: virtual time passes only
    /// while all tasks wait, so a timer that never waits would stop time for ever.
    private mutating func countTick(in scope: any VirtualScope) throws {
      let now = time.uptime
      ticksAtOnce = now == lastTurn ? ticksAtOnce + 1 : 0
      lastTurn = now
      guard ticksAtOnce < 100_000 else {
        throw scope.tooManyTicks(ticks.caller)
      }
    }

    private func place(of due: Duration, at now: Duration, _ isAwaited: Bool) -> Duration {
      let late = now.minus(due).attoseconds
      let period = ticks.period.attoseconds
      // A wake-up that the system delays slightly does not move the rhythm; otherwise, the timer
      // would drift.
      guard period > 0, !isAwaited || late >= period else { return due }
      return switch ticks.missed {
      case .burst: due
      case .delay: now
      case .skip: now - Duration(attoseconds: late % period)
      }
    }
  }
}

extension Time {
  /// A random duration from zero to `limit`, evenly distributed; repeatable in virtual time.
  package final func randomPart(of limit: Duration) -> Duration {
    guard limit > .zero else { return .zero }
    return limit.scaled(by: Double(randomBits() >> 11) / Double(1 << 53 as UInt64))
  }
}
