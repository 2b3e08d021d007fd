internal import CAmbient

/// The head of a frame in a ``MappedRing``, before a record or a line: `struct ambient_frame`.
typealias RingFrame = ambient_frame

extension ambient_frame {
  /// How many bytes it has; frames begin at multiples of eight.
  static let headSize = MemoryLayout<ambient_frame>.size
  static let alignment = 8

  /// The longest record that the format has room for.
  static let longest = Int(ambient_void) - 1

  /// How many bytes a record takes with its frame.
  @inline(__always)
  static func size(of length: Int) -> Int { ambient_frame_size(length) }

  /// How many bytes the record has.
  var byteCount: Int { Int(length & ~ambient_void) }

  /// How many bytes it takes with its record.
  var size: Int { Self.size(of: byteCount) }

  /// Whether zeros stand in the place of the record: it was erased, dropped or damaged.
  var isEmpty: Bool { length & ambient_void != 0 }
}
