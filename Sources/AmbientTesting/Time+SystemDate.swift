// SPDX-License-Identifier: Apache-2.0

public import Ambient
public import AmbientSystem
internal import AmbientVirtualTime
internal import CAmbientTesting

extension Time {
  /// Runs `body` where time stands still at `date`, optionally also for code that reads `Date()`.
  ///
  /// If `showsDate` is true, `Date()` in the block shows `Time.now` to the code of any library, for
  /// the tasks of the block alone, so tests run in parallel. It also follows `Time.travel(to:)` and
  /// its kin in the block. Swift's clocks and `Task.sleep` are real, even in a scope with
  /// `systemClocks: true`, as are Foundation's own timers, `NSDate`, C's functions, and the dates
  /// of files. If a `Time` of your own is bound in the block, `Date()` is real, since that `Time`
  /// may read it.
  ///
  /// - Parameters:
  ///   - date: The value of `Time.now` in the block, and of `Date()` if `showsDate` is true.
  ///   - showsDate: Whether `Date()` shows the time of the block. If false, it is real, as are
  ///     Swift's clocks and sleeps, even if a block around shows its time.
  ///   - body: The block, whose result is returned.
  /// - Throws: `SystemClocksError` if `showsDate` is true and this program cannot change `Date()`,
  ///   or an error that `body` throws.
  public static func freeze<R>(
    at date: Date, date showsDate: Bool, _ body: () throws -> R
  ) throws -> R {
    try SystemClocks.context.withInstance(.showing(date: showsDate)) {
      try freeze(at: date, body)
    }
  }

  /// Runs `body` where time stands still at `date`, optionally also for code that reads `Date()`.
  ///
  /// - Parameters:
  ///   - date: The value of `Time.now` in the block, and of `Date()` if `showsDate` is true.
  ///   - showsDate: Whether `Date()` shows the time of the block. If false, it is real, as are
  ///     Swift's clocks and sleeps, even if a block around shows its time.
  ///   - body: The block, with the isolation of the caller; its result is returned.
  /// - Throws: `SystemClocksError` if `showsDate` is true and this program cannot change `Date()`,
  ///   or an error that `body` throws.
  @_disfavoredOverload
  public static func freeze<R>(
    at date: Date, date showsDate: Bool, _ body: nonisolated(nonsending) () async throws -> R
  ) async throws -> R {
    try await SystemClocks.context.withInstance(.showing(date: showsDate)) {
      try await freeze(at: date, body)
    }
  }

  /// Runs `body` where time stands still at the instant that `text` denotes in ISO 8601, optionally
  /// also for code that reads `Date()`.
  ///
  /// - Parameters:
  ///   - text: The instant, with its offset from UTC, as in `2026-11-27T00:00:00-05:00`.
  ///   - showsDate: Whether `Date()` shows the time of the block. If false, it is real, as are
  ///     Swift's clocks and sleeps, even if a block around shows its time.
  ///   - body: The block, whose result is returned.
  /// - Throws: `ISO8601Error` if the text is not an instant, `SystemClocksError` if `showsDate` is
  ///   true and this program cannot change `Date()`, or an error that `body` throws.
  public static func freeze<R>(
    at text: String, date showsDate: Bool, _ body: () throws -> R
  ) throws -> R {
    try freeze(at: Date(iso8601: text), date: showsDate, body)
  }

  /// Runs `body` where time stands still at the instant that `text` denotes in ISO 8601, optionally
  /// also for code that reads `Date()`.
  ///
  /// - Parameters:
  ///   - text: The instant, with its offset from UTC, as in `2026-11-27T00:00:00-05:00`.
  ///   - showsDate: Whether `Date()` shows the time of the block. If false, it is real, as are
  ///     Swift's clocks and sleeps, even if a block around shows its time.
  ///   - body: The block, with the isolation of the caller; its result is returned.
  /// - Throws: `ISO8601Error` if the text is not an instant, `SystemClocksError` if `showsDate` is
  ///   true and this program cannot change `Date()`, or an error that `body` throws.
  @_disfavoredOverload
  public static func freeze<R>(
    at text: String, date showsDate: Bool, _ body: nonisolated(nonsending) () async throws -> R
  ) async throws -> R {
    try await freeze(at: Date(iso8601: text), date: showsDate, body)
  }
}

extension SystemClocks {
  /// The option that shows the time of a block to `Date()`, or to nothing.
  fileprivate static func showing(date showsDate: Bool) throws(SystemClocksError) -> SystemClocks {
    ambient_testing_keep()
    return showsDate ? try .date() : .real
  }

  /// Assigns the option in the isolating scope of a test, if it shows the time.
  static func assign(_ showsDate: Bool) throws(SystemClocksError) {
    if showsDate { context.instance = try showing(date: true) }
  }
}
