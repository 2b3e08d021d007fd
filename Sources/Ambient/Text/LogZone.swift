// SPDX-License-Identifier: Apache-2.0

public import AmbientSystem

/// The time zone of a log's timestamps, or of the days and hours of a file's rotation.
@nonexhaustive
public enum LogZone: Hashable, Sendable {
  /// UTC: `2026-11-27T05:00:00.000000Z`.
  case utc
  /// The zone of the process (`TZ`, or the system's setting); timestamps show its offset.
  case local
  /// A zone that the program supplies; timestamps show its offset.
  case timeZone(TimeZone)
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
    // The seconds of an offset are left out, because ISO 8601 has no form for them. Only historical
    // offsets have seconds.
    let minutes = UInt64(seconds.magnitude) / 60
    append(magnitude: minutes / 60, radix: 10, minDigits: 2)
    append(UInt8(ascii: ":"))
    append(magnitude: minutes % 60, radix: 10, minDigits: 2)
  }
}
