public import CAmbient
internal import Synchronization

/// The lowest level that any log accepts in any module: the process's log, and those of living
/// scopes.
///
/// A call below this level costs one load. A scope's log counts until the scope's slot is freed,
/// which may be after the block: a task that outlives the block still logs. An isolating scope
/// counts with the default's level as long as it lives.
@usableFromInline
enum LogGate {
  private struct State {
    /// The number of places in which logs are in force, by the lowest rank that each accepts.
    var places = [Int](repeating: 0, count: 8)
    /// The number of places that read the default, or may do so: the process until it has an
    /// instance, and the isolating scopes.
    var defaults = 1
    var isOpen = false
  }

  private static let state = Guarded(State())
  private static let isOpen = Atomic<Bool>(false)

  /// Whether any log may accept the level.
  @inlinable @inline(__always)
  static func passes(_ level: LogLevel) -> Bool { level.rank >= ambient_log_gate_load() }

  /// Publishes the lowest level; called before the first record is logged. Until then, all levels
  /// pass.
  @inline(__always)
  static func open() {
    if !isOpen.load(ordering: .relaxed) { openNow() }
  }

  /// Changes the number of places that read the default, or may do so.
  static func adjustDefaults(by change: Int) {
    state.withLock { state in
      state.defaults += change
      publish(state)
    }
  }

  /// Counts places of a log by its lowest rank; returns whether the log was in force nowhere
  /// before, or is now.
  static func adjust(
    at filter: borrowing LiveLogLevels, _ all: borrowing Atomic<Int>, by change: Int
  ) -> Bool {
    state.withLock { state in
      state.places[Int(filter.lowestRank)] += change
      publish(state)
      let count = all.wrappingAdd(change, ordering: .relaxed)
      return count.oldValue == 0 || count.newValue == 0
    }
  }

  /// Changes a log's levels, and counts its places under the new lowest rank.
  static func set(
    _ levels: LogLevels, of filter: borrowing LiveLogLevels, _ all: borrowing Atomic<Int>
  ) {
    state.withLock { state in
      let places = all.load(ordering: .relaxed)
      state.places[Int(filter.lowestRank)] -= places
      filter.set(levels)
      state.places[Int(filter.lowestRank)] += places
      publish(state)
    }
  }

  @inline(never)
  private static func openNow() {
    guard !isOpen.exchange(true, ordering: .relaxed) else { return }
    ContextRegistry.observeIsolations { change in adjustDefaults(by: change) }
    state.withLock { state in
      state.isOpen = true
      publish(state)
    }
    LogEnvironment.report()
  }

  /// Called under the lock, so that the word and the counts agree.
  private static func publish(_ state: State) {
    guard state.isOpen else { return }
    var lowest = state.places.firstIndex { $0 > 0 } ?? 7
    if state.defaults > 0 { lowest = min(lowest, Int(LogEnvironment.levels.lowestRank)) }
    ambient_log_gate_store(UInt8(lowest))
  }
}
