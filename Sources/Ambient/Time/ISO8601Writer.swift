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
  /// written, and the first of them for a date that is no number.
  static func write(
    _ date: Date, fractionDigits: Int, to buffer: UnsafeMutableRawBufferPointer
  ) -> Int {
    precondition(buffer.count >= capacity, "a buffer for ISO 8601 text has \(capacity) bytes")
    let interval = clamped(date.timeIntervalSinceReferenceDate)
    let whole = floor(interval)
    // Days and seconds since 0001-01-01: never negative, which makes the divisions cheap.
    let (day, second) = UInt(bitPattern: whole &+ secondsTo2001)
      .quotientAndRemainder(dividingBy: 86_400)
    let civil = CivilDay.known(number: day)
    put(civil.year / 100, buffer, 0)
    put(civil.year % 100, buffer, 2)
    buffer[4] = UInt8(ascii: "-")
    put(civil.month, buffer, 5)
    buffer[7] = UInt8(ascii: "-")
    put(civil.day, buffer, 8)
    buffer[10] = UInt8(ascii: "T")
    put(second / 3_600, buffer, 11)
    buffer[13] = UInt8(ascii: ":")
    put(second / 60 % 60, buffer, 14)
    buffer[16] = UInt8(ascii: ":")
    put(second % 60, buffer, 17)
    let count = putFraction(interval - Double(whole), min(max(fractionDigits, 0), 9), buffer)
    buffer[count] = UInt8(ascii: "Z")
    return count + 1
  }

  /// Seconds from 0001-01-01 to 2001-01-01, the origin of `Date`.
  private static var secondsTo2001: Int { 63_113_904_000 }

  private static func clamped(_ interval: Double) -> Double {
    let first = -63_113_904_000.0
    // Written so that what is no number comes out as the first instant.
    return interval > first ? min(interval, 252_423_993_600.0.nextDown) : first
  }

  /// The whole seconds before an interval; a call of the C library would take as long as the rest.
  static func floor(_ interval: Double) -> Int {
    let towardZero = Int(interval)
    return Double(towardZero) > interval ? towardZero &- 1 : towardZero
  }

  /// Writes `.` and the digits, cut off, if any are wanted; returns where they end.
  @inline(__always)
  private static func putFraction(
    _ fraction: Double, _ digits: Int, _ buffer: UnsafeMutableRawBufferPointer
  ) -> Int {
    guard digits > 0 else { return 19 }
    buffer[19] = UInt8(ascii: ".")
    let scale = scale(digits)
    // A fraction just under one may become one by the multiplication.
    var rest = UInt(bitPattern: Int(min(fraction * scale, scale - 1)))
    var left = digits
    while left >= 2 {
      left &-= 2
      let (pairs, pair) = rest.quotientAndRemainder(dividingBy: 100)
      put(pair, buffer, 20 &+ left)
      rest = pairs
    }
    if left == 1 { buffer[20] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest) }
    return 20 &+ digits
  }

  /// Ten to the power of `digits`, 0 to 9.
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

  /// Writes two digits of a value under 100.
  @inline(__always)
  private static func put(_ value: UInt, _ buffer: UnsafeMutableRawBufferPointer, _ place: Int) {
    // Valid: the pairs are constants of the program, and there are a hundred.
    let pair = UnsafeRawPointer(pairs.utf8Start)
      .loadUnaligned(fromByteOffset: Int(bitPattern: 2 &* value), as: UInt16.self)
    buffer.storeBytes(of: pair, toByteOffset: place, as: UInt16.self)
  }

  /// 00 to 99: a look-up takes a third of the instructions of a division.
  private static let pairs: StaticString = """
    00010203040506070809101112131415161718192021222324252627282930313233343536373839\
    40414243444546474849505152535455565758596061626364656667686970717273747576777879\
    8081828384858687888990919293949596979899
    """
}
