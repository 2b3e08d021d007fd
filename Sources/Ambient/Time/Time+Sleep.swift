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
    fileID: StaticString = #fileID, line: UInt = #line
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
    fileID: StaticString = #fileID, line: UInt = #line
  ) async throws {
    try await instance.sleep(until: date, tolerance: tolerance, fileID: fileID, line: line)
  }

  /// Waits for `duration` of this time, as the static method does on the one in force.
  public final func sleep(
    for duration: Duration, tolerance: Duration? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) async throws {
    try await sleep(
      untilUptime: uptime + duration, tolerance: tolerance,
      caller: Caller(fileID: fileID, line: line))
  }

  /// Waits until the wall of this time shows `date`, as the static method does on the one in force.
  public final func sleep(
    until date: Date, tolerance: Duration? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) async throws {
    try await sleep(
      untilUptime: uptime(at: date), tolerance: tolerance,
      caller: Caller(fileID: fileID, line: line))
  }
}
