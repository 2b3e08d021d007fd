// SPDX-License-Identifier: Apache-2.0

internal import AmbientSystem

/// Writes instants as ISO 8601 text into the caller's memory, without allocating.
enum ISO8601Writer {
  /// The number of bytes of the longest text: a date, a time, nine digits of a fraction and `Z`.
  static let capacity = 30

  /// Writes `date` in UTC and returns the count of bytes. The buffer must have at least
  /// ``capacity`` bytes.
  ///
  /// A year outside 0001 to 9999 has no text of this form. For such a date, the nearest instant
  /// that has a text is written; for NaN, the first such instant.
  static func write(
    _ date: Date, fractionDigits: Int, to buffer: UnsafeMutableRawBufferPointer
  ) -> Int {
    precondition(buffer.count >= capacity, "a buffer for ISO 8601 text has \(capacity) bytes")
    let (second, start) = second(of: date)
    write(second: second, to: buffer)
    let count = putFraction(
      date.timeIntervalSinceReferenceDate - start, Date.tolerance(after: start),
      min(max(fractionDigits, 0), 9), buffer)
    buffer[count] = UInt8(ascii: "Z")
    return count + 1
  }

  /// Writes the date and the time of the second with that number, as 19 bytes. The seconds are
  /// numbered from the start of 0001-01-01.
  @inline(__always)
  static func write(second number: UInt, to buffer: UnsafeMutableRawBufferPointer) {
    let (day, second) = number.quotientAndRemainder(dividingBy: 86_400)
    let civil = CivilDay.known(number: day)
    DigitWriter.putPair(civil.year / 100, buffer, 0)
    DigitWriter.putPair(civil.year % 100, buffer, 2)
    buffer[4] = UInt8(ascii: "-")
    DigitWriter.putPair(civil.month, buffer, 5)
    buffer[7] = UInt8(ascii: "-")
    DigitWriter.putPair(civil.day, buffer, 8)
    buffer[10] = UInt8(ascii: "T")
    DigitWriter.putPair(second / 3_600, buffer, 11)
    buffer[13] = UInt8(ascii: ":")
    DigitWriter.putPair(second / 60 % 60, buffer, 14)
    buffer[16] = UInt8(ascii: ":")
    DigitWriter.putPair(second % 60, buffer, 17)
  }

  /// Returns the second of the date on a clock that is `ahead` seconds ahead of UTC, and the start
  /// of the second.
  ///
  /// The number of the second counts from 0001-01-01, so it is never negative, which makes the
  /// divisions cheap. The start is in seconds since 2001, in UTC.
  @inline(__always)
  static func second(of date: Date, ahead: Int = 0) -> (number: UInt, start: Double) {
    let whole = floor(clamped(date.timeIntervalSinceReferenceDate))
    let last = secondsTo2001 + 252_423_993_599
    let number = min(max(whole &+ ahead &+ secondsTo2001, 0), last)
    return (UInt(bitPattern: number), Double(whole))
  }

  /// The number of seconds from 0001-01-01 to 2001-01-01, which is the origin of `Date`.
  private static var secondsTo2001: Int { 63_113_904_000 }

  /// Whether the date lies in the years 0001 to 9999, which can be written.
  static func canShow(_ date: Date) -> Bool {
    let interval = date.timeIntervalSinceReferenceDate
    return interval >= -63_113_904_000 && interval < 252_423_993_600
  }

  private static func clamped(_ interval: Double) -> Double {
    let first = -63_113_904_000.0
    // NaN is not greater than any number, so the result for NaN is the lower bound.
    return interval > first ? min(interval, 252_423_993_600.0.nextDown) : first
  }

  /// The interval, rounded down to whole seconds. A call of the C library's `floor` would take as
  /// long as the rest of the writing.
  static func floor(_ interval: Double) -> Int {
    let towardZero = Int(interval)
    return Double(towardZero) > interval ? towardZero &- 1 : towardZero
  }

