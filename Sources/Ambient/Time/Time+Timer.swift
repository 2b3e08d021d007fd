extension Time {
  /// Ticks once in each period of the time in force here.
  ///
  /// ```swift
  /// for try await now in Time.timer(every: .seconds(60)) { await cache.removeExpired(at: now) }
  /// ```
  ///
  /// - Parameters:
  ///   - period: From tick to tick; if it is not above zero, every tick comes at once, in virtual
  ///     time up to 100,000 at one instant.
  ///   - missed: What happens about ticks that came while the loop was busy.
  ///   - tolerance: How much later will do; `nil` leaves it to the system.
  public static func timer(
    every period: Duration, missed: MissedTicks = .skip, tolerance: Duration? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Ticks {
    Ticks(
      period: period, missed: missed, tolerance: tolerance,
      caller: Caller(fileID: fileID, line: line))
  }
}
