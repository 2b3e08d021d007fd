#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Time {
  /// Runs `body` where the wall shows `date` at first, and time runs on from there.
  public static func travel<R, E: Error>(
    to date: Date, _ body: () throws(E) -> R
  ) throws(E) -> R {
    try withInstance(travelled(to: date), body)
  }

  /// Runs `body` where the wall shows `date` at first, and time runs on from there.
  public static func travel<R, E: Error>(
    to date: Date, _ body: nonisolated(nonsending) () async throws(E) -> R
  ) async throws(E) -> R {
    try await withInstance(travelled(to: date), body)
  }

  /// Runs `body` where time starts at the instant that `text` denotes in ISO 8601, and runs on.
  ///
  /// - Throws: ``ISO8601Error`` if the text is no instant; else what `body` throws.
  public static func travel<R>(to text: String, _ body: () throws -> R) throws -> R {
    try travel(to: Date(iso8601: text), body)
  }

  /// Runs `body` where time starts at the instant that `text` denotes in ISO 8601, and runs on.
  ///
  /// - Throws: ``ISO8601Error`` if the text is no instant; else what `body` throws.
  public static func travel<R>(
    to text: String, _ body: nonisolated(nonsending) () async throws -> R
  ) async throws -> R {
    try await travel(to: Date(iso8601: text), body)
  }

  /// Runs `body` where both clocks are moved by `offset`, backwards if negative, and run on.
  public static func travel<R, E: Error>(
    by offset: Duration, _ body: () throws(E) -> R
  ) throws(E) -> R {
    try withInstance(OffsetTime(of: instance, by: offset), body)
  }

  /// Runs `body` where both clocks are moved by `offset`, backwards if negative, and run on.
  public static func travel<R, E: Error>(
    by offset: Duration, _ body: nonisolated(nonsending) () async throws(E) -> R
  ) async throws(E) -> R {
    try await withInstance(OffsetTime(of: instance, by: offset), body)
  }

  private static func travelled(to date: Date) -> OffsetTime {
    let base = instance
    return OffsetTime(of: base, by: .from(base.now, to: date))
  }
}
