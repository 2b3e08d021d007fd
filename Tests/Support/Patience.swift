// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// Limits for waits on threads and processes. A wait reaches its limit only if something is broken:
/// each wait also makes a number of checks, which a busy machine makes later.
package enum Patience {
  /// For events that take an instant on an idle machine: over a thousand parallel tests may share
  /// two processors.
  package static let short = Duration.seconds(300)
  /// For a program that builds another program, and for limits that the tested code itself keeps,
  /// such as the deadline of a shutdown.
  package static let long = Duration.seconds(1_800)

  /// The least number of checks before a wait ends in vain. An idle machine makes more of them
  /// within the limit.
  private static let leastChecks = 2_000

  /// Blocks the thread, and polls until the condition is true; returns false if the limit passes
  /// first.
  package static func wait(
    _ limit: Duration = short, until condition: () throws -> Bool
  ) rethrows -> Bool {
    let end = ContinuousClock.now + limit
    var checks = 0
    while try !condition() {
      checks += 1
      guard ContinuousClock.now < end || checks < leastChecks else { return false }
      usleep(100)
    }
    return true
  }

  /// Like ``wait(_:until:)``, but suspends the task. If hundreds of tests blocked their threads,
  /// they would take the thread pool from the work that they wait for.
  package static func waitIdly(
    _ limit: Duration = short, until condition: () async throws -> Bool
  ) async rethrows -> Bool {
    let end = ContinuousClock.now + limit
    var checks = 0
    while try await !condition() {
      checks += 1
      guard ContinuousClock.now < end || checks < leastChecks else { return false }
      try? await Task.sleep(for: .milliseconds(5))
    }
    return true
  }
}
