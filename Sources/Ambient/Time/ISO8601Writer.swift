#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Writes instants as ISO 8601 text into memory of the caller's, without allocating.
enum ISO8601Writer {
  /// The longest text: a date, a time, nine digits of a fraction and `Z`.
  static let capacity = 30

  /// Writes `date` in UTC and returns the count of bytes; the buffer must have ``capacity`` bytes.
  ///
  /// Years outside 0001 to 9999 have no text of this form: the nearest instant that has one is
  /// written.
  static func write(
    _ date: Date, fractionDigits: Int, to buffer: UnsafeMutableRawBufferPointer
  ) -> Int {
    let interval = min(
      max(date.timeIntervalSinceReferenceDate, -63_114_076_800), 252_423_993_599.999)
    let whole = interval.rounded(.down)
    let seconds = Int(whole) + 978_307_200
    let days = Int((Double(seconds) / 86_400).rounded(.down))
    let civil = CivilDate(daysSince1970: days)
    let ofDay = seconds - days * 86_400
    put(civil.year, 4, buffer, 0)
    buffer[4] = UInt8(ascii: "-")
    put(civil.month, 2, buffer, 5)
    buffer[7] = UInt8(ascii: "-")
    put(civil.day, 2, buffer, 8)
    buffer[10] = UInt8(ascii: "T")
    put(ofDay / 3_600, 2, buffer, 11)
    buffer[13] = UInt8(ascii: ":")
    put(ofDay / 60 % 60, 2, buffer, 14)
    buffer[16] = UInt8(ascii: ":")
    put(ofDay % 60, 2, buffer, 17)
    var count = 19
    let digits = min(max(fractionDigits, 0), 9)
    if digits > 0 {
      buffer[19] = UInt8(ascii: ".")
      let scale = [
        1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000,
      ][digits]
      put(min(Int((interval - whole) * Double(scale)), scale - 1), digits, buffer, 20)
      count = 20 + digits
    }
    buffer[count] = UInt8(ascii: "Z")
    return count + 1
  }

  private static func put(
    _ value: Int, _ digits: Int, _ buffer: UnsafeMutableRawBufferPointer, _ start: Int
  ) {
    var rest = value
    for place in stride(from: start + digits - 1, through: start, by: -1) {
      buffer[place] = UInt8(ascii: "0") + UInt8(rest % 10)
      rest /= 10
    }
  }
}
