// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// The levels of one log; they can be changed while other threads log.
struct LiveLogLevels: ~Copyable, Sendable {
  private let lowest: Atomic<UInt8>
  private let highest: Atomic<UInt8>
  private let current: Guarded<LogLevels>
  /// True for MultiLog, whose children decide which records are accepted.
  private let asks: Bool

  init(_ levels: LogLevels, asks: Bool = false) {
    lowest = Atomic(levels.lowestRank)
    highest = Atomic(levels.highestRank)
    current = Guarded(levels)
    self.asks = asks
  }

  var levels: LogLevels { current.withLock { $0 } }

  /// The lowest rank that some module accepts.
  var lowestRank: UInt8 { lowest.load(ordering: .relaxed) }

  /// Sets the levels. The caller must hold the lock of ``LogGate``. Without the lock, two
  /// concurrent changes could leave the lower bound of one change and the upper bound of the other
  /// change.
  func set(_ levels: LogLevels) {
    current.withLock { $0 = levels }
    lowest.store(levels.lowestRank, ordering: .relaxed)
    highest.store(levels.highestRank, ordering: .relaxed)
  }

  /// Whether all modules accept the rank; false for MultiLog, whose children must be asked.
  @inline(__always)
  func acceptsAll(_ rank: UInt8) -> Bool {
    !asks && rank >= highest.load(ordering: .relaxed)
  }

  /// Whether the module accepts the rank. The module is looked up only for ranks between `lowest`
  /// and `highest`.
  @inline(__always)
  func accepts(_ rank: UInt8, fileID: String) -> Bool {
    if rank < lowest.load(ordering: .relaxed) { return false }
    if rank >= highest.load(ordering: .relaxed) { return true }
    return current.withLock { rank >= $0.rank(fileID: fileID) }
  }
}
