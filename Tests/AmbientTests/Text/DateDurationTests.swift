// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Ambient

@Suite struct `Date and duration conversions` {
  private static let second = "2026-11-27T00:00:00"

  @Test func `a date parsed from text equals the date computed by adding milliseconds`() throws {
    let whole = try Date(iso8601: "\(Self.second)Z").sinceReferenceDate
    for millisecond in 0..<1_000 {
      let read = try Date(iso8601: "\(Self.second).\(digits(millisecond, 3))Z")
      let counted = whole + .milliseconds(millisecond)
      #expect(Date(sinceReferenceDate: counted) == read)
      #expect(read.sinceReferenceDate == counted)
    }
  }

  @Test func `any microsecond from 1970 to 2100 survives the conversion to a date and to text`()
    throws
  {
    var generator = SystemRandomNumberGenerator()
    var wrong: [Int64] = []
    for _ in 0..<100_000 {
      // 1970-01-01 and 2100-01-01, in seconds since 2001.
      let count = Int64.random(
        in: -978_307_200_000_000..<3_124_224_000_000_000, using: &generator)
      let counted = Duration.microseconds(count)
      let date = Date(sinceReferenceDate: counted)
      let text = date.iso8601(fractionDigits: 6)
      let fraction = ((count % 1_000_000) + 1_000_000) % 1_000_000
      if date.sinceReferenceDate != counted || !text.hasSuffix(".\(digits(Int(fraction), 6))Z")
        || (try? Date(iso8601: text)) != date
      {
        wrong.append(count)
      }
    }
    #expect(wrong.isEmpty)
  }

  @Test func `a date that is converted to a duration and back stays the same`() {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<10_000 {
      let date = Date(
        timeIntervalSinceReferenceDate: .random(in: -1e9..<3e9, using: &generator))
      #expect(Date(sinceReferenceDate: date.sinceReferenceDate) == date)
    }
  }

  @Test(arguments: [1, 59, 1_050, 999_999_999, -1, -999_999_999])
  func `a duration that is converted to a date and back changes by less than a microsecond`(
    nanoseconds: Int
  ) {
    let counted = Duration.seconds(800_000_000) + .nanoseconds(nanoseconds)
    let date = Date(sinceReferenceDate: counted)
    let back = date.sinceReferenceDate
    #expect(Date(sinceReferenceDate: back) == date)
    #expect(back > counted - .microseconds(1) && back < counted + .microseconds(1))
  }

  @Test func `a date too distant for exact microseconds is converted to whole milliseconds`() throws
  {
    for millisecond in 0..<1_000 {
      let read = try Date(iso8601: "2300-01-01T00:00:00.\(digits(millisecond, 3))Z")
      #expect(read.sinceReferenceDate.attoseconds % 1_000_000_000_000_000 == 0)
      #expect(read.iso8601().hasSuffix("\(digits(millisecond, 3))Z"))
    }
  }

  @Test func `a date computed from fractional seconds equals the date parsed from its text`() throws
  {
    let formatter = ISO8601DateFormatter()
    formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
    let start = try Date(iso8601: "\(Self.second)Z")
    for millisecond in 0..<1_000 {
      let text = "\(Self.second).\(digits(millisecond, 3))Z"
      let sum = start + Double(millisecond) / 1_000
      #expect(try sum == Date(iso8601: text))
      #expect(sum.iso8601() == text)
      #expect((start + 0.001 * Double(millisecond)).iso8601() == text)
      #expect(try #require(formatter.date(from: text)).iso8601() == text)
    }
  }

  @Test(arguments: 1970...2100)
  func `a date computed from milliseconds since 1970 is formatted exactly`(year: Int) throws {
    let begin = try Date(iso8601: "\(year)-01-01T00:00:00Z").timeIntervalSince1970
    let seconds = (0..<TestRun.rounds(2, all: 6, full: 20)).map { _ in
      Int.random(in: 0..<365 * 86_400)
    }
    var wrong: [String] = []
    for second in seconds.map({ Int(begin) + $0 }) {
      let prefix = Date(timeIntervalSince1970: Double(second)).iso8601(fractionDigits: 0).dropLast()
      for millisecond in 0..<1_000 {
        let date = Date(timeIntervalSince1970: Double(second * 1_000 + millisecond) / 1_000)
        let text = "\(prefix).\(digits(millisecond, 3))Z"
        if date.iso8601() != text { wrong.append("\(text) as \(date.iso8601())") }
      }
    }
    #expect(wrong.isEmpty, "\(wrong.prefix(3))")
  }

  @Test(arguments: [
    (0, 0), (1, 1), (999_999_999, 1), (1_000_000_000, 1), (1_000_000_001, 2), (-1, 0),
    (-999_999_999, 0), (-1_000_000_000, -1), (-1_000_000_001, -1),
  ])
  func `Duration nanosecondsRoundedUp is the duration rounded up to whole nanoseconds`(
    attoseconds: Int, nanoseconds: Int
  ) {
    let exact = Duration(attoseconds: Int128(attoseconds))
    #expect(exact.nanosecondsRoundedUp == .nanoseconds(nanoseconds))
  }

  @Test func `sums and differences of durations stop at the smallest or largest duration`() {
    let (least, most) = (Duration(attoseconds: .min), Duration(attoseconds: .max))
    let second = Duration.seconds(1)
    #expect(second.plus(second) == .seconds(2) && second.minus(.seconds(3)) == .seconds(-2))
    #expect(most.plus(second) == most && least.plus(.zero - second) == least)
    #expect(least.minus(second) == least && most.minus(.zero - second) == most)
    #expect(Duration.zero.minus(least) == most && second.minus(least) == most)
    #expect(least.plus(most) == Duration(attoseconds: -1) && most.minus(most) == .zero)
    #expect(most.nanosecondsRoundedUp == most)
  }

  @Test func `a scaled duration is rounded to nanoseconds and limited to a trillion seconds`() {
    #expect(Duration.seconds(3).scaled(by: 0.5) == .milliseconds(1_500))
    #expect(Duration.nanoseconds(5).scaled(by: 0.25) == .nanoseconds(1))
    #expect(Duration.nanoseconds(7).scaled(by: 0.25) == .nanoseconds(2))
    #expect(Duration.seconds(-2).scaled(by: 3) == .seconds(-6))
    let most = Duration.seconds(1_000_000_000_000)
    #expect(most.scaled(by: 2) == most && most.scaled(by: -2) == .zero - most)
    #expect(Duration.seconds(1).scaled(by: .nan) == .zero)
    #expect(Date(timeIntervalSinceReferenceDate: .nan).sinceReferenceDate == .zero)
    #expect(Date(timeIntervalSinceReferenceDate: .infinity).sinceReferenceDate == most)
  }

  @Test func `the duration between two dates that are whole microseconds apart is exact`() throws {
    let start = try Date(iso8601: "\(Self.second)Z")
    for microseconds in [0, 1, 3, 999_999, 1_000_000, -1, -250_000] {
      let end = start.advanced(by: .microseconds(microseconds))
      #expect(Duration.sum(from: start, to: end) == .microseconds(microseconds))
    }
    let origin = Date(timeIntervalSinceReferenceDate: 0)
    let later = Date(timeIntervalSinceReferenceDate: 1.5e-9)
    #expect(Duration.sum(from: origin, to: later) == .nanoseconds(2))
  }

  private func digits(_ number: Int, _ count: Int) -> String {
    String(String(number + 10_000_000).suffix(count))
  }
}
