// SPDX-License-Identifier: Apache-2.0

internal import Ambient

/// A gate that opens once, for a test that waits until a service has started.
///
/// A service that starts outside virtual time, for example a group of services that first waits for
/// Dispatch to register signal handlers, looks suspended to the scope, so that time would pass. A
/// test that waits for its readiness holds virtual time until the service runs.
///
/// ```swift
/// let ready = Readiness()
/// Time.task { await server.run { ready.open() } }
/// try await ready.wait()
/// ```
///
/// Thread-safe.
public final class Readiness: Sendable {
  private struct State {
    var isOpen = false
    var waiting: [Int: AsyncStream<Never>.Continuation] = [:]
    var lastID = 0
  }

  private let state = Guarded(State())

  /// Creates a closed gate.
  public init() {}

  /// Opens the gate, for ever: resumes all waiting tasks.
  public func open() {
    let waiting = state.withLock { state in
      defer { (state.isOpen, state.waiting) = (true, [:]) }
      return state.waiting.values
    }
    for waiting in waiting { waiting.finish() }
  }

  /// Waits until the gate is open, and holds virtual time meanwhile, as `Time.hold` does.
  ///
  /// If the gate does not open, a call that awaits an advance of virtual time throws after the
  /// scope's limit of real time. Without such a call, the scope ends as stalled. The error names
  /// this call.
  ///
  /// - Parameters:
  ///   - fileID: The file of the call, for reports; the compiler supplies it.
  ///   - line: The line of the call, for reports; the compiler supplies it.
  /// - Throws: `CancellationError` if the task is cancelled, even if the gate is open. The task is
  ///   also cancelled when its scope of virtual time stalls, unless it is a bare `Task`.
  public func wait(fileID: String = #fileID, line: UInt = #line) async throws {
    try await Time.hold(fileID: fileID, line: line) {
      try Task.checkCancellation()
      let (opening, continuation) = AsyncStream<Never>.makeStream()
      let id = state.withLock { state -> Int? in
        if state.isOpen { return nil }
        state.lastID += 1
        state.waiting[state.lastID] = continuation
        return state.lastID
      }
      guard let id else { return }
      for await _ in opening {}
      state.withLock { _ = $0.waiting.removeValue(forKey: id) }
      try Task.checkCancellation()
    }
  }
}
