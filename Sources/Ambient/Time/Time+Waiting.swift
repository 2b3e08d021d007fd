// SPDX-License-Identifier: Apache-2.0

public import AmbientSystem

extension Time {
  /// Waits for `duration` on the current `Time.instance`.
  ///
  /// - Parameters:
  ///   - duration: The time to wait; zero or less only lets other tasks run.
  ///   - tolerance: How late the wake-up may be; `nil` leaves it to the system.
  ///   - fileID: The file of the call, for reports; the compiler supplies it.
  ///   - line: The line of the call, for reports; the compiler supplies it.
  /// - Throws: `CancellationError` if the task is cancelled, or if its scope of virtual time stalls
  ///   or ends; ``FrozenTimeError`` if time stands still and the duration is above zero; an error
  ///   of a program's own subclass of ``Time``.
  public static func sleep(
    for duration: Duration, tolerance: Duration? = nil,
    fileID: String = #fileID, line: UInt = #line
  ) async throws {
    try await instance.sleep(for: duration, tolerance: tolerance, fileID: fileID, line: line)
  }

  /// Waits until the wall clock of the current `Time.instance` shows `date`.
  ///
  /// The remaining time is computed once and passes on the monotonic clock, so setting the wall
  /// clock during the wait has no effect.
  ///
  /// - Parameters:
  ///   - date: The wall time to wait for. If it is not in the future, the call only lets
  ///     other tasks run.
  ///   - tolerance: How late the wake-up may be; `nil` leaves it to the system.
  ///   - fileID: The file of the call, for reports; the compiler supplies it.
  ///   - line: The line of the call, for reports; the compiler supplies it.
  /// - Throws: `CancellationError` if the task is cancelled, or if its scope of virtual time stalls
  ///   or ends; ``FrozenTimeError`` if time stands still and the date is in the future; an error of
  ///   a program's own subclass of ``Time``.
  public static func sleep(
    until date: Date, tolerance: Duration? = nil,
    fileID: String = #fileID, line: UInt = #line
  ) async throws {
    try await instance.sleep(until: date, tolerance: tolerance, fileID: fileID, line: line)
  }

  /// Waits until `duration` has passed by the monotonic clock of this `Time`.
  ///
  /// The static method waits by the clock of the current `Time.instance`.
  ///
  /// - Parameters:
  ///   - duration: The time to wait; zero or less only lets other tasks run.
  ///   - tolerance: How late the wake-up may be; nil leaves it to the system.
  ///   - fileID: The file of the call, for reports; the compiler supplies it.
  ///   - line: The line of the call, for reports; the compiler supplies it.
  /// - Throws: `CancellationError` if the task is cancelled, or if its scope of virtual time stalls
  ///   or ends; ``FrozenTimeError`` if time stands still and the duration is above zero; an error
  ///   of a program's own subclass of ``Time``.
  public final func sleep(
    for duration: Duration, tolerance: Duration? = nil,
    fileID: String = #fileID, line: UInt = #line
  ) async throws {
    try await sleep(
      untilUptime: uptime.plus(duration), tolerance: tolerance,
      caller: SourcePlace(fileID: fileID, line: line))
  }

  /// Waits until the wall clock of this time shows `date`.
  ///
  /// The remaining time is computed once and passes on the monotonic clock, so setting the wall
  /// clock during the wait has no effect. The static method of the same name waits on the current
  /// `Time.instance`.
  ///
  /// - Parameters:
  ///   - date: The wall time to wait for. If it is not in the future, the call only lets
  ///     other tasks run.
  ///   - tolerance: How late the wake-up may be; nil leaves it to the system.
  ///   - fileID: The file of the call, for reports; the compiler supplies it.
  ///   - line: The line of the call, for reports; the compiler supplies it.
  /// - Throws: `CancellationError` if the task is cancelled, or if its scope of virtual time stalls
  ///   or ends; ``FrozenTimeError`` if time stands still and the date is in the future; an error of
  ///   a program's own subclass of ``Time``.
  public final func sleep(
    until date: Date, tolerance: Duration? = nil,
    fileID: String = #fileID, line: UInt = #line
  ) async throws {
    try await sleep(
      untilUptime: uptime(at: date), tolerance: tolerance,
      caller: SourcePlace(fileID: fileID, line: line))
  }
}

