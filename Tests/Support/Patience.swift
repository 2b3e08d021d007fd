internal import Foundation

/// Limits for waits on threads and processes. A wait reaches its limit only if something is broken.
package enum Patience {
  /// For events that take an instant on an idle machine: over a thousand parallel tests may share
  /// two processors.
  package static let short = Duration.seconds(300)
  /// For a program that builds another program.
  package static let long = Duration.seconds(1_800)

  /// Polls without a pause until the condition is true; returns false if the limit passes first.
  package static func wait(
    _ limit: Duration = short, until condition: () throws -> Bool
  ) rethrows -> Bool {
    let end = ContinuousClock.now + limit
    while try !condition() {
      guard ContinuousClock.now < end else { return false }
      sched_yield()
    }
    return true
  }

  /// Like ``wait(_:until:)``, but sleeps before each further check. If hundreds of tests polled
  /// without a pause, they would take the processors and the thread pool from the work they wait
  /// for.
  package static func waitIdly(
    _ limit: Duration = short, until condition: () async throws -> Bool
  ) async rethrows -> Bool {
    let end = ContinuousClock.now + limit
    while try await !condition() {
      guard ContinuousClock.now < end else { return false }
      try? await Task.sleep(for: .milliseconds(5))
    }
    return true
  }
}
