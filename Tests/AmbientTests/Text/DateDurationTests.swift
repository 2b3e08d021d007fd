import Foundation
import Testing

@testable import Ambient

@Suite struct `A date and a duration` {
  private static let second = "2026-11-27T00:00:00"

  @Test func `that are read and counted are the same, for every millisecond of a second`() throws {
    let whole = try Date(iso8601: "\(Self.second)Z").sinceReferenceDate
    for millisecond in 0..<1_000 {
      let read = try Date(iso8601: "\(Self.second).\(digits(millisecond, 3))Z")
      let counted = whole + .milliseconds(millisecond)
      #expect(Date(sinceReferenceDate: counted) == read)
      #expect(read.sinceReferenceDate == counted)
    }
  }

  @Test func `that are read and counted are the same, for microseconds from 1970 to 2100`() throws {
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

  @Test func `of any precision come back as they were`() {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<10_000 {
      let date = Date(
        timeIntervalSinceReferenceDate: .random(in: -1e9..<3e9, using: &generator))
      #expect(Date(sinceReferenceDate: date.sinceReferenceDate) == date)
    }
  }

  @Test(arguments: [1, 59, 999_999_999, -1, -999_999_999])
  func `are never before what was counted`(nanoseconds: Int) {
    let date = Date(sinceReferenceDate: .seconds(800_000_000) + .nanoseconds(nanoseconds))
    #expect(date.sinceReferenceDate >= .seconds(800_000_000) + .nanoseconds(nanoseconds))
    #expect(
      Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate.nextDown)
        .sinceReferenceDate < .seconds(800_000_000) + .nanoseconds(nanoseconds))
  }

  private func digits(_ number: Int, _ count: Int) -> String {
    String(String(number + 10_000_000).suffix(count))
  }
}
