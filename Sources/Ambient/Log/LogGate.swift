public import CAmbient
internal import Synchronization

/// The lowest level that any log in force accepts for any module: the process's log, or a log of a
/// living scope.
///
/// A call below this level costs one load. A scope's log counts until the scope's slot is freed.
/// That may be after the end of the block, because a task that outlives the block still logs to the
/// scope's log. While an isolating scope lives, the level of the default log counts, too, because a
/// read in such a scope may find the default log.
@usableFromInline
enum LogGate {
  private struct State {
    /// For each rank, the number of places whose log has this lowest accepted rank.
    var places = [Int](repeating: 0, count: 8)
    /// The number of reasons why a read may find the default log: one until the process has an
    /// instance, and one while any isolating scope lives.
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

  /// Adds `change` to the number of reasons why a read may find the default log.
  static func adjustDefaults(by change: Int) {
    state.withLock { state in
      state.defaults += change
      publish(state)
    }
  }

  /// Adds `change` to the number of a log's places; returns whether the log was in force nowhere
  /// before, or is in force nowhere now.
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

  /// Called under the lock, so that the published level agrees with the counts.
  private static func publish(_ state: State) {
    guard state.isOpen else { return }
    var lowest = state.places.firstIndex { $0 > 0 } ?? 7
    if state.defaults > 0 { lowest = min(lowest, Int(LogEnvironment.levels.lowestRank)) }
    ambient_log_gate_store(UInt8(lowest))
  }
}
