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
    /// Take the time with `VirtualTime.current`. What still sleeps at the end of the test is
    /// cancelled, and an issue of the test each; so is a deadlock. A test on the main actor is not
    /// seen by the scope while it runs there: let it take `VirtualTime.current` before it first
    /// awaits, and advance time with `advance(by:sleepers:)`.
    ///
    /// - Parameters:
    ///   - date: The wall time at the start.
    ///   - advances: Whether time also passes by itself, or only when the test advances it.
    public static func virtualTime(
      from date: Date, advances: VirtualTime.Advances = .byItself
    ) -> Self {
      Self { test, function in
        try await inVirtualTime(from: date, advances, test, function)
      }
    }

    /// Gives each test ambient contexts of its own, in virtual time from the instant that `text`
    /// denotes in ISO 8601; text that denotes none is an issue of the test.
    public static func virtualTime(
      from text: String, advances: VirtualTime.Advances = .byItself
    ) -> Self {
      Self { test, function in
        try await inVirtualTime(from: Date(iso8601: text), advances, test, function)
      }
    }
  }

  private func inVirtualTime(
    from date: Date, _ advances: VirtualTime.Advances, _ test: Test,
    _ function: @escaping @concurrent @Sendable () async throws -> Void
  ) async throws {
    ambient_testing_keep()
    let place = test.sourceLocation
    let time = VirtualTime(from: date, seed: 0, advances: advances)
    let found = Guarded<VirtualTimeError?>(nil)
    let (result, leftovers) = await time.run(
      { _ in try await function() },
      onDeadlock: { deadlock in
        found.withLock { $0 = deadlock }
        Issue.record(deadlock, sourceLocation: place)
      })
    for sleeper in leftovers {
      Issue.record(
        "\(sleeper), but the test ended before: it was cancelled", sourceLocation: place)
    }
    do {
      try result.get()
    } catch let error as VirtualTimeError where found.withLock({ $0 }) == error {
      // Recorded when it was found, since a test that cannot be cancelled does not come here.
    }
  }
#endif
