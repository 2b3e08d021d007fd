// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Ambient

/// A machine without a battery for its clock, or with a wrong one.
@Suite struct `Rotation with a wrong clock` {
  let folder = TemporaryFolder()
  private var path: String { folder.path("shop.log") }

  static let kinds = [
    FileRotation.daily(keep: 3, zone: .utc), .hourly(keep: 3, zone: .utc),
    FileRotation(size: 1, every: .day, zone: .utc, keep: 3, names: .dated),
    FileRotation(size: 1, zone: .utc, keep: 3, names: .dated), .size(1, keep: 3),
    FileRotation(size: nil, every: .day, zone: .utc, keep: 3, names: .numbered),
  ]
  static let clocks = ["1970-01-01T00:00:07Z", "2100-01-01T00:00:07Z", "2026-11-20T12:00:00Z"]

  /// Writes lines on days in a row, each by a program that was started again.
  private func write(_ rotation: FileRotation, _ lines: [(line: String, now: String)]) throws {
    for (line, now) in lines {
      var file = try RotatingFile(path, rotation, at: now)
      try file.write(line, at: now)
      file.close()
      try folder.setModified("shop.log", now)
    }
  }

  /// The lines of all files that are left.
  private func left() throws -> [Int] {
    try folder.contents.values.flatMap { $0.split(separator: " ") }.compactMap { Int($0) }.sorted()
  }

  @Test(arguments: kinds, clocks)
  func `even after a line with a wrong clock, rotations remove only the oldest archives`(
    _ rotation: FileRotation, _ wrong: String
  ) throws {
    let days = (10...20).map { "2026-11-\($0)T12:00:00Z" }
    for place in 0..<days.count {
      for name in folder.names { try FileManager.default.removeItem(atPath: folder.path(name)) }
      try? FileManager.default.removeItem(atPath: folder.path(".shop-log.rotation"))
      var nows = days
      nows.insert(wrong, at: place)
      try write(rotation, nows.enumerated().map { ("\($0)", $1) })
      let left = try left()
      // The newest, without a gap, and no fewer than so many files hold.
      #expect(left == Array((nows.count - left.count)..<nows.count), "\(place): \(left)")
      #expect(left.count >= 4, "\(place): \(left)")
      #expect(folder.names.count { $0.hasPrefix("shop.log") } == 4, "\(place): \(folder.names)")
    }
  }

