// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Ambient

@Suite struct `ISO 8601 parsing` {
  @Test(arguments: [
    "2026-11-27T05:00:00Z", "2026-11-27T05:00:00z", "2026-11-27t05:00:00Z",
    "2026-11-27 05:00:00Z", "2026-11-27T05:00Z", "2026-11-27T05:00:00.000000000000Z",
    "2026-11-27T05:00:00,0Z", "2026-11-27T00:00:00-05:00", "2026-11-27T00:00:00-0500",
    "2026-11-27T00:00:00-05", "2026-11-27T10:30:00+05:30", "2026-11-28T04:59+23:59",
    "2026-11-27T04:59:60Z", "2026-11-27T05:00:00-00:00",
  ])
  func `different ISO 8601 spellings of one instant are parsed to the same date`(text: String)
    throws
  {
    #expect(try Date(iso8601: text) == Date(timeIntervalSince1970: 1_795_755_600))
  }

  @Test(arguments: [
    ("0001-01-01T00:00:00Z", -62_135_596_800), ("9999-12-31T23:59:59Z", 253_402_300_799),
    ("2000-02-29T00:00:00Z", 951_782_400), ("2024-02-29T23:59:59Z", 1_709_251_199),
    ("1969-12-31T23:59:59Z", -1), ("0001-01-01T12:00:00+12:00", -62_135_596_800),
  ])
  func `ISO 8601 parsing accepts the years 1 to 9999 and their leap days`(
    text: String, seconds: Int
  ) throws {
    #expect(try Date(iso8601: text) == Date(timeIntervalSince1970: Double(seconds)))
  }

  @Test(arguments: [
    ("2026-11-27T05:00:00.5Z", 0.5), ("2026-11-27T05:00:00.25Z", 0.25),
    ("2026-11-27T05:00:00.0000009999Z", 0.000_000_9), ("2026-11-27T05:00:00.999999999Z", 1),
  ])
  func `ISO 8601 parsing reads fractions of a second`(text: String, fraction: Double) throws {
    let date = try Date(iso8601: text)
    #expect(abs(date.timeIntervalSince1970 - 1_795_755_600 - fraction) < 0.000_000_3)
  }

  @Test func `ISO 8601 parsing ignores digits beyond the nanosecond`() throws {
    for digits in ["000000001", "0000000019", "00000000199999999999999999999"] {
      let date = try Date(iso8601: "2001-01-01T00:00:00.\(digits)Z")
      #expect(date.timeIntervalSinceReferenceDate == 1e-9)
    }
  }

  /// In a process of its own: a look beyond the end of the text traps.
  @Test func `parsing a truncated ISO 8601 text throws an error whose offset is within the text`()
    async
  {
    await #expect(processExitsWith: .success) {
      let text = "2026-11-27T05:00:00.25+02:30"
      // The text may end after the hours of the offset.
      for count in 0..<text.count where count != 25 {
        let error = #expect(throws: ISO8601Error.self) {
          try Date(iso8601: String(text.prefix(count)))
        }
        precondition(error.map { $0.offset <= count } == true, "\(count)")
      }
      _ = try Date(iso8601: text)
    }
  }

  @Test func `ISO 8601 parsing accepts exactly the days that exist in the calendar`() throws {
    let calendar = Calendar(identifier: .gregorian)
    for year in [1900, 1996, 2000, 2023, 2024, 2100] {
      for month in 1...12 {
        for day in 1...31 {
          let parts = DateComponents(
            calendar: calendar, timeZone: .gmt, year: year, month: month, day: day)
          let text = String(format: "%04d-%02d-%02dT00:00Z", year, month, day)
          if parts.isValidDate {
            #expect(try Date(iso8601: text) == parts.date)
          } else {
            #expect(throws: ISO8601Error.self) { try Date(iso8601: text) }
          }
        }
      }
    }
  }

  /// Malformed texts, with the offset of the fault.
  private static let malformed: KeyValuePairs = [
    "": 0,
    "0000-01-01T00:00Z": 0,
    "-001-01-01T00:00Z": 0,
    "20261127T000000Z": 4,
    "2026/11/27T00:00Z": 4,
    "2026-13-27T00:00Z": 5,
    "2026-1-27T00:00Z": 6,
    "2026-11-31T00:00Z": 8,
    "2026-11-00T00:00Z": 8,
    "2026-02-29T00:00Z": 8,
    "2100-02-29T00:00Z": 8,
    "2024-02-30T00:00Z": 8,
    "2026-11-27": 10,
    "2026-11-27T24:00Z": 11,
    "2026-11-27T00.00Z": 13,
    "2026-11-27T00:60Z": 14,
    "2026-11-27T00:00:61Z": 17,
    "2026-11-27T00:00:00.Z": 20,
    "2026-11-27T00:00:00": 19,
    "2026-11-27T00:00:00*02:00": 19,
    "2026-11-27T00:00:00 EST": 19,
    "2026-11-27T00:00:00+24:00": 20,
    "2026-11-27T00:00:00+02:60": 23,
    "2026-11-27T00:00:00+02:": 23,
    "2026-11-27T00:00:00Z ": 20,
    "0001-01-01T00:00:00+00:01": 19,
    "9999-12-31T23:59:60Z": 19,
    "２０２６-11-27T00:00Z": 0,
  ]

  @Test func `an ISO8601Error names the wrong character's position and the expected text`() throws {
    var messages: [String] = []
    for (text, offset) in Self.malformed {
      let error = #expect(throws: ISO8601Error.self) { try Date(iso8601: text) }
      #expect(error?.text == text && error?.offset == offset, "\(text)")
      messages.append(error?.description ?? "")
    }
    let hostile = ISO8601Error(text: "2026\n\u{1B}[2J 🛒", offset: 4, expected: "“-”")
    try MessageCatalog.expect(
      "Ambient, instants",
      [
        "Malformed instants": messages.joined(separator: "\n"), "A hostile text": "\(hostile)",
      ])
  }
}
