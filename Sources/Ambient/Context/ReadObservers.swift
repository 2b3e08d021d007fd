internal import Synchronization

/// Observers of reads that tests want to know of; called on the reading thread, without a lock.
package enum ReadObservers {
  /// Gets the context's name and the reading call.
  package typealias Observer = @Sendable (_ context: String, _ caller: CallSite) -> Void

  private struct State {
    var observers: [Int: Observer] = [:]
    var last = 0
  }

  private static let state = Guarded(State())
  private static let isWatched = Atomic<Bool>(false)

  /// Called when a read in an isolating scope makes a default, since no instance was assigned.
  @TaskLocal package static var ofDefaults: Observer?

  /// Calls `observer` for each observed read of a process's instance, until `remove` gets the
  /// number that this returns.
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

  /// Calls the observers of reads of the process's instance.
  ///
  /// Readers reach this reliably only while an isolating scope is alive, as in the tests that
  /// observe: otherwise a plain read skips it.
  static func tellOfProcess(_ context: String) {
    guard isWatched.load(ordering: .relaxed) else { return }
    let caller = CallSite.capture()
    for observer in state.withLock({ $0.observers.values.map(\.self) }) {
      observer(context, caller)
    }
  }
}
