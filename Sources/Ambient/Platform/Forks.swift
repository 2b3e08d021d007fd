// SPDX-License-Identifier: Apache-2.0

public import CAmbient

/// Counts forks, so that an object can tell whether the process that uses it is a fork of the
/// process that created it.
@usableFromInline package enum Forks {
  /// The number of forks between the first process that read `count` and this process, its
  /// descendant; zero in that first process.
  @usableFromInline
  package static var count: UInt32 {
    _ = isWatched
    return ambient_forks()
  }

  /// The same number as `count`, by a single load. The first read of `count` installs the handler
  /// that counts forks, so this number is valid only after that.
  @inlinable @inline(__always)
  package static var known: UInt32 { ambient_forks() }

  private static let isWatched: Void = ambient_watch_forks()
}
