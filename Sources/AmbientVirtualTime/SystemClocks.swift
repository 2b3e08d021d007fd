// SPDX-License-Identifier: Apache-2.0

package import Ambient
internal import AmbientSystem
internal import CVirtualTime

/// What `Date()`, Swift's clocks and `Task.sleep` show in a block, in code that never heard of
/// Ambient.
package struct SystemClocks: Sendable {
  enum Kind {
    /// All are real.
    case real
    /// `Date()` shows the time of the block; Swift's clocks and sleeps are real.
    case date(OpenClocks)
    /// All show and obey the scope.
    case scope(VirtualScheduler)
  }

  let kind: Kind

  package static let real = SystemClocks(kind: .real)

  /// - Throws: ``SystemClocksError`` if this program cannot show a block's time to `Date()`.
  package static func date() throws(SystemClocksError) -> SystemClocks {
    guard canShowDate else { throw SystemClocksError(code: .noDate) }
    return SystemClocks(kind: .date(OpenClocks()))
  }

  /// The option of the block around the caller. A context of its own, so that a captured
  /// `AmbientScope` has it.
  package static let context = AmbientContext<SystemClocks>("SystemClocks") { .real }

  /// Whether a scope with this option need not bind it: it shows no clocks, and no scope around it
  /// does. `Date()` may still show the time of the inner scope.
  var needNoBinding: Bool {
    guard case .real = kind else { return false }
    if case .scope = Self.context.assigned?.kind { return false }
    return true
  }

  /// Whether `Date()` can show the time of a scope in this program.
  static let canShowDate = showsProbe { Date().timeIntervalSince1970 == $0 / .seconds(1) }

  /// Whether Swift's clocks can show the time of a scope in this program, and its sleeps obey it.
  static let canShowClocks =
    ambient_jobs_way() == ambient_jobs_by_executor
    && showsProbe { SuspendingClock().systemEpoch.duration(to: .now) == $0 }
    && showsProbe { ContinuousClock().systemEpoch.duration(to: .now) == $0 }

  /// Calls `check` while all clocks of this thread show one time, which is far in the future.
  private static func showsProbe(_ check: (Duration) -> Bool) -> Bool {
    ambient_clocks_probe_begin()
    defer { ambient_clocks_probe_end() }
    return check(.seconds(ambient_clocks_probe_seconds))
  }

  /// - Throws: ``SystemClocksError`` if this program cannot make clocks and sleeps obey a scope.
  package static func requireClocks() throws(SystemClocksError) {
    guard VirtualTime.hasSystemClocks else { throw SystemClocksError(code: .noClocks) }
  }

  /// Begins to show the time of blocks to code that reads a clock. Called before the first block.
  fileprivate static let connection: Void = ambient_clocks_connect { clock, seconds, nanoseconds in
    guard let time = SystemClocks.current.time(of: clock) else { return false }
    let (whole, rest) = time.wholeSeconds
    seconds?.pointee = whole
    nanoseconds?.pointee = rest
    return true
  }

  /// Whether the caller's task has a value for its contexts, even the empty one of
  /// `AmbientScope.outside`. A detached task has none.
  private static var isInBlock: Bool { ambient_task_local_is_bound(AmbientScope.key) }

  /// The option that is in force for the caller. The look-up doesn't count as a use of the context.
  private static var current: SystemClocks {
    if RealTime.isInForce { return .real }
    if isInBlock { return context.assigned ?? .real }
    // A detached task has no contexts. The mark of the thread tells to which scope it belongs, and
    // on an executor that the scope does not see, the number of the task.
    return (VirtualTurn.current ?? BareTasks.scope(of: TaskID.current))?.clocks ?? .real
  }

  /// Whether Swift's clocks show a scope's time to the current task.
  package static var areShown: Bool {
    guard ambient_clocks_are_shown(), case .scope = current.kind else { return false }
    return true
  }

  /// The scope that the clocks show to the caller, and that its sleeps obey; nil if they are real.
  private var scheduler: VirtualScheduler? {
    guard case .scope(let scheduler) = kind, !VirtualHold.isOpen(in: scheduler) else { return nil }
    return Self.isInBlock && Time.assigned is DefaultTime ? nil : scheduler
  }

  /// The time that a clock shows, since 1970 or since the clock's origin; nil if it is real.
  private func time(of clock: ambient_clock) -> Duration? {
    let isDate = clock == ambient_clock_date
    switch kind {
    case .real: return nil
    case .date: return isDate ? Self.ownDate?.sinceEpoch : nil
    case .scope:
      guard let scheduler else { return nil }
      return isDate
        ? (Self.ownDate ?? scheduler.withState { $0.date }).sinceEpoch
        : scheduler.reading(isSuspending: clock == ambient_clock_suspending)
    }
  }

  /// The date of the time that a block has bound; nil if a program's own code computes it, which
  /// may itself read `Date()`. A detached task finds only the process's time.
  private static var ownDate: Date? {
    guard isInBlock, let time = Time.assigned, time.isOfAmbient else { return nil }
    return time.now
  }

  /// Puts a sleep of the current task to the scope that the task's clocks show. Returns false if
  /// the sleep is real.
  ///
  /// - Parameters:
  ///   - job: The job that ends the sleep.
  ///   - duration: The duration of the sleep.
  package static func put(_ job: UnownedJob, toSleepFor duration: Duration) -> Bool {
    current.scheduler?.sleep(job, for: duration) ?? false
  }
}

/// The mark of an open block that shows its time to clocks. While there is one, each reading of a
/// clock asks for the option of its task.
final class OpenClocks: Sendable {
  init() {
    SystemClocks.connection
    ambient_clocks_count(1)
  }

  deinit { ambient_clocks_count(-1) }
}

extension Date {
  /// The time since 1970, on 1 January of which the system's clock shows zero.
  fileprivate var sinceEpoch: Duration { sinceReferenceDate.plus(.seconds(978_307_200)) }
}

extension Duration {
  /// The whole seconds, and the rest to the nearest nanosecond, which is not negative.
  fileprivate var wholeSeconds: (Int64, Int64) {
    let nanoseconds = attoseconds / 1_000_000_000 + attoseconds % 1_000_000_000 / 500_000_000
    let rest = (nanoseconds % 1_000_000_000 + 1_000_000_000) % 1_000_000_000
    return (Int64(clamping: (nanoseconds - rest) / 1_000_000_000), Int64(rest))
  }
}
