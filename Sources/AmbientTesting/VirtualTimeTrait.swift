#if canImport(Testing)
  public import Ambient
  internal import CAmbientTesting
  #if canImport(FoundationEssentials)
    public import FoundationEssentials
  #else
    public import Foundation
  #endif
  public import Testing

  extension Trait where Self == AmbientTrait {
    /// Gives each test ambient contexts of its own, in virtual time from `date`.
    ///
    /// Take the time with `VirtualTime.current`. These are issues of the test: each task that still
    /// sleeps when the test ends; a `Time.task` that has not ended; a deadlock; no progress for the
    /// limit; and, once, a task that left the scope without `Time.hold` while others slept. A test
    /// that ignores its cancellation may go on without progress for a minute, or for the number of
    /// seconds in the environment variable `AMBIENT_TESTS_LIMIT` (0 means for ever); then the
    /// program ends, and names the test.
    ///
    /// - Parameters:
    ///   - date: The wall time at the start.
    ///   - advances: Whether time also passes by itself, or only when the test advances it.
    ///   - seed: The seed of identifiers and random delays in the test.
    ///   - limit: The real time without progress that is an issue of the test.
    ///   - patience: The real time after which suspended tasks are in a deadlock, if nothing in the
    ///     scope will wake any of them.
    public static func virtualTime(
      from date: Date, advances: VirtualTime.Advances = .byItself, seed: UInt64 = 0,
      limit: Duration = VirtualTime.usualLimit, patience: Duration = VirtualTime.usualPatience
    ) -> Self {
      Self { test, function in
        try await inVirtualTime(
          from: date, advances, seed, limit, patience, test, function)
      }
    }

    /// Gives each test ambient contexts of its own, in virtual time from an instant in ISO 8601; a
    /// malformed text is an issue of the test.
    ///
    /// - Parameters:
    ///   - text: The wall time at the start, with its offset from UTC.
    ///   - advances: Whether time also passes by itself, or only when the test advances it.
    ///   - seed: The seed of identifiers and random delays in the test.
    ///   - limit: The real time without progress that is an issue of the test.
    ///   - patience: The real time after which suspended tasks are in a deadlock, if nothing in the
    ///     scope will wake any of them.
    public static func virtualTime(
      from text: String, advances: VirtualTime.Advances = .byItself, seed: UInt64 = 0,
      limit: Duration = VirtualTime.usualLimit, patience: Duration = VirtualTime.usualPatience
    ) -> Self {
      Self { test, function in
        try await inVirtualTime(
          from: Date(iso8601: text), advances, seed, limit, patience, test, function)
      }
    }
  }

  private func inVirtualTime(
    from date: Date, _ advances: VirtualTime.Advances, _ seed: UInt64, _ limit: Duration,
    _ patience: Duration, _ test: Test,
    _ function: @escaping @concurrent @Sendable () async throws -> Void
  ) async throws {
    ambient_testing_keep()
    let location = test.sourceLocation
    let place = SourcePlace(fileID: location.fileID, line: UInt(location.line))
    let time = VirtualTime(
      from: date, seed: seed, advances: advances, limit: limit, patience: patience)
    let found = Guarded<[VirtualTimeError]>([])
    let (result, leftovers) = await time.run(
      at: place, mayLeave: false, { _ in try await function() },
      tell: { finding in
        switch finding {
        case .error(let error):
          found.withLock { $0.append(error) }
          Issue.record(error, sourceLocation: location)
        case .left(let text): Issue.record("\(text)", sourceLocation: location)
        }
      })
    for leftover in leftovers { Issue.record("\(leftover)", sourceLocation: location) }
    do {
      try result.get()
    } catch let error as VirtualTimeError where found.withLock({ $0.contains(error) }) {
      // The error was already recorded when it was found, because a test that cannot be cancelled
      // does not get here.
    }
  }
#endif
