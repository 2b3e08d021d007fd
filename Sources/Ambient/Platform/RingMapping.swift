internal import CAmbient

/// Maps files into memory: the header of a file, and after it the file's ring twice in a row. A
/// frame that wraps around the ring's end is thus contiguous in memory.
enum RingMapping {
  /// Held while a file is unmapped, and while `whileAllStay` runs its body. The body may read all
  /// mapped files, so it would crash the program if a file were unmapped meanwhile.
  private static let turn = Guarded(())

  /// Maps a file of `headerSize + capacity` bytes.
  static func map(
    _ file: FileDescriptor, headerSize: Int, capacity: Int
  ) throws(SystemError) -> UnsafeMutablePointer<ambient_mapping> {
    guard let mapping = ambient_ring_map(file.number, headerSize, capacity) else {
      throw SystemError.latest
    }
    return mapping
  }

  /// Unmaps a file.
  static func unmap(_ mapping: UnsafeMutablePointer<ambient_mapping>) {
    // The address is passed to the closure as an integer, because a pointer is not `Sendable`. The
    // address is valid in the closure, because an `ambient_mapping` is never freed.
    let address = UInt(bitPattern: mapping)
    turn.withLock { _ in ambient_ring_unmap(UnsafeMutablePointer(bitPattern: address)) }
  }

  /// Calls `body` with the lock held, so that no file is unmapped until `body` returns.
  static func whileAllStay<R: Sendable>(_ body: () -> R) -> R { turn.withLock { _ in body() } }
}