extension Time {
  /// Runs `body`, and cancels it if it takes longer than `duration`.
  ///
  /// The `Time.instance` that is current at the start measures the time. The body and a timer race;
  /// the loser is cancelled and awaited, so a body that ignores its cancellation delays the caller.
  /// The body runs on the caller's actor, so it may use what the caller may use: `self`, the
  /// actor's state, local variables. It runs in a child task. In virtual time, a body that takes
  /// exactly `duration` succeeds. Where time stands still, a limit above zero is never reached, and
  /// has no timer. Inside ``hold(fileID:line:_:)``, the hold is released while the body sleeps, so
  /// that virtual time passes.
  ///
  /// In virtual time that passes by itself, if only timeouts and background tasks sleep, time
  /// passes to the limit after the scope's `patience` of real time. Meanwhile, the body may get the
  /// result that it waited for outside the scope.
  ///
  /// - Parameters:
  ///   - duration: The longest time that the body may take. If it is zero or less, the limit is
  ///     reached at once, and a body that suspends may time out.
  ///   - fileID: The file of the call, for reports; the compiler supplies it.
  ///   - line: The line of the call, for reports; the compiler supplies it.
  ///   - body: The work. It is cancelled when the limit is reached, and then awaited.
  /// - Throws: ``TimeoutError`` if the body took too long; an error of `body`; `CancellationError`
  ///   if the calling task is cancelled while the timer runs, even if the body ignores the
  ///   cancellation, or if the scope of virtual time stalls or ends; an error of a program's own
  ///   subclass of ``Time``.
  public nonisolated(nonsending) static func timeout<R: Sendable>(
    after duration: Duration, fileID: String = #fileID, line: UInt = #line,
    @_implicitSelfCapture _ body: nonisolated(nonsending) @escaping () async throws -> R
  ) async throws -> R {
    let caller = SourcePlace(fileID: fileID, line: line)
    let time = instance
    let deadline = time.uptime.plus(duration)
    let holder = scopeInForce.flatMap { $0.isHeldByCurrentTask ? $0 : nil }
    let isolation = #isolation
    let body = AwaitedBody(body: body)
    return try await withThrowingTaskGroup(of: R.self) { group in
      defer { group.cancelAll() }
      group.addTask { try await body.run(isolation, holder) }
      // A time that stands still never reaches a limit, also if code moves it.
      if !time.standsStill || duration <= .zero {
        group.addTask {
          let isSeen = try await time.sleep(untilLimit: deadline, caller: caller)
          throw TimeoutError(duration: duration, caller: caller, isSeen: isSeen)
        }
      }
      // The group has a result or an error, because the child task of the body has one.
      guard let result = try await group.next() else { throw CancellationError() }
      return result
    }
  }
}

/// The body of a timeout, on its way to the child task that runs it.
///
/// `@unchecked Sendable` is sound here: the child task runs `body` on the actor of the code that
/// opened the timeout, and that code awaits the child task, so the two never run at once.
private struct AwaitedBody<R: Sendable>: @unchecked Sendable {
  let body: nonisolated(nonsending) () async throws -> R

  func run(_ isolation: isolated (any Actor)?, _ holder: (any VirtualScope)?) async throws -> R {
    arrive(at: isolation)
    guard let holder else { return try await body() }
    return try await holder.inheritHold(isolation, body)
  }
}

/// Keeps the caller's hop to its actor, which Swift 6.3 leaves out before a call of a
/// `nonisolated(nonsending)` function. A precondition would also keep it, but end programs with an
/// actor whose executor hands its jobs to another executor.
@inline(never) @_optimize(none)
private func arrive(at isolation: isolated (any Actor)?) {}

extension Time {
  /// The error of a body that took longer than its limit.
  public struct TimeoutError: DescribedError, Hashable {
    /// The limit.
    public let duration: Duration
    /// The caller of the timeout, such as `Checkout/Payment.swift:42`.
    public let caller: SourcePlace
    /// False if virtual time passed to the limit while only timeouts and background tasks slept, so
    /// that the body may have waited for something that the scope did not see.
    let isSeen: Bool

    /// The caller and the limit.
    ///
    /// In virtual time, the text also says if the body may have waited for something outside the
    /// scope.
    public var description: String {
      let limit = "timed out after \(duration), the limit at \(caller)"
      if isSeen { return limit }
      return """
        \(limit). Only timeouts and background tasks were sleeping, so virtual time passed to the limit; \
        if the body waits for something outside the scope, such as a server, a file or a callback, \
        wrap that wait in Time.hold { }
        """
    }
  }
}
