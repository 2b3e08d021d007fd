// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Ambient

@Suite struct `Rotation by period and size` {
  let folder = TemporaryFolder()
  private var path: String { folder.path("shop.log") }

  @Test func `a size rotation splits no line and rotates before the log exceeds the size`() throws {
    var file = try RotatingFile(path, .size(20))
    for line in ["one", "two", "three", "four", "five", String(repeating: "x", count: 40), "six"] {
      try file.write(line)
    }
    #expect(
      try folder.contents == [
        "shop.log.3": "one two three four", "shop.log.2": "five",
        "shop.log.1": String(repeating: "x", count: 40), "shop.log": "six",
      ])
  }

  @Test func `a daily rotation archives a day's log when the first line of a later day is written`()
    throws
  {
    var file = try RotatingFile(path, .daily(zone: .utc), at: "2026-11-26T09:00:00Z")
    try file.write("thursday", at: "2026-11-26T09:00:00Z")
    try file.write("thursday, too", at: "2026-11-26T23:59:59.999Z")
    try file.write("friday", at: "2026-11-27T00:00:00Z")
    try file.write("monday", at: "2026-11-30T10:00:00Z")
    #expect(
      try folder.contents == [
        "shop.log.2026-11-26": "thursday thursday, too", "shop.log.2026-11-27": "friday",
        "shop.log": "monday",
      ])
  }

  @Test func `the name of an hourly rotation's archive contains the date and the hour`() throws {
    var file = try RotatingFile(path, .hourly(zone: .utc), at: "2026-11-26T09:59:00Z")
    try file.write("nine", at: "2026-11-26T09:59:00Z")
    try file.write("ten", at: "2026-11-26T10:00:00Z")
    try file.write("midnight", at: "2026-11-27T00:30:00Z")
    #expect(
      try folder.contents == [
        "shop.log.2026-11-26T09": "nine", "shop.log.2026-11-26T10": "ten", "shop.log": "midnight",
      ])
  }

  @Test func `a second archive of the same day gets a number after the date in its name`() throws {
    var file = try RotatingFile(
      path, FileRotation(size: 8, every: .day, zone: .utc, names: .dated))
    for line in ["first", "second", "third"] { try file.write(line) }
    try file.write("4", at: "2026-11-27T00:00:00Z")
    try file.write("5", at: "2026-11-27T00:00:00Z")
    #expect(
      try folder.contents == [
        "shop.log.2026-11-26": "first", "shop.log.2026-11-26.2": "second",
        "shop.log.2026-11-26.3": "third", "shop.log": "4 5",
      ])
  }

  @Test func `a size rotation's dated archive is named after the day of its first line`() throws {
    var file = try RotatingFile(path, FileRotation(size: 8, zone: .utc, names: .dated))
    try file.write("first")
    try file.write("second", at: "2026-11-28T12:00:00Z")
    try file.write("third", at: "2026-11-29T12:00:00Z")
    #expect(folder.names == ["shop.log", "shop.log.2026-11-26", "shop.log.2026-11-28"])
  }

  @Test(arguments: [
    ("Europe/Berlin", "2026-03-28T23:00:00Z", 23, "2026-03-29"),
    ("Europe/Berlin", "2026-10-24T22:00:00Z", 25, "2026-10-25"),
    ("America/New_York", "2026-03-08T05:00:00Z", 23, "2026-03-08"),
    ("America/New_York", "2026-11-01T04:00:00Z", 25, "2026-11-01"),
  ])
  func `a daily rotation makes one archive of a day of 23 or 25 hours`(
    zone: String, midnight: String, hours: Int, name: String
  ) throws {
    let start = try Date(iso8601: midnight)
    var file = try RotatingFile(path, .daily(zone: .named(zone)), at: midnight)
    var rotated: [Int] = []
    for quarter in 0..<(4 * 30) {
      let now = start.addingTimeInterval(Double(quarter) * 900).iso8601()
      if try file.write("quarter", at: now) != nil { rotated.append(quarter) }
    }
    #expect(rotated == [4 * hours])
    #expect(folder.names == ["shop.log", "shop.log.\(name)"])
  }

  @Test
  func `an hourly rotation makes two archives of the hour that repeats when summer time ends`()
    throws
  {
    let start = try Date(iso8601: "2026-10-24T23:00:00Z")
    var file = try RotatingFile(
      path, .hourly(zone: .named("Europe/Berlin")), at: "2026-10-24T23:00:00Z")
    for quarter in 0..<20 {
      try file.write(
        "\(quarter)", at: start.addingTimeInterval(Double(quarter) * 900).iso8601())
    }
    #expect(
      try folder.contents == [
        "shop.log.2026-10-25T01": "0 1 2 3", "shop.log.2026-10-25T02": "4 5 6 7",
        "shop.log.2026-10-25T02.2": "8 9 10 11", "shop.log.2026-10-25T03": "12 13 14 15",
        "shop.log": "16 17 18 19",
      ])
  }

  @Test func `a daily rotation makes one archive of a day in which the clock was set back`() throws
  {
    var file = try RotatingFile(path, .daily(zone: .utc), at: "2026-11-26T23:59:00Z")
    try file.write("1", at: "2026-11-26T23:59:00Z")
    try file.write("2", at: "2026-11-27T00:01:00Z")
    try file.write("3", at: "2026-11-26T23:58:00Z")
    try file.write("4", at: "2026-11-27T00:02:00Z")
    try file.write("5", at: "2026-11-28T00:00:00Z")
    #expect(
      try folder.contents == [
        "shop.log.2026-11-26": "1", "shop.log.2026-11-27": "2 3 4", "shop.log": "5",
      ])
  }

  @Test func `if a clock that was years ahead is corrected, a daily rotation follows the new time`()
    throws
  {
    var file = try RotatingFile(path, .daily(zone: .utc), at: "2036-01-01T00:00:00Z")
    try file.write("1", at: "2036-01-01T00:00:00Z")
    try file.write("2", at: "2026-11-26T12:00:00Z")
    try file.write("3", at: "2026-11-27T12:00:00Z")
    #expect(try folder.contents == ["shop.log.2026-11-26": "1 2", "shop.log": "3"])
  }

  @Test func `the rotation period of an empty log file starts with the file's first line`() throws {
    var file = try RotatingFile(path, .daily(zone: .utc), at: "2026-11-20T12:00:00Z")
    #expect(try file.write("1", at: "2026-11-26T12:00:00Z") == .notDue)
    try file.write("2", at: "2026-11-27T12:00:00Z")
    #expect(folder.names == ["shop.log", "shop.log.2026-11-26"])
  }
}
