// SPDX-License-Identifier: Apache-2.0

extension Time {
  /// Runs `body`, and returns how long it took.
  ///
  /// ```swift
  /// let elapsed = try await Time.measure { try await basket.checkOut() }
  /// ```
  ///
  /// The duration is measured on the monotonic clock of the ``Time`` that is current at the start.
  /// If that time is frozen, it is the time by which code moved it; in virtual time, it is the
  /// virtual duration.
  ///
  /// - Parameter body: The work that is measured.
  /// - Throws: The error of `body`.
  public static func measure<E: Error>(_ body: () throws(E) -> Void) throws(E) -> Duration {
    let time = instance
    let start = time.uptime
    try body()
    return time.uptime - start
  }

  /// Runs `body`, and returns how long it took.
  ///
  /// The duration is measured on the monotonic clock of the ``Time`` that is current at the start.
  /// If that time is frozen, it is the time by which code moved it; in virtual time, it is the
  /// virtual duration.
  ///
  /// - Parameter body: The work that is measured, with the isolation of the caller.
  /// - Throws: The error of `body`.
  @_disfavoredOverload
  public static func measure<E: Error>(
    _ body: nonisolated(nonsending) () async throws(E) -> Void
  ) async throws(E) -> Duration {
    let time = instance
    let start = time.uptime
    try await body()
    return time.uptime - start
  }
}
