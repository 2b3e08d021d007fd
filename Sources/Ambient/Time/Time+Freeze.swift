#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Time {
  /// Runs `body` where time stands still at `date`.
  public static func freeze<R, E: Error>(
    at date: Date, _ body: () throws(E) -> R
  ) throws(E) -> R {
    try withInstance(FixedTime(at: date, around: virtualInForce), body)
  }

  /// Runs `body` where time stands still at `date`.
  public static func freeze<R, E: Error>(
    at date: Date, _ body: nonisolated(nonsending) () async throws(E) -> R
  ) async throws(E) -> R {
    try await withInstance(FixedTime(at: date, around: virtualInForce), body)
  }

  /// Runs `body` where time stands still at the instant that `text` denotes in ISO 8601.
  ///
  /// - Throws: ``ISO8601Error`` if the text is no instant; else what `body` throws.
  public static func freeze<R>(at text: String, _ body: () throws -> R) throws -> R {
    try freeze(at: Date(iso8601: text), body)
  }

  /// Runs `body` where time stands still at the instant that `text` denotes in ISO 8601.
  ///
  /// - Throws: ``ISO8601Error`` if the text is no instant; else what `body` throws.
  public static func freeze<R>(
    at text: String, _ body: nonisolated(nonsending) () async throws -> R
  ) async throws -> R {
    try await freeze(at: Date(iso8601: text), body)
  }
}
