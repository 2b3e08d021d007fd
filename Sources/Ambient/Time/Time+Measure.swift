extension Time {
  /// Runs `body`, and returns how much of the time in force here passed meanwhile.
  ///
  /// ```swift
  /// let elapsed = try await Time.measure { try await basket.checkOut() }
  /// ```
  ///
  /// It is monotonic time, that of the ``Time`` in force when the measurement begins: zero where
  /// time stands still, and what the scope slept in virtual time.
  ///
  /// - Throws: What `body` throws.
  public static func measure<E: Error>(_ body: () throws(E) -> Void) throws(E) -> Duration {
    let time = instance
    let start = time.uptime
    try body()
    return time.uptime - start
  }

  /// Runs `body`, and returns how much of the time in force here passed meanwhile.
  ///
  /// It is monotonic time, that of the ``Time`` in force when the measurement begins: zero where
  /// time stands still, and what the scope slept in virtual time.
  ///
  /// - Throws: What `body` throws.
  public static func measure<E: Error>(
    _ body: nonisolated(nonsending) () async throws(E) -> Void
  ) async throws(E) -> Duration {
    let time = instance
    let start = time.uptime
    try await body()
    return time.uptime - start
  }
}
