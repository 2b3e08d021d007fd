#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension LineBuffer {
  /// Appends the instant in ISO 8601 to the microsecond, with `Z` or an offset as `+01:00`.
  @inline(__always)
  mutating func append(timestamp date: Date, _ offset: borrowing ZoneOffset) {
    let ahead = offset.isUTC ? 0 : offset.seconds(at: date)
    append(capacity: ISO8601Writer.capacity) { bytes in
      LogThread.withCurrent { $0.second(of: date, ahead: ahead).write(date, to: bytes) }
      bytes[26] = UInt8(ascii: "Z")
      return offset.isUTC ? 27 : 26
    }
    if !offset.isUTC { append(ahead: ahead) }
  }

  @inline(never)
  private mutating func append(ahead seconds: Int) {
    append(seconds < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+"))
    // ISO 8601 has no seconds in an offset; the zones of today have none either.
    let minutes = UInt64(seconds.magnitude) / 60
    append(magnitude: minutes / 60, radix: 10, minDigits: 2)
    append(UInt8(ascii: ":"))
    append(magnitude: minutes % 60, radix: 10, minDigits: 2)
  }
}
