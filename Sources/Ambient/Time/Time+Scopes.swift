// SPDX-License-Identifier: Apache-2.0

public import AmbientSystem

extension Time {
  /// Runs `body` where time stands still at `date`.
  ///
  /// - Parameters:
  ///   - date: The value of `Time.now` in the block. Monotonic time also stands still, at its value
  ///     around the block, moved by as much as the wall time is.
  ///   - body: The block, whose result is returned and whose error is thrown.
  @inlinable
  public static func freeze<R, E: Error>(
    at date: Date, _ body: () throws(E) -> R
  ) throws(E) -> R {
    try withInstance(frozen(at: date), body)
  }

  /// Runs `body` where time stands still at `date`.
  ///
  /// - Parameters:
  ///   - date: The value of `Time.now` in the block. Monotonic time also stands still, at its value
  ///     around the block, moved by as much as the wall time is.
  ///   - body: The block, with the isolation of the caller; its result is returned, its error is
  ///     thrown.
  @_disfavoredOverload
  @inlinable
  public static func freeze<R, E: Error>(
    at date: Date, _ body: nonisolated(nonsending) () async throws(E) -> R
  ) async throws(E) -> R {
    try await withInstance(frozen(at: date), body)
  }

  /// Runs `body` where time stands still at the instant that `text` denotes in ISO 8601.
  ///
  /// - Parameters:
  ///   - text: The instant, with its offset from UTC, as in `2026-11-27T00:00:00-05:00`.
  ///   - body: The block, whose result is returned.
  /// - Throws: ``ISO8601Error`` if the text is not an instant, or an error that `body` throws.
  @inlinable
  public static func freeze<R>(at text: String, _ body: () throws -> R) throws -> R {
    try freeze(at: Date(iso8601: text), body)
  }

  /// Runs `body` where time stands still at the instant that `text` denotes in ISO 8601.
  ///
  /// - Parameters:
  ///   - text: The instant, with its offset from UTC, as in `2026-11-27T00:00:00-05:00`.
  ///   - body: The block, with the isolation of the caller; its result is returned.
  /// - Throws: ``ISO8601Error`` if the text is not an instant, or an error that `body` throws.
  @_disfavoredOverload
  @inlinable
  public static func freeze<R>(
    at text: String, _ body: nonisolated(nonsending) () async throws -> R
  ) async throws -> R {
    try await freeze(at: Date(iso8601: text), body)
  }

  @usableFromInline
  static func frozen(at date: Date) -> FixedTime { FixedTime(at: date, within: context.assigned) }
}

extension Time {
  /// Runs `body` with the wall clock set to `date`.
  ///
  /// Time passes as it does outside the block.
  ///
  /// - Parameters:
  ///   - date: `Time.now` at the beginning of the block; monotonic time jumps as far as the wall
  ///     clock does. A date more than 30,000 years from 2001 counts as a nearer one, and NaN as the
  ///     beginning of 2001.
  ///   - body: The block, whose result is returned and whose error is thrown.
  @inlinable
  public static func travel<R, E: Error>(
    to date: Date, _ body: () throws(E) -> R
  ) throws(E) -> R {
    try withInstance(travelled(to: date), body)
  }

  /// Runs `body` with the wall clock set to `date`.
  ///
  /// Time passes as it does outside the block.
  ///
  /// - Parameters:
  ///   - date: `Time.now` at the beginning of the block; monotonic time jumps as far as the wall
  ///     clock does. A date more than 30,000 years from 2001 counts as a nearer one, and NaN as the
  ///     beginning of 2001.
  ///   - body: The block, with the isolation of the caller; its result is returned, its error is
  ///     thrown.
  @_disfavoredOverload
  @inlinable
  public static func travel<R, E: Error>(
    to date: Date, _ body: nonisolated(nonsending) () async throws(E) -> R
  ) async throws(E) -> R {
    try await withInstance(travelled(to: date), body)
  }

