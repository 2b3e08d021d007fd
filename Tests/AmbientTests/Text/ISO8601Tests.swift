// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Ambient

@Suite struct `ISO 8601 formatting` {
  @Test func `Ambient and Foundation format 100,000 random dates as the same ISO 8601 texts`() {
    let milliseconds = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    let seconds = Date.ISO8601FormatStyle()
    var wrong: [String] = []
    for round in 0..<100_000 {
      let interval =
        switch round % 4 {
        // Any year since 1582-10-15 (Foundation writes dates before it in the Julian calendar), this
        // century, on whole milliseconds, around the origin of Date.
        case 0: Double.random(in: -13_197_600_000..<252_423_993_600)
        case 1: Double.random(in: 0..<3_155_760_000)
        case 2: Double(Int.random(in: -2_000_000_000_000...2_000_000_000_000)) / 1_000
        default: Double.random(in: -100_000...100_000)
        }
      let date = Date(timeIntervalSinceReferenceDate: interval)
      // Foundation cuts off what lies half a microsecond before a millisecond, too.
      let above = Date(
        timeIntervalSinceReferenceDate: max((interval + 5e-7).nextUp, interval.nextUp.nextUp))
      if ![milliseconds.format(date), milliseconds.format(above)].contains(date.iso8601()) {
        wrong.append(date.iso8601())
      }
      if date.iso8601(fractionDigits: 0) != seconds.format(date) {
        wrong.append(date.iso8601(fractionDigits: 0))
      }
    }
    #expect(wrong == [])
  }

  @Test(arguments: [
    (0, "2026-11-27T05:00:00Z"), (1, "2026-11-27T05:00:00.6Z"), (2, "2026-11-27T05:00:00.67Z"),
    (3, "2026-11-27T05:00:00.671Z"), (4, "2026-11-27T05:00:00.6718Z"),
    (5, "2026-11-27T05:00:00.67187Z"), (6, "2026-11-27T05:00:00.671875Z"),
    (7, "2026-11-27T05:00:00.6718750Z"), (8, "2026-11-27T05:00:00.67187500Z"),
    (9, "2026-11-27T05:00:00.671875000Z"), (-1, "2026-11-27T05:00:00Z"),
    (12, "2026-11-27T05:00:00.671875000Z"),
  ])
  func `ISO 8601 formatting truncates digits beyond the requested precision`(
    digits: Int, text: String
  ) {
    let date = Date(timeIntervalSince1970: 1_795_755_600 + 0.671875)
    #expect(date.iso8601(fractionDigits: digits) == text)
  }

  @Test(arguments: [
    (-12_219_379_200, "1582-10-14T00:00:00Z"), (-30_605_167_785, "1000-02-28T12:30:15Z"),
    (-49_539_340_800, "0400-02-29T00:00:00Z"), (-62_135_596_800, "0001-01-01T00:00:00Z"),
  ])
  func `ISO 8601 formatting uses the Gregorian calendar for dates before 1582`(
    seconds: Int, text: String
  )
    throws
  {
    let date = Date(timeIntervalSince1970: Double(seconds))
    #expect(date.iso8601(fractionDigits: 0) == text)
    #expect(try Date(iso8601: text) == date)
  }

  @Test(arguments: [
    (-1e15, "0001-01-01T00:00:00.000Z"), (-.infinity, "0001-01-01T00:00:00.000Z"),
    (.nan, "0001-01-01T00:00:00.000Z"), (1e15, "9999-12-31T23:59:59.999Z"),
    (.infinity, "9999-12-31T23:59:59.999Z"), (252_423_993_600, "9999-12-31T23:59:59.999Z"),
  ])
  func `a date out of range is formatted as the first or last ISO 8601 date`(
    interval: Double, text: String
  ) {
    #expect(Date(timeIntervalSinceReferenceDate: interval).iso8601() == text)
  }

  @Test func `ISO8601Writer writes a date to the caller's memory`() {
    var bytes = [UInt8](repeating: 0, count: 40)
    let count = bytes.withUnsafeMutableBytes {
      ISO8601Writer.write(Date(timeIntervalSince1970: 0), fractionDigits: 6, to: $0)
    }
    #expect(String(decoding: bytes[..<count], as: UTF8.self) == "1970-01-01T00:00:00.000000Z")
    #expect(bytes[count...].allSatisfy { $0 == 0 })
  }

  @Test func `ISO8601Writer traps if the caller's memory is too short for the longest text`() async
  {
    await #expect(processExitsWith: .failure) {
      var bytes = [UInt8](repeating: 0, count: ISO8601Writer.capacity - 1)
      _ = bytes.withUnsafeMutableBytes {
        ISO8601Writer.write(Date(timeIntervalSince1970: 0), fractionDigits: 3, to: $0)
      }
    }
    var bytes = [UInt8](repeating: 0, count: ISO8601Writer.capacity)
    let count = bytes.withUnsafeMutableBytes {
      ISO8601Writer.write(Date(timeIntervalSince1970: 0), fractionDigits: 9, to: $0)
    }
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(count == 30 && text == "1970-01-01T00:00:00.000000000Z")
  }

  @Test func `concurrent ISO 8601 formatting of different days gives the right texts`() async {
    await withTaskGroup(of: Int.self) { group in
      for task in 0..<4 {
        group.addTask {
          var wrong = 0
          for round in 0..<20_000 {
            let day = task * 1_000 + round % 3
            let civil = "2026-01-0\(1 + round % 3)T00:00:00Z"
            let base = Date(timeIntervalSince1970: 1_767_225_600 + Double(round % 3) * 86_400)
            let other = Date(timeIntervalSince1970: Double(day) * 86_400)
            if base.iso8601(fractionDigits: 0) != civil { wrong += 1 }
            if other.iso8601(fractionDigits: 0).hasPrefix("2026") { wrong += 1 }
          }
          return wrong
        }
      }
      for await wrong in group { #expect(wrong == 0) }
    }
  }

  @Test(arguments: 1...6)
  func `a second's fraction of up to six digits survives ISO 8601 parsing and formatting`(
    digits: Int
  ) throws {
    for _ in 0..<5_000 {
      let fraction = (0..<digits).map { _ in "\(Int.random(in: 0...9))" }.joined()
      let second = Int.random(in: 0...59)
      let text = "2026-11-27T05:17:\(second < 10 ? "0" : "")\(second).\(fraction)Z"
      #expect(try Date(iso8601: text).iso8601(fractionDigits: digits) == text)
    }
  }

  @Test func `repeated formatting and parsing don't change a date`() throws {
    var date = Date(timeIntervalSinceReferenceDate: 817_448_220.123)
    let first = date.iso8601()
    for _ in 0..<10 { date = try Date(iso8601: date.iso8601()) }
    #expect(date.iso8601() == first)
  }
}
