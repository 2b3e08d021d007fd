#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension LineBuffer {
  /// Appends the instant in ISO 8601 to the microsecond, with `Z` or an offset as `+01:00`.
  mutating func append(timestamp date: Date, _ offset: borrowing ZoneOffset) {
    if offset.isUTC { return append(date: date, fractionDigits: 6) }
    let seconds = offset.seconds(at: date)
    append(date: date.addingTimeInterval(Double(seconds)), fractionDigits: 6)
    truncate(to: count - 1)  // the Z
    append(seconds < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+"))
    // ISO 8601 has no seconds in an offset; the zones of today have none either.
    let minutes = UInt64(seconds.magnitude) / 60
    append(magnitude: minutes / 60, radix: 10, minDigits: 2)
    append(UInt8(ascii: ":"))
    append(magnitude: minutes % 60, radix: 10, minDigits: 2)
  }
}
