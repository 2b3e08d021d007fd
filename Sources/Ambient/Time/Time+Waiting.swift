#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Time {
  /// Waits for `duration` of the time in force here.
  ///
  /// - Parameters:
  ///   - duration: How long; not above zero returns at once.
  ///   - tolerance: How much later will do; `nil` leaves it to the system.
  /// - Throws: `CancellationError` at once when the task is cancelled; ``FrozenTimeError`` where
  ///   time stands still.
  public static func sleep(
    for duration: Duration, tolerance: Duration? = nil,
    fileID: String = #fileID, line: UInt = #line
  ) async throws {
    try await instance.sleep(for: duration, tolerance: tolerance, fileID: fileID, line: line)
  }

  /// Waits until the wall time in force here is `date`.
  ///
  /// The time that is left is taken when the wait begins and passes on the monotonic clock: setting
  /// the wall during the wait changes nothing.
  ///
  /// - Parameters:
  ///   - date: Until when; not later than now returns at once.
  ///   - tolerance: How much later will do; `nil` leaves it to the system.
  /// - Throws: `CancellationError` at once when the task is cancelled; ``FrozenTimeError`` where
  ///   time stands still.
  public static func sleep(
    until date: Date, tolerance: Duration? = nil,
    fileID: String = #fileID, line: UInt = #line
  ) async throws {
    try await instance.sleep(until: date, tolerance: tolerance, fileID: fileID, line: line)
  }

  /// Waits for `duration` of this time, as the static method does on the one in force.
  public final func sleep(
    for duration: Duration, tolerance: Duration? = nil,
    fileID: String = #fileID, line: UInt = #line
  ) async throws {
    try await sleep(
      untilUptime: uptime.plus(duration), tolerance: tolerance,
      caller: SourcePlace(fileID: fileID, line: line))
  }

  /// Waits until the wall of this time shows `date`, as the static method does on the one in force.
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
  /// Runs `body`, and cancels it if it takes longer than `duration` of the time in force here.
  ///
  /// The loser is cancelled and awaited: a body that does not heed its cancellation keeps its
  /// caller waiting. Like a `Task`'s, the body is isolated where it is written. A body that takes
  /// exactly the limit succeeds. Where time stands still, the body has all the time that it wants.
  /// In ``hold(fileID:line:_:)`` the body holds virtual time in its caller's stead.
  ///
  /// - Throws: ``TimeoutError`` if the body took too long; else what `body` throws.
  public static func timeout<R: Sendable>(
    after duration: Duration, fileID: String = #fileID, line: UInt = #line,
    @_inheritActorContext @_implicitSelfCapture _ body:
      @escaping @Sendable @isolated(any) () async throws -> R
  ) async throws -> R {
    let caller = SourcePlace(fileID: fileID, line: line)
    let time = instance
    let deadline = time.uptime.plus(duration)
    let scheduler = virtualInForce?.scheduler
    let holder = scheduler.flatMap { VirtualHold.isHeld(by: TaskID.current, $0) ? $0 : nil }
    return try await withThrowingTaskGroup(of: R?.self) { group in
      defer { group.cancelAll() }
      group.addTask {
        guard let holder else { return try await body() }
        return try await VirtualHold.inherited(holder, body)
      }
      group.addTask {
        do {
          try await time.sleep(untilLimit: deadline, caller: caller)
        } catch is FrozenTimeError {
          return nil
        }
        throw TimeoutError(duration: duration, caller: caller)
      }
      while let result = try await group.next() {
        if let result { return result }
      }
      // Not reached while the body's child exists, which ends by returning or by throwing.
      throw CancellationError()
    }
  }
}

/// Something took longer than it was given.
public struct TimeoutError: DescribedError, Hashable {
  /// How long it was given.
  public let duration: Duration
  /// Who gave it, as `Checkout/Payment.swift:42`.
  public let caller: SourcePlace

  /// Says who gave how long.
  public var description: String { "timed out: \(caller) gave it \(duration)" }
}
