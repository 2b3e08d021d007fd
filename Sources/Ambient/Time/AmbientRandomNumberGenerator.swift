// SPDX-License-Identifier: Apache-2.0

/// The caller's random numbers, for the standard library's `using:`.
///
/// They are the system's, except in virtual time, where the seed of the scope decides them, so that
/// each run of a test gets the same numbers:
///
/// ```swift
/// var generator = AmbientRandomNumberGenerator()
/// let delay = Duration.seconds(Int.random(in: 1...10, using: &generator))
/// ```
///
/// A scope of virtual time has one stream of numbers, which also serves ``AmbientIdentifier``,
/// events, and the random delays of ticks and uploads. The task that asks first gets the first
/// number. The blocks of `Time.freeze`, `Time.travel` and `Time.scale` use the stream of the scope
/// around them. An ``OffsetTime`` or a ``ScaledTime`` uses the stream of its base. A ``FixedTime``
/// that a program makes, or a time of a program's own subclass, uses the system's numbers.
///
/// Do not use it for secrets: the seed of a scope predicts each number, and a scope may run outside
/// of tests. The generator has no state, and is safe to use from any thread.
public struct AmbientRandomNumberGenerator: RandomNumberGenerator, Sendable {
  /// Makes a generator.
  public init() {}

  /// Returns the next number, from zero to `UInt64.max`, evenly distributed.
  ///
  /// - Complexity: O(1). A number of the system is a call of the system.
  public func next() -> UInt64 {
    Time.context.withService { $0.randomBits() }
  }
}
