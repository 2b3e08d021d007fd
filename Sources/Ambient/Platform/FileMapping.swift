internal import CAmbient

/// Maps files into memory: first a file's header, then its ring twice in a row.
enum FileMapping {
  /// Held while `whileAllStay` runs its body, which may read all mapped files: unmapping one
  /// meanwhile would crash the program.
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
    // Passed to the closure as an integer, since a pointer is not `Sendable`. Valid: still mapped.
    let address = UInt(bitPattern: mapping)
    turn.withLock { _ in ambient_ring_unmap(UnsafeMutablePointer(bitPattern: address)) }
  }

  /// Calls `body` while no file is being unmapped.
  static func whileAllStay<R: Sendable>(_ body: () -> R) -> R { turn.withLock { _ in body() } }
}
