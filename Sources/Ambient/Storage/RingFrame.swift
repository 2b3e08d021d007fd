internal import CAmbient

/// The head of a frame in a ``MappedRing``; a record or a line follows the head. In C, this is
/// `struct ambient_frame`.
typealias RingFrame = ambient_frame

extension ambient_frame {
  /// The head's size in bytes; frames begin at multiples of eight.
  static let headSize = MemoryLayout<ambient_frame>.size
  static let alignment = 8

  /// The length of the longest record that the format allows.
  static let longest = Int(ambient_void) - 1

  /// The number of bytes that a record takes with its frame.
  @inline(__always)
  static func size(of length: Int) -> Int { ambient_frame_size(length) }

  /// The length of the record in bytes.
  var byteCount: Int { Int(length & ~ambient_void) }

  /// The size of the frame in bytes, with its record.
  var size: Int { Self.size(of: byteCount) }

  /// Whether the record was replaced by zeros, because it was erased, dropped or damaged.
  var isEmpty: Bool { length & ambient_void != 0 }
}
