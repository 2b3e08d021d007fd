internal import CAmbient

/// Maps files into memory: the header of a file, and after it two adjacent mappings of its ring.
enum FileMapping {
  /// Held while `whileAllStay` runs its body, which may read all mapped files: unmapping one
  /// meanwhile would crash the program.
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
    // The address is passed to the closure as an integer, because a pointer is not `Sendable`. It
    // is valid there, because the file is still mapped.
    let address = UInt(bitPattern: mapping)
    turn.withLock { _ in ambient_ring_unmap(UnsafeMutablePointer(bitPattern: address)) }
  }

  /// Calls `body` with the lock held, so that no file is unmapped until `body` returns.
  static func whileAllStay<R: Sendable>(_ body: () -> R) -> R { turn.withLock { _ in body() } }
}
