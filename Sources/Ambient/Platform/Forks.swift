internal import CAmbient

/// Forks of the process that go on without another program.
enum Forks {
  /// How many forks lie between this process and the one that first looked.
  @inline(__always)
  static var count: UInt32 {
    _ = isWatched
    return ambient_forks()
  }

  /// The same, for those who have asked before: one load.
  @inline(__always)
  static var known: UInt32 { ambient_forks() }

  private static let isWatched: Void = ambient_watch_forks()
}
