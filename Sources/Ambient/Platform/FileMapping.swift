internal import CAmbient

/// Maps files into memory: a header, followed by a ring that is mapped twice in a row.
enum FileMapping {
  /// Held while `whileAllStay` runs: unmapping a file that it reads would end the program.
  private static let turn = Guarded(())

  /// Maps the file, whose size is that of header and ring.
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
    // As a number, since a pointer may not enter the lock's block; valid: still mapped.
    let address = UInt(bitPattern: mapping)
    turn.withLock { _ in ambient_ring_unmap(UnsafeMutablePointer(bitPattern: address)) }
  }

  /// Calls `body` while no file is being unmapped.
  static func whileAllStay<R: Sendable>(_ body: () -> R) -> R { turn.withLock { _ in body() } }
}
