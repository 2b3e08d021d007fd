internal import Foundation

/// Limits for waits on threads and processes: waited for in full only if something is broken.
package enum Patience {
  /// For what takes an instant, where over a thousand tests at once share two processors.
  package static let short = Duration.seconds(300)
  /// For a program that builds another.
  package static let long = Duration.seconds(1_800)

  /// Whether the condition came true within the limit.
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

  /// The same, but leaves processor and pool to those who are waited for: hundreds of tests that
  /// look again at once would keep them from it.
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