  /// Writes `.` and the first `digits` digits of the fraction, or nothing for zero digits; returns
  /// the end of the text.
  ///
  /// For up to six digits, `tolerance`, a number of microseconds, is added to the fraction before
  /// further digits are cut off, because a `Date` may lie slightly before the instant that it
  /// represents. For seven to nine digits, nothing is added: the digits are those of the double.
  /// The fraction is clamped, because it may lie outside 0 to 1 for a date outside the years 0001
  /// to 9999.
  @inline(__always)
  static func putFraction(
    _ fraction: Double, _ tolerance: Double, _ digits: Int,
    _ buffer: UnsafeMutableRawBufferPointer
  ) -> Int {
    guard digits > 0 else { return 19 }
    buffer[19] = UInt8(ascii: ".")
    let scale = scale(digits)
    let shown = digits <= 6 ? fraction * scale + tolerance * (scale * 1e-6) : fraction * scale
    // `shown` is limited to `scale - 1`, the greatest number of `digits` digits. If the fraction is
    // just below 1, the sum or the product may be rounded up to `scale`.
    var rest = UInt(bitPattern: Int(fraction > 0 ? min(shown, scale - 1) : 0))
    var left = digits
    while left >= 2 {
      left &-= 2
      let (pairs, pair) = rest.quotientAndRemainder(dividingBy: 100)
      DigitWriter.putPair(pair, buffer, 20 &+ left)
      rest = pairs
    }
    if left == 1 { buffer[20] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest) }
    return 20 &+ digits
  }

  /// Ten to the power of `digits`, which must be 0 to 9.
  static func scale(_ digits: Int) -> Double {
    switch digits {
    case 0: 1
    case 1: 1e1
    case 2: 1e2
    case 3: 1e3
    case 4: 1e4
    case 5: 1e5
    case 6: 1e6
    case 7: 1e7
    case 8: 1e8
    default: 1e9
    }
  }
}

/// The text of a second, such as `2026-11-27T05:00:00`, reused for other instants in that second.
struct SecondText {
  /// The start of the second, in seconds since 2001.
  private let start: Double
  /// The number of microseconds that are added to a date in this second before its fraction is cut
  /// off, because a `Date` may lie slightly before the instant that it represents.
  private let tolerance: Double
  /// The seconds by which the text's clock is ahead of UTC.
  private let ahead: Int
  /// The 19 bytes of the text, and an unused one. They are held in integers, because a string or an
  /// array would allocate memory.
  private var text: (UInt64, UInt64, UInt32) = (0, 0, 0)

  /// Creates the text of the date's second, on a clock that is `ahead` seconds ahead of UTC.
  @inline(never)
  init(_ date: Date, ahead: Int) {
    let (second, whole) = ISO8601Writer.second(of: date, ahead: ahead)
    start = whole
    tolerance = Date.tolerance(after: whole)
    self.ahead = ahead
    withUnsafeMutableBytes(of: &text) { ISO8601Writer.write(second: second, to: $0) }
  }

  /// Whether this is the text of the date's second, on a clock that is `ahead` seconds ahead of
  /// UTC.
  @inline(__always)
  func holds(_ date: Date, ahead: Int) -> Bool {
    let fraction = date.timeIntervalSinceReferenceDate - start
    return fraction >= 0 && fraction < 1 && ahead == self.ahead
  }

  /// Writes the text of the second to the start of `bytes`, then `.` and `fractionDigits` digits of
  /// the date's fraction.
  @inline(__always)
  func write(_ date: Date, fractionDigits: Int, to bytes: UnsafeMutableRawBufferPointer) {
    bytes.storeBytes(of: text.0, toByteOffset: 0, as: UInt64.self)
    bytes.storeBytes(of: text.1, toByteOffset: 8, as: UInt64.self)
    bytes.storeBytes(of: text.2, toByteOffset: 16, as: UInt32.self)
    _ = ISO8601Writer.putFraction(
      date.timeIntervalSinceReferenceDate - start, tolerance, fractionDigits, bytes)
  }
}
