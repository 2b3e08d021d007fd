// SPDX-License-Identifier: Apache-2.0

/// Reads UTF-8 that may be invalid.
enum UTF8Reader {
  /// The scalar of two to four bytes that begins at the offset `place`, and its length; nil for
  /// invalid bytes.
  ///
  /// Source of the ranges: The Unicode Standard, table 3-7, well-formed UTF-8 byte sequences.
  static func scalar(
    _ bytes: UnsafeRawBufferPointer, at place: Int
  ) -> (scalar: UInt32, length: Int)? {
    let first = bytes[place]
    let length: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch first {
    case 0xC2...0xDF: length = 2
    case 0xE0...0xEF:
      length = 3
      if first == 0xE0 { second = 0xA0...0xBF }
      if first == 0xED { second = 0x80...0x9F }
    case 0xF0...0xF4:
      length = 4
      if first == 0xF0 { second = 0x90...0xBF }
      if first == 0xF4 { second = 0x80...0x8F }
    default: return nil
    }
    guard place + length <= bytes.count, second.contains(bytes[place + 1]) else { return nil }
    var scalar = UInt32(first) & (0x7F >> UInt32(length))
    for offset in 1..<length {
      let byte = bytes[place + offset]
      guard 0x80...0xBF ~= byte else { return nil }
      scalar = scalar << 6 | UInt32(byte & 0x3F)
    }
    return (scalar, length)
  }
}
