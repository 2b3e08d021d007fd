// SPDX-License-Identifier: Apache-2.0

public import Synchronization

/// All contexts of the process, in the order of their first use.
@usableFromInline
enum ContextRegistry {
  private struct State {
    /// Valid for ever, because `register` retains each entry. A loop over references would retain
    /// and release each of them.
    var entries: [Unmanaged<ProcessSlot>] = []
    /// The number of isolating scopes that have not ended. A context that is registered while the
    /// number is above zero is also marked as isolated.
    var isolations = 0
  }

  private static let state = Guarded(State())

  static var entries: [ProcessSlot] {
    state.withLock { $0.entries.map { $0.takeUnretainedValue() } }
  }

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
      state.entries.append(.passRetained(entry))
      if state.isolations > 0 { entry.setIsolated(true) }
      word.store(
        UInt(bitPattern: Unmanaged.passUnretained(entry).toOpaque()), ordering: .releasing)
      return .passUnretained(entry)
    }
  }

  /// Adds `change` to the number of living isolating scopes; notifies the entries when the first
  /// scope begins and when the last one ends.
  ///
  /// A new scope is counted before it is bound. All contexts are then marked as isolated, which
  /// makes readers inside the scope search for it.
  static func changeIsolations(by change: Int) {
    state.withLock { state in
      state.isolations += change
      guard state.isolations == max(change, 0) else { return }
      for entry in state.entries {
        entry._withUnsafeGuaranteedRef { $0.setIsolated(change > 0) }
      }
    }
  }
}
