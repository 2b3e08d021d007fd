internal import Dispatch
internal import Foundation
package import Testing

/// Records an issue if a test does not end within ``Patience/long``, because the code under test
/// loops or waits for ever.
///
/// The limit is kept by a thread. That of `timeLimit(_:)` is kept by a task, which has no thread to
/// run on once tests block all threads of the pool.
package struct WatchedTrait: TestTrait, SuiteTrait, TestScoping {
  package var isRecursive: Bool { true }

  package func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    guard testCase != nil else { return try await function() }
    let end = DispatchSemaphore(value: 0)
    let (name, place) = (test.name, test.sourceLocation)
    Thread.detachNewThread {
      let limit = DispatchTime.now() + Patience.long / .seconds(1)
      guard end.wait(timeout: limit) == .timedOut else { return }
      Issue.record("\(name) does not end", sourceLocation: place)
    }
    defer { end.signal() }
    try await function()
  }
}

extension Trait where Self == WatchedTrait {
  /// Marks a test of code that would hang if it were wrong.
  package static var watched: Self { Self() }
}
