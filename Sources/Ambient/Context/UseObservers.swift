// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// The observers that AmbientTesting adds. They observe reads of contexts, and assignments of the
/// process's instances. They are called on the thread that reads or assigns, with no lock held.
package enum UseObservers {
  /// An observer, called with the context's name and the place of the call that reads or assigns.
  package typealias Observer = @Sendable (_ context: String, _ caller: CallerTrace) -> Void

  private struct State {
    var observers: [Int: Observer] = [:]
    var last = 0
  }

  private static let state = Guarded(State())
  private static let isWatched = Atomic<Bool>(false)

  /// The observer that is called when a read in an isolating scope makes a default instance,
  /// because no instance was assigned in the scope.
  @TaskLocal package static var ofDefaults: Observer?

  /// Calls `observer` for each read or assignment of a process's instance that reaches
  /// `tellOfProcess`, until the returned number is passed to `remove`.
  package static func add(_ observer: @escaping Observer) -> Int {
    state.withLock { state in
      state.last += 1
      state.observers[state.last] = observer
      isWatched.store(true, ordering: .relaxed)
      return state.last
    }
  }

  package static func remove(_ number: Int) {
    state.withLock { state in
      state.observers[number] = nil
      isWatched.store(!state.observers.isEmpty, ordering: .relaxed)
    }
  }

  /// Tells the observers that the process's instance was read or assigned.
  ///
  /// A read on the fast path, `AmbientContext.plain`, does not call this. While an isolating scope
  /// is alive, no read takes that path.
  static func tellOfProcess(_ context: String) {
    guard isWatched.load(ordering: .relaxed) else { return }
    let caller = CallerTrace.capture()
    for observer in state.withLock({ $0.observers.values.map(\.self) }) {
      observer(context, caller)
    }
  }
}
