// SPDX-License-Identifier: Apache-2.0

public import Ambient
public import AmbientSystem

/// A time that passes only when all tasks in its scope wait, or when a call advances it.
///
/// ```swift
/// try await Time.virtual(from: "2026-11-27T00:00:00Z") { time in
///   let reservation = Reservation(for: .seconds(15 * 60))   // sleeps in a task of its own
///   try await time.advance(by: .seconds(15 * 60))
///   #expect(await reservation.isExpired)
/// }
/// ```
///
/// Until the scope ends, a sleep takes no real time. The tasks of the scope run one after another,
/// in the same order in each run of one build. Loops over a `Set` or a `Dictionary` have another
/// order in each process, unless `SWIFT_DETERMINISTIC_HASHING=1` is set. Time passes from deadline
/// to deadline. Sleepers that are due together wake in the order in which they began to sleep,
/// timeouts last. `Time.virtual(from:)` opens a scope; the documentation of that method says what
/// belongs to the scope. Every member may be used from any thread.
public final class VirtualTime: Time, VirtualScope, @unchecked Sendable {
  let scheduler: VirtualScheduler
  /// Whether the start date is finite.
  let beginsAtInstant: Bool
  /// The number of identifiers made so far, and the generator of their random bits.
  private let seeded: Guarded<(number: UInt32, generator: SplitMix64)>

  /// The ways in which time passes in a scope of virtual time.
  @nonexhaustive
  public enum Advances: Hashable, Sendable {
    /// Time passes by itself to the next sleeper's deadline, when all tasks wait.
    ///
    /// It does not do so while a `Time.hold` is open, or while a task of the scope awaits
    /// ``VirtualTime/advance(by:sleepers:fileID:line:)`` or a similar call, by which time also
    /// passes. ``VirtualTime/current`` describes a body on the main actor.
    case byItself
    /// Time passes only by ``VirtualTime/advance(by:sleepers:fileID:line:)`` and similar calls.
    ///
    /// If the body waits for something else that needs time to pass, and no other task advances
    /// time, the body is in a deadlock.
    case byHand
  }

  package init(
    from date: Date, seed: UInt64, advances: Advances = .byItself,
    limit: Duration? = nil, patience: Duration? = nil,
    starts: ClockStarts? = nil, run: ScheduleRun? = nil
  ) {
    beginsAtInstant = date.timeIntervalSinceReferenceDate.isFinite
    scheduler = VirtualScheduler(
      origin: date, advances, limit: limit ?? Self.usualLimit,
      patience: patience ?? Self.usualPatience, starts: starts, run: run)
    seeded = Guarded((number: 0, generator: SplitMix64(seed: seed)))
    super.init()
    become(self)
  }

  /// The jobs that have run, for a search of schedules.
  package var trace: ScheduleTrace { scheduler.withState { $0.trace } }

  /// The default real time without progress after which a scope is stalled: 10 seconds.
  package static let usualLimit = Duration.seconds(10)

  /// The default real time after which suspended tasks are a deadlock, if nothing in the scope will
  /// wake one of them: 200 ms.
  package static let usualPatience = Duration.milliseconds(200)

  /// Whether a scope of virtual time can show its time to code that never heard of Ambient, which
  /// `systemClocks: true` asks for.
  ///
  /// True on Linux in a program that is built with Swift 6.3, and links AmbientTesting and Swift's
  /// shared libraries, unless another part of the program defines `clock_gettime`. The first read
  /// tests this. Use it as a condition of a test: `.enabled(if: VirtualTime.hasSystemClocks)`.
  public static var hasSystemClocks: Bool {
    SystemClocks.canShowDate && SystemClocks.canShowClocks
  }

  /// The virtual time of the scope in which the caller runs.
  ///
  /// If the body of the scope reads this property, the scope also records where the body runs. The
  /// scope needs this record if the body runs on the main actor, and the program does not use
  /// AmbientTesting. The main actor then does not belong to the scope, so the scope cannot know
  /// whether the body waits, and time does not pass by itself. Such a body must read this property
  /// before its first `await`, and then advance time. If it waits for anything but an advance or
  /// its own sleep, it is in a deadlock.
  ///
  /// - Throws: ``VirtualTimeError/Code/outsideScope`` if the caller is not in a scope of virtual
  ///   time, or if a `Time` outside virtual time, such as a `DefaultTime`, is bound in the scope.
  public static var current: VirtualTime {
    get throws(VirtualTimeError) {
      guard let time = scopeInForce as? VirtualTime else { throw VirtualTimeError(.outsideScope) }
      time.scheduler.withState { _ = $0.noteCaller(TaskID.current) }
      return time
    }
  }

  /// The wall time.
  public override var now: Date { scheduler.withState { $0.date } }

  /// The monotonic time since the scope was opened.
  public override var uptime: Duration { scheduler.withState { $0.now } }

  /// The waiting sleepers, in the order in which they will wake.
  ///
  /// Sorting n sleepers takes O(n log n).
  public var sleepers: [Sleeper] { scheduler.withState { $0.waiting }.sleepers }

  /// The latest sleeps, both ended and waiting ones, in the order of their start.
  ///
  /// At least the last ten thousand are kept. A sleep is not recorded if, when it begins, its
  /// deadline has already passed, its task is cancelled, or the scope has ended.
  public var sleeps: [Sleeper] { scheduler.withState { $0.waiting.log } }

  /// Moves the wall clock alone, as a correction by a time server does.
  ///
  /// The monotonic time, and so every sleep under way, is not affected.
  ///
  /// - Parameter duration: The time by which the wall clock is moved forward; if it is negative,
  ///   the clock is moved back.
  public func step(wall duration: Duration) {
    scheduler.withState { $0.stepWall(by: duration) }
  }

  /// Waits until time has reached `deadline`, which it can do only while all tasks in the scope
  /// wait.
  ///
  /// If the deadline has already passed, this method only lets other tasks run.
  ///
  /// After the end of the scope, this method waits in real time, for the difference between the
  /// deadline and ``uptime``. The first such wait is reported; from then on, the scope's clocks run
  /// with real time.
  ///
  /// - Parameters:
  ///   - deadline: The monotonic time of the scope to wait for.
  ///   - tolerance: Not used: a sleep in virtual time ends when it is due, or after a jump beyond
  ///     that.
  ///   - caller: The source location of the sleep, for reports.
  /// - Throws: `CancellationError` if the task is cancelled, or if the scope ends during the sleep.
  public override func sleep(
    untilUptime deadline: Duration, tolerance: Duration?, caller: SourcePlace
  ) async throws {
    try Task.checkCancellation()
    try await scheduler.sleep(until: deadline, caller: caller)
  }

  package func waitForLimit(_ deadline: Duration, caller: SourcePlace) async throws -> Bool {
    try Task.checkCancellation()
    do {
      try await scheduler.sleep(until: deadline, isLimit: true, caller: caller)
      return true
    } catch is UnseenLimit {
      return false
    }
  }

  package var exactWall: Duration { scheduler.withState { $0.wall } }

  package func exactUptime(at date: Date) -> Duration {
    scheduler.withState { $0.uptime(at: date) }
  }

  package func nextSeededBits() -> IdentifierSource.Bits {
    seeded.withLock { seeded in
      seeded.number &+= 1
      return IdentifierSource.Bits(number: seeded.number, random: seeded.generator.next())
    }
  }

  package func tooManyTicks(_ caller: SourcePlace) -> any Error {
    VirtualTimeError(.tooManyTicks(caller: caller))
  }
}
