internal import Synchronization

/// How many isolating scopes are alive, for those who must know that a default may be read.
enum Isolations {
  private struct State {
    var alive = 0
    var observers: [@Sendable (Int) -> Void] = []
  }

  private static let state = Guarded(State())

  /// Calls `observer` with each change, and at once with the number that is alive.
  ///
  /// It runs under a lock, so that it hears of the changes in their order: it must be ours.
  static func observe(_ observer: @escaping @Sendable (Int) -> Void) {
    state.withLock { state in
      observer(state.alive)
      state.observers.append(observer)
    }
  }

  static func change(by change: Int) {
    state.withLock { state in
      state.alive += change
      for observer in state.observers { observer(change) }
    }
  }
}
