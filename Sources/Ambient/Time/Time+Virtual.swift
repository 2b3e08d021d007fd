#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Time {
  /// Runs `body` where time starts at `date` and passes only while all wait, deterministically.
  ///
  /// To the scope belong the body, its child tasks, the actors that they call, and what
  /// ``task(name:fileID:line:_:)-(_)`` starts. When all of them are suspended and the body awaits no
  /// ``VirtualTime/advance(by:)``, time passes to the next sleeper's deadline by itself. What runs
  /// elsewhere (a bare `Task`, the main actor, Dispatch, I/O) is not seen: wrap it in ``hold(_:)``.
  ///
  /// When the body returns or throws, those who still sleep are woken with `CancellationError` and reported to
  /// ``Diagnostics``; under the trait `.virtualTime(from:)`, as an issue of the test.
  ///
  /// - Parameters:
  ///   - date: The wall time at the start. The monotonic time starts at zero.
  ///   - seed: What identifiers that are made in the scope derive from.
  ///   - body: What runs, as a task of its own, on the scope's executor.
  /// - Throws: ``VirtualTimeError/deadlock(waiting:)`` if the body waits for something while nothing
  ///   in the scope runs or sleeps, or while it is not seen and nobody advances time, for 200 ms of
  ///   real time (its task is cancelled then); else what `body` throws.
  public static func virtual<R: Sendable>(
    from date: Date, seed: UInt64 = 0,
    _ body: sending @escaping (VirtualTime) async throws -> R
  ) async throws -> R {
    let (result, leftovers) = await VirtualTime(from: date, seed: seed).run(body)
    for sleeper in leftovers {
      Diagnostics.report(
        Diagnostic(
          .leftover, source: "Time.virtual",
          "\(sleeper), but the scope ended before: it was cancelled."))
    }
    return try result.get()
  }

  /// Runs `body` where time starts at the instant that `text` denotes in ISO 8601, and is virtual.
  ///
  /// - Throws: ``ISO8601Error`` if the text is no instant; else as with a date.
  public static func virtual<R: Sendable>(
    from text: String, seed: UInt64 = 0,
    _ body: sending @escaping (VirtualTime) async throws -> R
  ) async throws -> R {
    try await virtual(from: Date(iso8601: text), seed: seed, body)
  }
}
