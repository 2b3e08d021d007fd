// SPDX-License-Identifier: Apache-2.0

internal import AmbientSystem

/// A reader of instants in ISO 8601. It reads from left to right; its errors contain the offset of
/// the fault.
///
/// The caller keeps the bytes valid while the reader is used.
struct ISO8601Reader {
  /// The error of a malformed instant: the offset of the fault, and the text that was expected
  /// there.
  struct Mistake: Error {
    let offset: Int
    let expected: String
  }

  private let bytes: UnsafeRawBufferPointer
  private var offset = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// Reads the instant, and returns the date nearest to it.
  mutating func date() throws(Mistake) -> Date {
    let year = try number(digits: 4, 1...9999, "a year from 0001 to 9999")
    try skip("-", "“-”")
    let month = try number(digits: 2, 1...12, "a month from 01 to 12")
    try skip("-", "“-”")
    let day = try day(year, month)
    guard take("T") || take("t") || take(" ") else { throw mistake("“T” and a time of day") }
    let hour = try number(digits: 2, 0...23, "an hour from 00 to 23")
    try skip(":", "“:”")
    let minute = try number(digits: 2, 0...59, "a minute from 00 to 59")
    var second = 0
    var fraction = Fraction()
    if take(":") {
      second = try number(digits: 2, 0...60, "a second from 00 to 60")
      if take(".") || take(",") { fraction = try self.fraction() }
    }
    let zoneOffset = offset
    let zone = try zone()
    guard offset == bytes.count else { throw mistake("the end of the text") }
    let days = CivilDate(year: year, month: month, day: day).daysSince1970
    let seconds = days * 86_400 + hour * 3_600 + minute * 60 + second - zone - 978_307_200
    guard (-63_113_904_000..<252_423_993_600).contains(seconds) else {
      throw Mistake(
        offset: zoneOffset, expected: "an instant whose year in UTC is from 0001 to 9999")
    }
    return Date(second: Double(seconds), attoseconds: fraction.attoseconds)
  }

  private mutating func day(_ year: Int, _ month: Int) throws(Mistake) -> Int {
    let start = offset
    let day = try number(digits: 2, 0...99, "a day of two digits")
    let last = CivilDate.daysIn(month: month, of: year)
    guard (1...last).contains(day) else {
      throw Mistake(offset: start, expected: "a day from 01 to \(last)")
    }
    return day
  }

  /// Reads the zone as seconds east of Greenwich.
  private mutating func zone() throws(Mistake) -> Int {
    if take("Z") || take("z") { return 0 }
    let negative = take("-")
    guard negative || take("+") else { throw mistake("“Z” or an offset as +02:00") }
    let hours = try number(digits: 2, 0...23, "the hours of an offset, 00 to 23")
    var minutes = 0
    if take(":") || offset != bytes.count {
      minutes = try number(digits: 2, 0...59, "the minutes of an offset, 00 to 59")
    }
    let seconds = hours * 3_600 + minutes * 60
    return negative ? -seconds : seconds
  }

  private mutating func fraction() throws(Mistake) -> Fraction {
    var fraction = Fraction()
    repeat {
      fraction.append(try digit("a digit of the second's fraction"))
    } while offset < bytes.count && Self.isDigit(bytes[offset])
    return fraction
  }

  private mutating func number(
    digits: Int, _ range: ClosedRange<Int>, _ expected: StaticString
  ) throws(Mistake) -> Int {
    let start = offset
    var value = 0
    for _ in 0..<digits { value = try value * 10 + digit(expected) }
    guard range.contains(value) else {
      throw Mistake(offset: start, expected: "\(expected)")
    }
    return value
  }

  private mutating func digit(_ expected: StaticString) throws(Mistake) -> Int {
    guard offset < bytes.count, Self.isDigit(bytes[offset]) else { throw mistake(expected) }
    defer { offset += 1 }
    return Int(bytes[offset] - UInt8(ascii: "0"))
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private mutating func skip(
    _ accepted: Unicode.Scalar, _ expected: StaticString
  ) throws(Mistake) {
    guard take(accepted) else { throw mistake(expected) }
  }

  private mutating func take(_ accepted: Unicode.Scalar) -> Bool {
    guard offset < bytes.count, bytes[offset] == UInt8(ascii: accepted) else { return false }
    offset += 1
    return true
  }

  private func mistake(_ expected: StaticString) -> Mistake {
    Mistake(offset: offset, expected: "\(expected)")
  }
}

/// A decimal fraction of a second; digits beyond the nanosecond are ignored.
private struct Fraction {
  private var value: Int64 = 0
  /// The place value of the last digit, in attoseconds.
  private var unit: Int64 = 1_000_000_000_000_000_000

  mutating func append(_ digit: Int) {
    guard unit > 1_000_000_000 else { return }
    value = value * 10 + Int64(digit)
    unit /= 10
  }

  var attoseconds: Int64 { value * unit }
}
