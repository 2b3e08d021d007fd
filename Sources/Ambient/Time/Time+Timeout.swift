extension Time {
  /// Runs `body`, and cancels it if it takes longer than `duration` of the time in force here.
  ///
  /// Whoever loses is cancelled and awaited: a body that does not heed its cancellation keeps its
  /// caller waiting. A body that sleeps just as long as it is given wins. Where time stands still,
  /// the body has all the time that it wants. In ``hold(_:)`` the body holds virtual time in its
  /// caller's stead.
  ///
  /// - Throws: ``TimeoutError`` if the body took too long; else what `body` throws.
  public static func timeout<R: Sendable>(
    after duration: Duration, fileID: StaticString = #fileID, line: UInt = #line,
    _ body: @escaping @Sendable () async throws -> R
  ) async throws -> R {
    let caller = Caller(fileID: fileID, line: line)
    let time = instance
    let deadline = time.uptime + duration
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
          try await time.sleep(untilUptime: deadline, tolerance: nil, caller: caller)
        } catch is FrozenTimeError {
          return nil
        }
        throw TimeoutError(duration: duration, caller: caller.description)
      }
      while let result = try await group.next() {
        if let result { return result }
      }
      // Not reached while the body's child exists, which ends by returning or by throwing.
      throw CancellationError()
    }
  }
}
