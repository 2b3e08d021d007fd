// SPDX-License-Identifier: Apache-2.0

internal import AmbientSystem

/// A UUID as two integers, because the compiler moves a `uuid_t`, a tuple of sixteen bytes, one
/// byte at a time.
package struct UUIDWords: Sendable {
  /// The first eight bytes, big-endian.
  let high: UInt64
  /// The last eight bytes, big-endian.
  let low: UInt64
}

extension UUIDWords {
  init(_ identity: UUID) {
    // Valid: `uuid_t` and a pair of `UInt64` both have sixteen bytes without padding.
    let words = unsafeBitCast(identity.uuid, to: (UInt64, UInt64).self)
    self.init(high: words.0.bigEndian, low: words.1.bigEndian)
  }
}

extension UUID {
  init(_ words: UUIDWords) {
    // Valid: a pair of `UInt64` and `uuid_t` both have sixteen bytes without padding.
    self.init(
      uuid: unsafeBitCast((words.high.bigEndian, words.low.bigEndian), to: uuid_t.self))
  }
}

/// Methods that append UUIDs as text. `uuidString` formats with the C library and makes a string,
/// and so takes ten times as long as copying a whole line.
extension LineBuffer {
  /// Appends the 36 characters of `uuidString`.
  package mutating func append(_ identity: UUIDWords) {
    append(capacity: 40) { target in
      guard let start = target.baseAddress else { return 0 }
      let (first, second) = (Self.digits(identity.high >> 32), Self.digits(identity.high))
      let (third, fourth) = (Self.digits(identity.low >> 32), Self.digits(identity.low))
      // Valid: all stores lie within 36 bytes, and `capacity` is 40. The stores must keep this
      // order, because the hyphens overwrite bytes of the eight-byte stores.
      start.storeBytes(of: first, as: UInt64.self)
      start.storeBytes(of: second, toByteOffset: 9, as: UInt64.self)
      start.storeBytes(
        of: UInt32(truncatingIfNeeded: second >> 32), toByteOffset: 14, as: UInt32.self)
      start.storeBytes(of: UInt32(truncatingIfNeeded: third), toByteOffset: 19, as: UInt32.self)
      start.storeBytes(
        of: UInt32(truncatingIfNeeded: third >> 32), toByteOffset: 24, as: UInt32.self)
      start.storeBytes(of: fourth, toByteOffset: 28, as: UInt64.self)
      for place in stride(from: 8, through: 23, by: 5) {
        start.storeBytes(of: UInt8(ascii: "-"), toByteOffset: place, as: UInt8.self)
      }
      return 36
    }
  }

  /// The eight hexadecimal digits of the lower half of `number`, with the first digit in the lowest
  /// byte.
  ///
  /// The shifts spread each group of four bits into a byte of its own. Additions then turn all
  /// eight bytes into digits at once.
  private static func digits(_ number: UInt64) -> UInt64 {
    var spread = number & 0xFFFF_FFFF
    spread = (spread << 16 | spread) & 0x0000_FFFF_0000_FFFF
    spread = (spread << 8 | spread) & 0x00FF_00FF_00FF_00FF
    spread = (spread << 4 | spread) & 0x0F0F_0F0F_0F0F_0F0F
    let isLetter = (spread &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
    return (spread &+ 0x3030_3030_3030_3030 &+ isLetter &* 7).byteSwapped.littleEndian
  }
}
