internal import CAmbient

/// Counts forks of the process that go on without executing another program.
enum Forks {
  /// The number of forks between the process that first read `count` and this process.
  @inline(__always)
  static var count: UInt32 {
    _ = isWatched
    return ambient_forks()
  }

  /// The same number as `count`, by a single load. It does not install the handler, so it is valid
  /// only after `count` was read once.
  @inline(__always)
  static var known: UInt32 { ambient_forks() }

  private static let isWatched: Void = ambient_watch_forks()
}
