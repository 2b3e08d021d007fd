internal import Foundation

/// Limits for waits on threads and processes: waited for in full only if something is broken.
package enum Patience {
  /// For what takes an instant.
  package static let short = Duration.seconds(90)
  /// For a program that builds another.
  package static let long = Duration.seconds(600)

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

  /// Whether the condition came true within the limit; others of the pool go on meanwhile.
  package static func wait(
    _ limit: Duration = short, until condition: () async throws -> Bool
  ) async rethrows -> Bool {
    let end = ContinuousClock.now + limit
    while try await !condition() {
      guard ContinuousClock.now < end else { return false }
      await Task.yield()
    }
    return true
  }

  /// The same, without keeping the processor busy, which programs that are waited for need.
  package static func waitIdly(until condition: () throws -> Bool) async rethrows -> Bool {
    try await wait {
      if try condition() { return true }
      try? await Task.sleep(for: .milliseconds(5))
      return false
    }
  }
}
