#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Reads an instant from left to right and knows where it stopped.
struct ISO8601Reader {
  private let text: String
  private let bytes: String.UTF8View
  private var position: String.UTF8View.Index
  private var offset = 0

  init(_ text: String) {
    self.text = text
    bytes = text.utf8
    position = bytes.startIndex
  }

  mutating func date() throws(ISO8601Error) -> Date {
    let year = try number(digits: 4, 1...9999, "a year from 0001 to 9999")
    try skip("-", "“-”")
    let month = try number(digits: 2, 1...12, "a month from 01 to 12")
    try skip("-", "“-”")
    let last = CivilDate.daysIn(month: month, of: year)
    let day = try number(digits: 2, 1...last, "a day from 01 to \(last)")
    try skip("Tt ", "“T” and a time of day")
    let hour = try number(digits: 2, 0...23, "an hour from 00 to 23")
    try skip(":", "“:”")
    let minute = try number(digits: 2, 0...59, "a minute from 00 to 59")
    var second = 0
    var nanoseconds = 0
    if take(":") {
      second = try number(digits: 2, 0...60, "a second from 00 to 60")
      if take(".,") { nanoseconds = try fraction() }
    }
    let zone = try zone()
    guard position == bytes.endIndex else { throw error("the end of the text") }
    let days = CivilDate(year: year, month: month, day: day).daysSince1970
    let seconds = days * 86_400 + hour * 3_600 + minute * 60 + second - zone
    return Date(
      timeIntervalSinceReferenceDate: Double(seconds - 978_307_200) + Double(nanoseconds) / 1e9)
  }

  /// Seconds east of Greenwich.
  private mutating func zone() throws(ISO8601Error) -> Int {
    if take("Zz") { return 0 }
    let negative: Bool
    if take("+") {
      negative = false
    } else if take("-") {
      negative = true
    } else {
      throw error("“Z” or an offset as +02:00")
    }
    let hours = try number(digits: 2, 0...23, "the hours of an offset, 00 to 23")
    var minutes = 0
    if take(":") || position != bytes.endIndex {
      minutes = try number(digits: 2, 0...59, "the minutes of an offset, 00 to 59")
    }
    let seconds = hours * 3_600 + minutes * 60
    return negative ? -seconds : seconds
  }

  private mutating func fraction() throws(ISO8601Error) -> Int {
    var value = try digit("a digit of the second's fraction")
    var count = 1
    while position != bytes.endIndex,
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[position])
    {
      let next = try digit("a digit")
      if count < 9 {
        value = value * 10 + next
        count += 1
      }
    }
    while count < 9 {
      value *= 10
      count += 1
    }
    return value
  }

  private mutating func number(
    digits: Int, _ range: ClosedRange<Int>, _ expected: String
  ) throws(ISO8601Error) -> Int {
    let start = offset
    var value = 0
    for _ in 0..<digits { value = try value * 10 + digit(expected) }
    guard range.contains(value) else {
      throw ISO8601Error(text: text, offset: start, expected: expected)
    }
    return value
  }

  private mutating func digit(_ expected: String) throws(ISO8601Error) -> Int {
    guard position != bytes.endIndex else { throw error(expected) }
    let byte = bytes[position]
    guard isDigit(byte) else { throw error(expected) }
    advance()
    return Int(byte - UInt8(ascii: "0"))
  }

  private func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private mutating func skip(_ accepted: String, _ expected: String) throws(ISO8601Error) {
    guard take(accepted) else { throw error(expected) }
  }

  private mutating func take(_ accepted: String) -> Bool {
    guard position != bytes.endIndex, accepted.utf8.contains(bytes[position]) else { return false }
    advance()
    return true
  }

  private mutating func advance() {
    position = bytes.index(after: position)
    offset += 1
  }

  private func error(_ expected: String) -> ISO8601Error {
    ISO8601Error(text: text, offset: offset, expected: expected)
  }
}
