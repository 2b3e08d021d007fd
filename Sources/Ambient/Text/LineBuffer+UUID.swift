#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Identities as text. `uuidString` formats by the C library, and makes a string: ten times as long
/// as the copy of a line.
extension LineBuffer {
  /// Appends the 36 characters of `uuidString`.
  mutating func append(_ identity: UUID) {
    append(capacity: 40) { target in
      guard let start = target.baseAddress else { return 0 }
      let words = withUnsafeBytes(of: identity.uuid) { bytes in
        // Valid: it has sixteen bytes.
        (
          bytes.load(as: UInt64.self).bigEndian,
          bytes.load(fromByteOffset: 8, as: UInt64.self).bigEndian
        )
      }
      let (first, second) = (Self.digits(words.0 >> 32), Self.digits(words.0))
      let (third, fourth) = (Self.digits(words.1 >> 32), Self.digits(words.1))
      // Valid: all of it lies in 36 bytes. In this order, since a hyphen takes the place of what a
      // store of eight bytes has put there.
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

  /// The eight hexadecimal digits of the lower half, the first in the lowest byte: each four bits
  /// are moved to a byte of their own, to all of which the same is added.
  private static func digits(_ number: UInt64) -> UInt64 {
    var spread = number & 0xFFFF_FFFF
    spread = (spread << 16 | spread) & 0x0000_FFFF_0000_FFFF
    spread = (spread << 8 | spread) & 0x00FF_00FF_00FF_00FF
    spread = (spread << 4 | spread) & 0x0F0F_0F0F_0F0F_0F0F
    let isLetter = (spread &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
    return (spread &+ 0x3030_3030_3030_3030 &+ isLetter &* 7).byteSwapped.littleEndian
  }
}
