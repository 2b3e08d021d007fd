// SPDX-License-Identifier: Apache-2.0

/// Copies short texts inline, because a call of the C library would take longer than the copy.
enum ShortCopy {
  /// Copies the bytes and returns where they end.
  @inline(__always) @discardableResult
  static func copy(
    _ source: UnsafeRawBufferPointer, to target: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer {
    // Valid: the caller has made room.
    if let start = source.baseAddress { copy(start, to: target, source.count) }
    return target + source.count
  }

  /// Copies `count` bytes between buffers that do not overlap.
  @inline(__always)
  static func copy(
    _ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer, _ count: Int
  ) {
    // The last word ends at the last byte, so it may overlap the word before it. The overlap is
    // copied twice, so that the remaining bytes need no loop of their own.
    if count >= 16 {
      var place = 0
      while place &+ 16 < count {
        word(SIMD16<UInt8>.self, source, target, place)
        place &+= 16
      }
      word(SIMD16<UInt8>.self, source, target, count &- 16)
    } else if count >= 8 {
      word(UInt64.self, source, target, 0)
      word(UInt64.self, source, target, count &- 8)
    } else if count >= 4 {
      word(UInt32.self, source, target, 0)
      word(UInt32.self, source, target, count &- 4)
    } else if count > 0 {
      word(UInt8.self, source, target, 0)
      word(UInt8.self, source, target, count / 2)
      word(UInt8.self, source, target, count &- 1)
    }
  }

  @inline(__always)
  private static func word<Word: BitwiseCopyable>(
    _: Word.Type, _ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer, _ place: Int
  ) {
    target.storeBytes(
      of: source.loadUnaligned(fromByteOffset: place, as: Word.self), toByteOffset: place,
      as: Word.self)
  }
}
