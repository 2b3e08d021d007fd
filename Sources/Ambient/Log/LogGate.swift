public import CAmbient
internal import Synchronization

/// The lowest level that any installed log accepts for any module. A log is installed in the
/// process or in a slot of a scope.
///
/// A call that logs below this level costs one atomic load. A scope's log stays installed until the
/// slot that contains it is freed. The slot may outlive the block of the scope, because a task that
/// outlives the block still logs to the scope's log. As long as an isolating scope exists, the
/// default log counts as installed, because a read in an isolating scope may find it.
@usableFromInline
enum LogGate {
  private struct State {
    /// For each rank, the number of installations of the logs whose lowest accepted rank it is.
    var installations = [Int](repeating: 0, count: 8)
    /// The number of reasons why a read may find the default log. One reason is that the process
    /// has no instance yet; the other is that an isolating scope exists.
    var defaults = 1
    var isOpen = false
  }

  private static let state = Guarded(State())
  private static let isOpen = Atomic<Bool>(false)

  /// Whether any log may accept the level.
  @inlinable @inline(__always)
  static func passes(_ level: LogLevel) -> Bool { level.rank >= ambient_log_gate_load() }

  /// Publishes the lowest level. Called before the first record is logged; until this call, all
  /// levels pass.
  @inline(__always)
  static func open() {
    if !isOpen.load(ordering: .relaxed) { openNow() }
  }

  /// Adds `change` to the number of reasons for which a read may find the default log; see
  /// `State.defaults`.
  static func adjustDefaults(by change: Int) {
    state.withLock { state in
      state.defaults += change
      publish(state)
    }
  }

  /// Adds `change`, which is 1 or −1, to the number of installations of a log. Returns true if the
  /// log gets its first installation or loses its last one.
  static func add(
    _ change: Int, to installations: borrowing Installations, ofProcess: Bool,
    of filter: borrowing LiveLogLevels
  ) -> Bool {
    state.withLock { state in
      state.installations[Int(filter.lowestRank)] += change
      publish(state)
      return installations.add(change, ofProcess: ofProcess)
    }
  }

  /// Changes the levels of a log, and moves the count of the log's installations from the old
  /// lowest rank to the new one.
  static func set(
    _ levels: LogLevels, of filter: borrowing LiveLogLevels,
    _ installations: borrowing Installations
  ) {
    state.withLock { state in
      let count = installations.count
      state.installations[Int(filter.lowestRank)] -= count
      filter.set(levels)
      state.installations[Int(filter.lowestRank)] += count
      publish(state)
    }
  }

  @inline(never)
  private static func openNow() {
    guard !isOpen.exchange(true, ordering: .relaxed) else { return }
    state.withLock { state in
      state.isOpen = true
      publish(state)
    }
    LogEnvironment.report()
  }

  /// Publishes the lowest level. Called with the lock held, so that the published level agrees with
  /// the counts.
  private static func publish(_ state: State) {
    guard state.isOpen else { return }
    var lowest = state.installations.firstIndex { $0 > 0 } ?? 7
    if state.defaults > 0 { lowest = min(lowest, Int(LogEnvironment.levels.lowestRank)) }
    ambient_log_gate_store(UInt8(lowest))
  }
}
