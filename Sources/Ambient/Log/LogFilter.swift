import Synchronization

/// The levels of one log, which may change while others log.
struct LogFilter: ~Copyable, Sendable {
  private let lowest: Atomic<UInt8>
  private let highest: Atomic<UInt8>
  private let current: Guarded<LogLevels>
  /// Whether somebody else must be asked, too.
  private let asks: Bool

  init(_ levels: LogLevels, asks: Bool = false) {
    lowest = Atomic(levels.lowestRank)
    highest = Atomic(levels.highestRank)
    current = Guarded(levels)
    self.asks = asks
  }

  var levels: LogLevels { current.withLock { $0 } }

  /// Every rank below is accepted nowhere.
  var lowestRank: UInt8 { lowest.load(ordering: .relaxed) }

  /// Callers take turns (``LogGate``): another change must not come in between.
  func set(_ levels: LogLevels) {
    current.withLock { $0 = levels }
    lowest.store(levels.lowestRank, ordering: .relaxed)
    highest.store(levels.highestRank, ordering: .relaxed)
  }

  /// Whether the rank is accepted whatever the module, and nobody else is to be asked.
  @inline(__always)
  func acceptsAll(_ rank: UInt8) -> Bool {
    !asks && rank >= highest.load(ordering: .relaxed)
  }

  /// Only between the two bounds does the module decide.
  @inline(__always)
  func accepts(_ rank: UInt8, fileID: String) -> Bool {
    if rank < lowest.load(ordering: .relaxed) { return false }
    if rank >= highest.load(ordering: .relaxed) { return true }
    return current.withLock { rank >= $0.rank(fileID: fileID) }
  }
}
