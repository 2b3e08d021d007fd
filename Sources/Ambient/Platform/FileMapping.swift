internal import CAmbient

/// Files that are mapped into memory, a header and behind it a ring that is mapped twice in a row.
enum FileMapping {
  /// Kept while whoever reads all mapped files does so: one that goes away meanwhile would end the
  /// program.
  private static let turn = Guarded(())

  /// Maps the file, which has as many bytes.
  static func map(
    _ file: FileDescriptor, headerSize: Int, capacity: Int
  ) throws(SystemError) -> UnsafeMutablePointer<ambient_ring> {
    guard let ring = ambient_ring_map(file.number, headerSize, capacity) else {
      throw SystemError.latest
    }
    return ring
  }

  /// Unmaps what was mapped.
  static func unmap(
    _ ring: UnsafeMutablePointer<ambient_ring>, headerSize: Int, capacity: Int
  ) {
    // As a number, since a pointer may not go into the lock's block; valid: it is still mapped.
    let address = UInt(bitPattern: ring)
    turn.withLock { _ in
      ambient_ring_unmap(
        UnsafeMutablePointer(bitPattern: address), headerSize, capacity)
    }
  }

  /// Calls `body` while no file is unmapped.
  static func whileAllStay<R: Sendable>(_ body: () -> R) -> R { turn.withLock { _ in body() } }
}
