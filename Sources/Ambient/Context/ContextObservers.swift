internal import Synchronization

/// Who hears of uses that a test wants to know of; on the thread of whoever reads, without a lock.
package enum ContextObservers {
  /// Told of a context and who reads it.
  package typealias Observer = @Sendable (_ context: String, _ caller: CallSite) -> Void

  private struct State {
    var observers: [Int: Observer] = [:]
    var last = 0
  }

  private static let state = Guarded(State())
  private static let isWatched = Atomic<Bool>(false)

  /// Hears of defaults that are made in isolating scopes here, though nobody assigned an instance.
  @TaskLocal package static var ofDefaults: Observer?

  /// Calls `observer` whenever somebody reads the process's instance of a context, until
  /// it is removed by the number that is returned.
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

  /// Tells of a read of the process's instance. It is sure to be called only while an isolating
  /// scope is alive, as in the tests that ask.
  static func tellOfProcess(_ context: String) {
    guard isWatched.load(ordering: .relaxed) else { return }
    let caller = CallSite.capture()
    for observer in state.withLock({ $0.observers.values.map(\.self) }) {
      observer(context, caller)
    }
  }
}
