#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Date {
  /// The instant that `text` denotes in ISO 8601, as `2026-11-27T00:00:00.25-05:00`.
  ///
  /// A date, `T` (or `t`, or a space), hours and minutes, seconds and a fraction if wanted, then
  /// `Z` or an offset (`+02:00`, `+0200`, `+02`). Years 0001 to 9999. A second of 60 is the first
  /// of the next minute, since a `Date` counts no leap seconds. Digits beyond the nanosecond are
  /// checked and passed over.
  ///
  /// - Throws: ``ISO8601Error``, which says which character is wrong.
  public init(iso8601 text: String) throws(ISO8601Error) {
    var reader = ISO8601Reader(text)
    self = try reader.date()
  }

  /// The instant in ISO 8601, in UTC: `2026-11-27T05:00:00.250Z`.
  ///
  /// - Parameter fractionDigits: 0 to 9 digits of the second; what is beyond is cut off.
  public func iso8601(fractionDigits: Int = 3) -> String {
    String(unsafeUninitializedCapacity: 40) { buffer in
      // Valid: the buffer is the string's own storage, for the time of this closure.
      ISO8601Writer.write(
        self, fractionDigits: fractionDigits, to: UnsafeMutableRawBufferPointer(buffer))
    }
  }
}