  /// Runs `body` with the wall clock set to the instant that `text` denotes in ISO 8601.
  ///
  /// Time passes as it does outside the block, and monotonic time jumps as far as the wall clock.
  ///
  /// - Parameters:
  ///   - text: The instant, with its offset from UTC, as in `2026-11-27T00:00:00-05:00`.
  ///   - body: The block, whose result is returned.
  /// - Throws: ``ISO8601Error`` if the text is not an instant, or an error that `body` throws.
  @inlinable
  public static func travel<R>(to text: String, _ body: () throws -> R) throws -> R {
    try travel(to: Date(iso8601: text), body)
  }

  /// Runs `body` with the wall clock set to the instant that `text` denotes in ISO 8601.
  ///
  /// Time passes as it does outside the block, and monotonic time jumps as far as the wall clock.
  ///
  /// - Parameters:
  ///   - text: The instant, with its offset from UTC, as in `2026-11-27T00:00:00-05:00`.
  ///   - body: The block, with the isolation of the caller; its result is returned.
  /// - Throws: ``ISO8601Error`` if the text is not an instant, or an error that `body` throws.
  @_disfavoredOverload
  @inlinable
  public static func travel<R>(
    to text: String, _ body: nonisolated(nonsending) () async throws -> R
  ) async throws -> R {
    try await travel(to: Date(iso8601: text), body)
  }

  /// Runs `body` with the wall clock and the monotonic clock moved by `offset`.
  ///
  /// A negative offset moves them backwards. Time passes as it does outside the block.
  ///
  /// - Parameters:
  ///   - offset: The offset from the time outside; `.seconds(-3_600)` is an hour ago.
  ///   - body: The block, whose result is returned and whose error is thrown.
  @inlinable
  public static func travel<R, E: Error>(
    by offset: Duration, _ body: () throws(E) -> R
  ) throws(E) -> R {
    try withInstance(travelled(by: offset), body)
  }

  /// Runs `body` with the wall clock and the monotonic clock moved by `offset`.
  ///
  /// A negative offset moves them backwards. Time passes as it does outside the block.
  ///
  /// - Parameters:
  ///   - offset: The offset from the time outside; `.seconds(-3_600)` is an hour ago.
  ///   - body: The block, with the isolation of the caller; its result is returned, its error is
  ///     thrown.
  @_disfavoredOverload
  @inlinable
  public static func travel<R, E: Error>(
    by offset: Duration, _ body: nonisolated(nonsending) () async throws(E) -> R
  ) async throws(E) -> R {
    try await withInstance(travelled(by: offset), body)
  }

  @usableFromInline
  static func travelled(to date: Date) -> OffsetTime {
    let base = instance
    return OffsetTime(of: base, by: date.sinceReferenceDate - base.wall)
  }

  @usableFromInline
  static func travelled(by offset: Duration) -> OffsetTime { OffsetTime(of: instance, by: offset) }
}

extension Time {
  /// Runs `body` with time that passes `factor` times as fast.
  ///
  /// A sleep ends when its duration has passed in this time.
  ///
  /// - Parameters:
  ///   - factor: The number of seconds that pass in one second outside the block. With 60, a minute
  ///     passes in a second.
  ///   - body: The block, whose result is returned.
  /// - Throws: ``SettingError`` if the factor is not a finite number above zero, or an error that
  ///   `body` throws.
  @inlinable
  public static func scale<R>(by factor: Double, _ body: () throws -> R) throws -> R {
    try withInstance(scaled(by: factor), body)
  }

  /// Runs `body` with time that passes `factor` times as fast.
  ///
  /// A sleep ends when its duration has passed in this time.
  ///
  /// - Parameters:
  ///   - factor: The number of seconds that pass in one second outside the block. With 60, a minute
  ///     passes in a second.
  ///   - body: The block, with the isolation of the caller; its result is returned.
  /// - Throws: ``SettingError`` if the factor is not a finite number above zero, or an error that
  ///   `body` throws.
  @_disfavoredOverload
  @inlinable
  public static func scale<R>(
    by factor: Double, _ body: nonisolated(nonsending) () async throws -> R
  ) async throws -> R {
    try await withInstance(scaled(by: factor), body)
  }

  @usableFromInline
  static func scaled(by factor: Double) throws(SettingError) -> ScaledTime {
    try ScaledTime(of: instance, by: factor)
  }
}
