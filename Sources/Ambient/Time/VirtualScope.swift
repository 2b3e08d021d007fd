// SPDX-License-Identifier: Apache-2.0

package import AmbientSystem

/// What `Time` asks of a scope of virtual time, while such a scope is in force.
///
/// The module AmbientVirtualTime implements it, so that a program without that module has none of
/// its code.
package protocol VirtualScope: AnyObject, Sendable {
  /// The wall time since 2001-01-01T00:00:00Z.
  var exactWall: Duration { get }

  /// The monotonic time at which the wall clock shows `date`.
  func exactUptime(at date: Date) -> Duration

  /// Waits for the deadline of a timeout, as ``Time/sleep(untilLimit:caller:)`` says.
  func waitForLimit(_ deadline: Duration, caller: SourcePlace) async throws -> Bool

  /// The next bits for identifiers, random numbers and delays.
  func nextSeededBits() -> IdentifierSource.Bits

  /// Starts a task that runs in the scope; `isBackground` is true for `Time.backgroundTask`.
  func start<R: Sendable>(
    _ name: String?, _ priority: TaskPriority?, _ caller: SourcePlace, isBackground: Bool,
    _ body: sending @escaping @isolated(any) () async throws -> R
  ) -> Task<R, any Error>

  /// Starts a task that runs in the scope, and whose body does not throw.
  func start<R: Sendable>(
    _ name: String?, _ priority: TaskPriority?, _ caller: SourcePlace, isBackground: Bool,
    _ body: sending @escaping @isolated(any) () async -> R
  ) -> Task<R, Never>

  /// Runs `body` while virtual time stands still.
  func hold<R, E: Error>(
    _ caller: SourcePlace, _ isolation: isolated (any Actor)?,
    _ body: nonisolated(nonsending) () async throws(E) -> R
  ) async throws(E) -> R

  /// Whether the current task holds virtual time.
  var isHeldByCurrentTask: Bool { get }

  /// Runs `body` in a child of a task that holds virtual time. The sleeps of the child release the
  /// hold.
  func inheritHold<R>(
    _ isolation: isolated (any Actor)?, _ body: nonisolated(nonsending) () async throws -> R
  ) async throws -> R

  /// The error of a timer without a period that ticks without end at one instant.
  func tooManyTicks(_ caller: SourcePlace) -> any Error
}
