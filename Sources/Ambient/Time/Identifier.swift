#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Makes identifiers that sort by time: UUIDs of version 7 (RFC 9562, section 5.7).
public enum Identifier {
  /// A new identifier, stamped with the caller's ``Time``.
  public static func next() -> UUID { next(at: Time.now) }

  static func next(at date: Date) -> UUID {
    let milliseconds = UInt64(max(date.timeIntervalSince1970 * 1_000, 0))
    let high = UInt64.random(in: .min ... .max)
    let low = UInt64.random(in: .min ... .max)
    let first = milliseconds << 16 | 0x7000 | high & 0x0FFF
    let second = 0x8000_0000_0000_0000 | low & 0x3FFF_FFFF_FFFF_FFFF
    func byte(_ word: UInt64, _ index: Int) -> UInt8 {
      UInt8(truncatingIfNeeded: word >> (56 - 8 * index))
    }
    return UUID(
      uuid: (
        byte(first, 0), byte(first, 1), byte(first, 2), byte(first, 3),
        byte(first, 4), byte(first, 5), byte(first, 6), byte(first, 7),
        byte(second, 0), byte(second, 1), byte(second, 2), byte(second, 3),
        byte(second, 4), byte(second, 5), byte(second, 6), byte(second, 7)
      ))
  }
}
