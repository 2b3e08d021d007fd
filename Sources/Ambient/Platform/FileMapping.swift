internal import CAmbient

/// Files that are mapped into memory: a header, followed by a ring, twice in a row.
enum FileMapping {
  /// Held while a thread reads all mapped files: one that is unmapped meanwhile would end the
  /// program.
  private static let turn = Guarded(())

  /// Maps the file, which has as many bytes.
  static func map(
    _ file: FileDescriptor, headerSize: Int, capacity: Int
  ) throws(SystemError) -> UnsafeMutablePointer<ambient_mapping> {
    guard let mapping = ambient_ring_map(file.number, headerSize, capacity) else {
      throw SystemError.latest
    }
    return mapping
  }

  /// Unmaps what was mapped.
  static func unmap(_ mapping: UnsafeMutablePointer<ambient_mapping>) {
    // As a number, since a pointer may not go into the lock's block; valid: it is still mapped.
    let address = UInt(bitPattern: mapping)
    turn.withLock { _ in ambient_ring_unmap(UnsafeMutablePointer(bitPattern: address)) }
  }

  /// Calls `body` while no file is unmapped.
  static func whileAllStay<R: Sendable>(_ body: () -> R) -> R { turn.withLock { _ in body() } }
}
