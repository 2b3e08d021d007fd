// SPDX-License-Identifier: Apache-2.0

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
  /// For each rank, the number of installations of the logs whose lowest accepted rank it is.
  private static let installations = Guarded([Int](repeating: 0, count: 8))
  private static let isOpen = Atomic<Bool>(false)
  /// The number of reasons why a read may find the default log. One reason is that the process has
  /// no instance yet; the other is that an isolating scope exists.
  private static let defaults = Atomic<Int>(1)

  /// Whether any log may accept the level.
  @inlinable @inline(__always)
  static func passes(_ level: LogLevel) -> Bool { level.rank >= ambient_log_gate_load() }

  /// Publishes the lowest level. Called before the first record is logged; until this call, all
  /// levels pass.
  @inline(__always)
  static func open() {
    if !isOpen.load(ordering: .relaxed) { openNow() }
  }

  /// Adds `change` to `defaults`.
  ///
  /// Before the gate is open, this takes no lock, so that a program that does not log opens
  /// isolating scopes without one. Both orderings are sequentially consistent: either this method
  /// sees that the gate is open, or the thread that opens the gate sees the change.
  static func adjustDefaults(by change: Int) {
    defaults.wrappingAdd(change, ordering: .sequentiallyConsistent)
    guard isOpen.load(ordering: .sequentiallyConsistent) else { return }
    installations.withLock { publish($0) }
  }

  /// Adds `change`, which is 1 or −1, to the number of installations of a log. Returns true if the
  /// log gets its first installation or loses its last one.
  static func add(
    _ change: Int, to installations: Installations, ofProcess: Bool,
    of filter: borrowing LiveLogLevels
  ) -> Bool {
    self.installations.withLock { ranks in
      ranks[Int(filter.lowestRank)] += change
      publish(ranks)
      return installations.add(change, ofProcess: ofProcess)
    }
  }

  /// Changes the levels of a log, and moves the count of the log's installations from the old
  /// lowest rank to the new one.
  static func set(
    _ levels: LogLevels, of filter: borrowing LiveLogLevels,
    _ installations: Installations
  ) {
    self.installations.withLock { ranks in
      let count = installations.count
      ranks[Int(filter.lowestRank)] -= count
      filter.set(levels)
      ranks[Int(filter.lowestRank)] += count
      publish(ranks)
    }
  }

  @inline(never)
  private static func openNow() {
    guard !isOpen.exchange(true, ordering: .sequentiallyConsistent) else { return }
    installations.withLock { publish($0) }
    LogEnvironment.report()
  }

  /// Publishes the lowest level, if the gate is open. Called with the lock held, so that the
  /// published level agrees with the counts.
  private static func publish(_ ranks: [Int]) {
    guard isOpen.load(ordering: .sequentiallyConsistent) else { return }
    var lowest = ranks.firstIndex { $0 > 0 } ?? 7
    if defaults.load(ordering: .sequentiallyConsistent) > 0 {
      lowest = min(lowest, Int(LogEnvironment.levels.lowestRank))
    }
    ambient_log_gate_store(UInt8(lowest))
  }
}
