internal import CAmbient

/// Maps files into memory: the header of a file, and after it the file's ring twice in a row. A
/// frame that wraps around the ring's end is thus contiguous in memory.
enum RingMapping {
  /// Held while a file is unmapped, and while `whileAllStay` runs its body. The body may read all
  /// mapped files, so it would crash the program if a file were unmapped meanwhile.
  private static let turn = Guarded(())

  /// Maps a file of `headerSize + capacity` bytes.
  ///
  /// - Throws: The system's error; `busy` if the number leads to another file, which other code has
  ///   opened since.
  static func map(
    _ file: OwnedDescriptor, _ headerSize: Int, _ capacity: Int
  ) throws(SystemError) -> UnsafeMutablePointer<ambient_mapping> {
    guard let mapping = ambient_ring_map(file.unchecked.number, headerSize, capacity) else {
      throw SystemError.latest
    }
    // Compared after the file was mapped: otherwise, another file could be mapped in between.
    guard file.condition == .own else {
      unmap(mapping)
      throw .busy
    }
    (mapping.pointee.device, mapping.pointee.file) = (file.identity.device, file.identity.file)
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
