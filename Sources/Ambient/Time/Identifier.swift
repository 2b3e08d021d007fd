#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Makes identifiers that sort by time: UUIDs of version 7 (RFC 9562, section 5.7).
///
/// 48 bits are the millisecond of the caller's ``Time``. 32 bits count, so that identifiers that the
/// process makes within a millisecond are in order (the count starts anywhere and wraps around).
/// 42 bits are random: enough to be unique, not a secret to be trusted in.
///
/// Where everything is repeatable (in virtual time), it counts from one, and the rest derives from
/// the seed. Safe to use from any thread, without a lock; takes about as long as reading the time
/// twice.
public enum Identifier {
  /// A new identifier, stamped with the caller's ``Time``.
  public static func next() -> UUID {
    let (date, seeded) = Time.context.withService { ($0.now, $0.seededBits()) }
    return make(at: date, seeded)
  }

  /// A new identifier for something that happened at `date`.
  static func next(at date: Date) -> UUID {
    make(at: date, Time.context.withService { $0.seededBits() })
  }

  private static func make(at date: Date, _ seeded: IdentifierSource.Bits?) -> UUID {
    let bits = seeded ?? IdentifierSource.process.next()
    let first = milliseconds(date) << 16 | 0x7000 | UInt64(bits.number >> 20)
    let second =
      0x8000_0000_0000_0000 | UInt64(bits.number & 0xF_FFFF) << 42 | bits.random & 0x3FF_FFFF_FFFF
    // Valid: both are sixteen bytes without padding; a UUID has its highest byte first.
    return UUID(uuid: unsafeBitCast((first.bigEndian, second.bigEndian), to: uuid_t.self))
  }

  /// Whole milliseconds since 1970, as the text of the date has them, in 48 bits.
  private static func milliseconds(_ date: Date) -> UInt64 {
    // A date far out, or one that is no number, has no place in them.
    let interval = min(max(-978_307_200, date.timeIntervalSinceReferenceDate), 280_496_669_510)
    let whole = ISO8601Writer.floor(interval)
    let milliseconds = Int((interval - Double(whole)) * 1_000)
    return UInt64((whole + 978_307_200) * 1_000 + milliseconds) & 0xFFFF_FFFF_FFFF
  }
}
