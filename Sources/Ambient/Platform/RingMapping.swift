// SPDX-License-Identifier: Apache-2.0

internal import CAmbient

/// Maps files into memory: the header of a file, and after it the file's ring twice in a row. A
/// frame that wraps around the ring's end is thus contiguous in memory.
enum RingMapping {
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
      ambient_ring_unmap(mapping)
      throw .busy
    }
    (mapping.pointee.device, mapping.pointee.file) = (file.identity.device, file.identity.file)
    return mapping
  }
}
