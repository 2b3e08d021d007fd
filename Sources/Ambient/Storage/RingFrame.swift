// SPDX-License-Identifier: Apache-2.0

public import CAmbient

/// The head of a frame in a ``MappedRing``; a record or a line follows the head. In C, this is
/// `struct ambient_frame`.
package typealias RingFrame = ambient_frame

extension ambient_frame {
  /// The head's size in bytes; frames begin at multiples of eight.
  @inlinable package static var headSize: Int { MemoryLayout<ambient_frame>.size }
  static let alignment = 8

  /// The length of the longest record that the format allows.
  package static let longest = Int(ambient_void) - 1

  /// The number of bytes that a record takes with its frame.
  @inlinable @inline(__always)
  package static func size(of length: Int) -> Int { ambient_frame_size(length) }

  /// The length of the record in bytes.
  @inlinable package var byteCount: Int { Int(length & ~ambient_void) }

  /// The size of the frame in bytes, with its record.
  @inlinable package var size: Int { Self.size(of: byteCount) }

  /// Whether the record was replaced by zeros, because it was erased, dropped or damaged.
  @inlinable package var isEmpty: Bool { length & ambient_void != 0 }
}