  @Test func `a program whose clock still shows 1970 doesn't rotate the current log file`() throws {
    let rotation = FileRotation.daily(keep: 3, zone: .utc)
    try write(
      rotation, (22...25).map { ("\($0)", "2026-11-\($0)T12:00:00Z") })
    var file = try RotatingFile(path, rotation, at: "1970-01-01T00:00:05Z")
    try file.write("early", at: "1970-01-01T00:00:05Z")
    try file.write("set", at: "2026-11-26T08:00:00Z")
    #expect(
      try folder.contents == [
        "shop.log.2026-11-23": "23", "shop.log.2026-11-24": "24",
        "shop.log.2026-11-25": "25 early", "shop.log": "set",
      ])
  }

  @Test
  func `while the clock is behind for days, rotations still remove the oldest archives first`()
    throws
  {
    let rotation = FileRotation.daily(keep: 3, zone: .utc)
    let nows = [
      "2026-11-24T12:00:00Z", "2026-11-25T12:00:00Z", "1970-01-01T12:00:00Z",
      "1970-01-02T12:00:00Z", "1970-01-03T12:00:00Z", "2026-11-28T12:00:00Z",
    ]
    try write(rotation, nows.enumerated().map { ("\($0)", $1) })
    #expect(
      try folder.contents == [
        "shop.log.2026-11-25": "1 2", "shop.log.1970-01-02": "3", "shop.log.1970-01-03": "4",
        "shop.log": "5",
      ])
    try write(rotation, [("6", "2026-11-29T12:00:00Z")])
    #expect(
      try folder.contents == [
        "shop.log.1970-01-02": "3", "shop.log.1970-01-03": "4", "shop.log.2026-11-28": "5",
        "shop.log": "6",
      ])
  }

  @Test
  func `after the clock was ahead for days, rotations still remove the oldest archives first`()
    throws
  {
    let rotation = FileRotation.daily(keep: 2, zone: .utc)
    var nows = ["2026-11-24T12:00:00Z"]
    nows += (1...3).map { "2100-01-0\($0)T12:00:00Z" }
    nows += (25...29).map { "2026-11-\($0)T12:00:00Z" }
    for (line, now) in nows.enumerated() {
      try write(rotation, [("\(line)", now)])
      let left = try left()
      #expect(left == Array((line + 1 - left.count)...line), "\(left)")
      #expect(folder.names.filter { $0.hasPrefix("shop.log") }.count <= 3)
    }
    #expect(folder.names == ["shop.log", "shop.log.2026-11-27", "shop.log.2026-11-28"])
  }

  @Test(arguments: FileRotation.Names.allCases)
  func `if the clock is ahead for some days, keepAge removes no archive too early`(
    _ names: FileRotation.Names
  )
    throws
  {
    let rotation = FileRotation(
      size: nil, every: .day, zone: .utc, keepAge: .seconds(7 * 86_400), names: names)
    var nows = (20...24).map { "2026-11-\($0)T12:00:00Z" }
    nows += (1...3).map { "2100-01-0\($0)T12:00:00Z" }
    // Nor after it came back.
    nows += (25...26).map { "2026-11-\($0)T12:00:00Z" }
    try write(rotation, nows.enumerated().map { ("\($0)", $1) })
    #expect(try left() == Array(0..<10))
    // Those of more than seven days are gone in the end.
    try write(
      rotation, (10...20).map { ("\($0)", "2026-12-\($0)T12:00:00Z") })
    #expect(try left() == Array(13...20))
  }

  @Test func `if one of two programs has a wrong clock, the log that they share loses no line`()
    throws
  {
    let rotation = FileRotation.daily(zone: .utc)
    let days = ["24", "25", "26", "27", "28", "29"]
    var files = try (0..<2).map { _ in
      try RotatingFile(path, rotation, at: "2026-11-24T00:00:00Z")
    }
    var lines: [String] = []
    for day in days {
      for number in files.indices {
        lines.append("\(number).\(day)")
        try files[number].write(lines[lines.count - 1], at: "2026-11-\(day)T12:00:00Z")
      }
      guard day == "25" else { continue }
      for wrong in ["2100-01-01", "2100-01-02"] {
        lines.append(wrong)
        try files[0].write(wrong, at: "\(wrong)T12:00:00Z")
      }
    }
    let contents = try folder.contents
    #expect(
      contents.values.flatMap { $0.split(separator: " ").map(String.init) }.sorted()
        == lines.sorted())
    #expect(contents.count <= days.count + 2, "\(contents)")
    #expect(Set(contents.keys).isSuperset(of: ["shop.log.2026-11-24", "shop.log.2026-11-28"]))
  }

  @Test
  func `after a month without a line, the option keepAge keeps only the latest archive`()
    throws
  {
    let rotation = FileRotation(size: nil, every: .day, zone: .utc, keepAge: .seconds(5 * 86_400))
    try write(rotation, (1...3).map { ("\($0)", "2026-0\($0)-01T12:00:00Z") })
    #expect(try left() == [2, 3])
    try write(rotation, [("4", "2026-04-01T12:00:00Z")])
    #expect(try left() == [3, 4])
  }

  @Test func `logs named shop.log and shop-log have separate .order files`() throws {
    for name in ["shop.log", "shop-log"] {
      var file = try RotatingFile(folder.path(name), .daily(keep: 9, zone: .utc))
      let days = [
        "2026-11-26", "2100-01-01", "2100-01-02", "2026-11-26", "2026-11-27", "2026-11-28",
      ]
      for now in days {
        try file.write(now, at: "\(now)T12:00:00Z")
      }
    }
    let all = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(
      all.filter { $0.hasSuffix(".order") }.sorted() == [".shop-log.order", ".shop_-log.order"])
  }

  @Test
  func `if the clock falls behind by at most two days, the current rotation period continues`()
    throws
  {
    let rotation = FileRotation.hourly(zone: .utc)
    let start = "2026-11-28T12:00:00Z"
    var near = try RotatingFile(folder.path("near.log"), rotation, at: start)
    try near.write("1", at: start)
    // Two days behind, and an hour less.
    try near.write("2", at: "2026-11-26T12:30:00Z")
    try near.write("3", at: "2026-11-26T13:00:00Z")
    try near.write("4", at: "2026-11-28T13:00:00Z")
    var far = try RotatingFile(folder.path("far.log"), rotation, at: start)
    try far.write("1", at: start)
    // Two days and two hours behind, and an hour less.
    try far.write("2", at: "2026-11-26T10:30:00Z")
    try far.write("3", at: "2026-11-26T11:00:00Z")
    #expect(
      try folder.contents == [
        "near.log.2026-11-28T12": "1 2 3", "near.log": "4", "far.log.2026-11-26T10": "1 2",
        "far.log": "3",
      ])
  }

  @Test func `if the .order file can't be written, a rotation fails and removes no archive`() throws
  {
    let rotation = FileRotation.daily(keep: 1, zone: .utc)
    try write(rotation, [("0", "2026-11-24T12:00:00Z"), ("1", "2026-11-25T12:00:00Z")])
    try write(rotation, [("2", "1970-01-01T12:00:00Z"), ("3", "1970-01-02T12:00:00Z")])
    try folder.makeFolder(".shop-log.order/full")
    var file = try RotatingFile(path, rotation, at: "1970-01-04T12:00:00Z")
    guard case .failed(let failure)? = try file.write("4", at: "1970-01-04T12:00:00Z") else {
      return #expect(Bool(false))
    }
    #expect(failure.path == folder.path(".shop-log.order"))
    #expect(try left() == Array(1...4))
  }
}
