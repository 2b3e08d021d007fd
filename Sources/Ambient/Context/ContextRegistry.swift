public import Synchronization

/// Every context of the process, in the order of their first use.
@usableFromInline
enum ContextRegistry {
  private struct State {
    var entries: [ContextEntry] = []
    /// How many isolating scopes are alive: they bind contexts that do not exist yet, too.
    var isolations = 0
    var observers: [@Sendable (Int) -> Void] = []
  }

  private static let state = Guarded(State())

  static var entries: [ContextEntry] { state.withLock { $0.entries.map(\.self) } }

  /// Gives the context its entry, once.
  @usableFromInline
  static func register(
    _ word: borrowing Atomic<UInt>, _ entry: ContextEntry
  ) -> Unmanaged<ContextEntry> {
    ProcessState.check()
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

  /// Counts the isolating scopes that are alive; a new one must be counted before it is bound, so
  /// that readers look for it.
  static func changeIsolations(by change: Int) {
    state.withLock { state in
      state.isolations += change
      guard state.isolations == max(change, 0) else { return }
      for entry in state.entries { entry.setIsolated(change > 0) }
      for observer in state.observers { observer(change) }
    }
  }

  /// Calls `observer` with 1 when the first isolating scope begins, where a default may be read,
  /// with −1 when the last has ended, and at once if one is alive.
  ///
  /// It runs under a lock, so that it hears of the changes in their order: it must be ours.
  static func observeIsolations(_ observer: @escaping @Sendable (Int) -> Void) {
    state.withLock { state in
      if state.isolations > 0 { observer(1) }
      state.observers.append(observer)
    }
  }
}
