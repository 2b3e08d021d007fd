internal import Synchronization

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The time zone of a log's timestamps.
public enum LogZone: Hashable, Sendable {
  /// UTC: `2026-11-27T05:00:00.000000Z`.
  case utc
  /// The zone of the process (`TZ`, or the system's setting); timestamps show its offset.
  case local
  /// A zone that the program supplies; timestamps show its offset.
  case timeZone(TimeZone)
}

/// The offset of a zone, cached for a second: a look-up may read a file.
final class ZoneOffset: Sendable {
  let zone: LogZone
  let isUTC: Bool
  /// The last second looked up, shifted left by `bits`, and below it the offset plus `bias`; zero
  /// if no second was looked up.
  private let cached = Atomic<UInt64>(0)

  init(_ zone: LogZone) {
    self.zone = zone
    isUTC = zone == .utc
  }

  /// The offset at that instant, in seconds east of Greenwich.
  func seconds(at date: Date) -> Int {
    if isUTC { return 0 }
    // Clamped to the years that have a timestamp; NaN fails the comparison and becomes the lower
    // limit.
    let since = date.timeIntervalSince1970
    let interval = since > -63_000_000_000 ? min(since, 254_000_000_000) : -63_000_000_000
    let second = Int(interval.rounded(.down))
    let key = UInt64(truncatingIfNeeded: second) << Self.bits
    let known = cached.load(ordering: .relaxed)
    let mask: UInt64 = (1 << Self.bits) - 1
    if known & ~mask == key, known & mask != 0 { return Int(known & mask) - Self.bias }
    let offset = lookUp(date, second)
    cached.store(key | UInt64(offset + Self.bias), ordering: .relaxed)
    return offset
  }

  private static var bits: UInt64 { 18 }
  /// Greater than any offset, all of which are at most a day: keeps the cached sum positive.
  private static var bias: Int { 100_000 }

  private func lookUp(_ date: Date, _ second: Int) -> Int {
    let offset =
      switch zone {
      case .utc: 0
      case .local: SystemClock.offset(atSecond: second)
      case .timeZone(let zone): zone.secondsFromGMT(for: date)
      }
    return min(max(offset, -86_400), 86_400)
  }
}

extension ZoneOffset: Hashable {
  static func == (left: ZoneOffset, right: ZoneOffset) -> Bool { left.zone == right.zone }

  func hash(into hasher: inout Hasher) { hasher.combine(zone) }
}

extension LineBuffer {
  /// Appends the instant in ISO 8601 to the microsecond, with `Z` or an offset such as `+01:00`.
  @inline(__always)
  mutating func append(timestamp date: Date, _ offset: borrowing ZoneOffset) {
    let ahead = offset.isUTC ? 0 : offset.seconds(at: date)
    append(capacity: ISO8601Writer.capacity) { bytes in
      ThreadMemory.withCurrent {
        $0.second(of: date, ahead: ahead).write(date, fractionDigits: 6, to: bytes)
      }
      bytes[26] = UInt8(ascii: "Z")
      return offset.isUTC ? 27 : 26
    }
    if !offset.isUTC { append(ahead: ahead) }
  }

  @inline(never)
  private mutating func append(ahead seconds: Int) {
    append(seconds < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+"))
    // ISO 8601 has no seconds in an offset, and no current zone has any.
    let minutes = UInt64(seconds.magnitude) / 60
    append(magnitude: minutes / 60, radix: 10, minDigits: 2)
    append(UInt8(ascii: ":"))
    append(magnitude: minutes % 60, radix: 10, minDigits: 2)
  }
}
