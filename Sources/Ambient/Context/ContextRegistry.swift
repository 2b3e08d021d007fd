public import Synchronization

/// All contexts of the process, in the order of their first use.
@usableFromInline
enum ContextRegistry {
  private struct State {
    var entries: [ProcessSlot] = []
    /// The number of isolating scopes that have not ended. A context that is registered while the
    /// number is above zero is also marked as isolated.
    var isolations = 0
    var observers: [@Sendable (Int) -> Void] = []
  }

  private static let state = Guarded(State())

  static var entries: [ProcessSlot] { state.withLock { $0.entries.map(\.self) } }

  /// Registers `entry`, unless the context already has an entry. Returns the registered entry.
  @usableFromInline
  static func register(
    _ word: borrowing Atomic<UInt>, _ entry: ProcessSlot
  ) -> Unmanaged<ProcessSlot> {
    ProcessWarnings.check()
    return state.withLock { state in
      if let known = UnsafeRawPointer(bitPattern: word.load(ordering: .acquiring)) {
        return .fromOpaque(known)
      }
      state.entries.append(entry)
      if state.isolations > 0 { entry.setIsolated(true) }
      word.store(
        UInt(bitPattern: Unmanaged.passUnretained(entry).toOpaque()), ordering: .releasing)
      return .passUnretained(entry)
    }
  }

  /// Adds `change` to the number of living isolating scopes; notifies the entries and the observers
  /// when the first scope begins and when the last one ends.
  ///
  /// A new scope is counted before it is bound. All contexts are then marked as isolated, which
  /// makes readers inside the scope search for it.
  static func changeIsolations(by change: Int) {
    state.withLock { state in
      state.isolations += change
      guard state.isolations == max(change, 0) else { return }
      for entry in state.entries { entry.setIsolated(change > 0) }
      for observer in state.observers { observer(change) }
    }
  }

  /// Calls `observer` with 1 when the first isolating scope begins, and with −1 when the last
  /// isolating scope has ended. If an isolating scope is open now, calls it with 1 at once.
  ///
  /// `LogGate` is such an observer. While an isolating scope exists, `LogGate` lets the levels of
  /// the default log pass, because a read in the scope may find that log. The observer runs under a
  /// lock, so that it gets the changes in order. The program's code must not run under that lock,
  /// so only this package's code may observe.
  static func observeIsolations(_ observer: @escaping @Sendable (Int) -> Void) {
    state.withLock { state in
      if state.isolations > 0 { observer(1) }
      state.observers.append(observer)
    }
  }
}
