// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Ambient

@Suite(.timeLimit(.minutes(30))) struct `Log archives` {
  let folder = TemporaryFolder()

  private func files(_ names: FileRotation.Names = .numbered) -> RotatedFiles {
    RotatedFiles(folder.path("shop.log"), names, mode: 0o600)
  }

  @Test(.enabled("only root gives files away") { geteuid() == 0 })
  func `the rotation lock file gets the owner and group of its log`() throws {
    try folder.write("", to: "shop.log")
    try #require(chown(folder.path("shop.log"), 1_234, 5_678) == 0)
    let files = files()
    let isTaken = try files.lock() != nil
    var status = stat()
    try #require(isTaken && stat(files.lockPath, &status) == 0)
    #expect(status.st_uid == 1_234 && status.st_gid == 5_678)
  }

  /// Of archives that were last written so many seconds ago, the oldest first, each two bytes long.
  @Test(arguments: [
    ([5], 0), ([10], 0), ([11], 0), ([10, 10], 0), ([16, 8], 1), ([19, 10], 1), ([20, 10], 1),
    // The clock was set back meanwhile, which makes none older.
    ([12, 4, 8], 1), ([10, 4, 8], 1), ([6, 4, 8], 0),
    // The first pause may be a jump of the clock, the second is none.
    ([30, 5], 0), ([40, 25, 5], 1), ([60, 40, 25, 5], 2),
    // A clock that was ahead.
    ([10, -1_000, 5], 0), ([50, 30, 2, 8], 0), ([70, 50, 30, 2, 8], 1),
  ])
  func `archives older than keepAge are removed unless a clock jump may explain their age`(
    _ ages: [Int], _ removed: Int
  )
    throws
  {
    let now = try Date(iso8601: "2026-11-26T12:00:00Z")
    for (index, age) in ages.enumerated() {
      let name = "shop.log.\(ages.count - index)"
      try folder.write("1\n", to: name)
      try folder.setModified(name, (now - Double(age)).iso8601())
    }
    let failure = files().removeOldest(FileRotation(size: 1, keepAge: .seconds(10)), now: now)
    #expect(failure == nil)
    let left = (1...ages.count).reversed().dropFirst(removed).map { "shop.log.\($0)" }
    #expect(folder.names == left.sorted())
  }

  @Test(arguments: [
    (FileRotation(size: 1, keepSize: 6), 3), (FileRotation(size: 1, keepSize: 5), 2),
    (FileRotation(size: 1, keepSize: 2), 1), (FileRotation(size: 1, keepSize: 1), 0),
    (FileRotation(size: 1, keepSize: 0), 0), (.size(1, keep: 3), 3), (.size(1, keep: 2), 2),
    (.size(1, keep: 0), 0), (.size(1), 3), (FileRotation(size: 1, keep: 2, keepSize: 2), 1),
    (FileRotation(size: 1, keep: 1, keepSize: 6), 1),
  ])
  func `the oldest archives are removed if there are more than keep or keepSize allows`(
    _ rotation: FileRotation, _ left: Int
  ) throws {
    for number in 1...3 { try folder.write("\(number)\n", to: "shop.log.\(number)") }
    #expect(files().removeOldest(rotation, now: Date()) == nil)
    #expect(folder.names == (1...3).prefix(left).map { "shop.log.\($0)" })
  }

  @Test(arguments: [
    (FileRotation.Names.numbered, ["999999", "10", "9", "2", "1"]),
    (
      .dated,
      [
        "0001-01-01", "2024-02-29", "2026-01-31", "2026-11-25", "2026-11-26T00", "2026-11-26T22",
        "2026-11-26T23", "2026-11-26T23.2", "2026-11-26T23.10", "2026-11-26", "2026-11-26.2",
        "2026-11-26.999999", "2026-12-01",
      ]
    ),
  ])
  func `archives are listed from oldest to newest by the number or date in their names`(
    _ names: FileRotation.Names, _ ends: [String]
  ) throws {
    for (index, end) in ends.enumerated() {
      let place = index % 2 == 0 ? "shop.log.\(end)" : "shop.log.\(end).gz"
      try folder.write("1\n", to: place)
    }
    let all = try files(names).all()
    #expect(all.map(\.name) == ends.map { "shop.log.\($0)" })
    #expect(all.map(\.isPlain) == ends.indices.map { $0 % 2 == 0 })
    #expect(all.map(\.isCompressed) == ends.indices.map { $0 % 2 == 1 })
    #expect(all.allSatisfy { $0.size == 2 && $0.modified > .distantPast })
    #expect(try files(names).inOrder().map(\.name) == all.map(\.name))
  }

  @Test(arguments: [
    (FileRotation.Names.numbered, ["", "0", "01", "1000000", "a", "1.2", "-1", "2026-11-26"]),
    (
      .dated,
      [
        "", "1", "2026-11", "2026-00-01", "2026-13-01", "2026-11-00", "2026-11-31", "2025-02-29",
        "2026-11-26T24", "2026-11-26T1", "2026-11-26T", "2026-11-26T01T02", "2026-11-26.1",
        "2026-11-26.0", "2026-11-26.02", "2026-11-26.2.2", "2026-11-26.", "2026-11-26-1",
        "226-11-26", "2026-1-26", "2026-11-6", "2026-11-26.1000000",
      ]
    ),
  ])
  func `a file isn't treated as a log archive if the ending of its name is malformed`(
    _ names: FileRotation.Names, _ ends: [String]
  ) {
    for end in ends {
      #expect(RotatedFile("shop.log.\(end)", of: "shop.log", names) == nil, "\(end)")
    }
    #expect(RotatedFile("shop.log", of: "shop.log", names) == nil)
    #expect(RotatedFile("shop_log.1", of: "shop.log", names) == nil)
  }

  @Test func `RotatedFile isEarlier() compares the dates of log archives, not their copy numbers`()
    throws
  {
    func file(_ end: String) throws -> RotatedFile {
      try #require(RotatedFile("shop.log.\(end)", of: "shop.log", .dated))
    }
    #expect(try file("2026-11-26").copy == 1 && file("2026-11-26.7").copy == 7)
    #expect(try file("2026-11-25.7").isEarlier(than: file("2026-11-26")))
    #expect(try !file("2026-11-26").isEarlier(than: file("2026-11-26.7")))
    #expect(try !file("2026-11-26.7").isEarlier(than: file("2026-11-26")))
    #expect(try file("2026-11-26T23").isEarlier(than: file("2026-11-26")))
    #expect(try file("2026-11-26") == file("2026-11-26"))
    #expect(try file("2026-11-26") != file("2026-11-26.2"))
    try folder.write("1\n", to: "shop.log.2026-11-26.2")
    let files = files(.dated)
    for (period, isInOrder) in [("2026-11-25", false), ("2026-11-26", true), ("2026-11-27", true)] {
      #expect(files.isInOrder(period) == isInOrder, "\(period)")
    }
  }

  @Test func `archiving a log raises the numbers of older archives up to the first gap`() throws {
    for name in ["shop.log.1", "shop.log.2.gz", "shop.log.3", "shop.log.3.gz", "shop.log.5"] {
      try folder.write("\(name)\n", to: name)
    }
    try folder.write("log\n", to: "shop.log")
    #expect(try files().putAway(folder.path("shop.log"), of: "") == folder.path("shop.log.1"))
    #expect(
      try folder.contents == [
        "shop.log.1": "log", "shop.log.2": "shop.log.1", "shop.log.3.gz": "shop.log.2.gz",
        "shop.log.4": "shop.log.3", "shop.log.5": "shop.log.5",
      ])
  }

  @Test func `the .order file exists only while the names of archives don't tell their order`()
    throws
  {
    let order = RotationOrder(path: folder.path(".order"))
    func file(_ day: Int) throws -> RotatedFile {
      try #require(RotatedFile("shop.log.2026-11-\(day)", of: "shop.log", .dated))
    }
    let days = try [10, 11, 12, 13].map(file)
    #expect(try order.sort(days) == days)
    // In the order of their names, no list is needed.
    try order.note(days[1], after: [days[0]], mode: 0o640)
    #expect(!FileSystem.exists(folder.path(".order")))
    try order.note(days[0], after: [days[2], days[3]], mode: 0o640)
    #expect(
      try folder.text(".order") == """
        ambient-order 1
        shop.log.2026-11-12
        shop.log.2026-11-13
        shop.log.2026-11-10

        """)
    #expect(try FileStatus(at: folder.path(".order")).permissions == 0o640)
    #expect(try order.sort(days) == [days[1], days[2], days[3], days[0]])
    #expect(try order.sort([days[0], days[3]]) == [days[3], days[0]])
    try folder.write("ambient-order 2\nshop.log.2026-11-13\n", to: ".order")
    #expect(try order.sort(days) == days)
    try order.note(days[1], after: [days[0]], mode: 0o640)
    #expect(!FileSystem.exists(folder.path(".order")))
  }
}

@Suite struct `Periods of rotated files` {
  private let folder = TemporaryFolder()

  @Test
  func `a rotation period ends when the next begins, and one two days ahead is implausible`() {
    let period = RotationPeriod(unit: .day, number: 1_000_000, name: "")
    #expect(!period.ends(before: 999_999) && !period.ends(before: 1_000_000))
    #expect(period.ends(before: 1_000_001))
    #expect(!period.isImplausible(at: 1_000_000 - 2 * 86_400))
    #expect(period.isImplausible(at: 1_000_000 - 2 * 86_400 - 1))
    #expect(!period.isImplausible(at: 2_000_000))
  }

  @Test(
    arguments: [
      (0, 0, "1970-01-01", 0, "1970-01-01T00"),
      (-1, -86_400, "1969-12-31", -3_600, "1969-12-31T23"),
      (-86_400, -86_400, "1969-12-31", -86_400, "1969-12-31T00"),
      (86_399.999, 0, "1970-01-01", 82_800, "1970-01-01T23"),
      (86_400, 86_400, "1970-01-02", 86_400, "1970-01-02T00"),
    ] as [(Double, Int, String, Int, String)])
  func `a rotation period's number is the Unix time of its first second`(
    _ second: Double, _ day: Int, _ dayName: String, _ hour: Int, _ hourName: String
  ) {
    let date = Date(timeIntervalSince1970: second)
    #expect(
      RotationCalendar(.day, .utc).period(at: date)
        == RotationPeriod(unit: .day, number: day, name: dayName))
    #expect(
      RotationCalendar(.hour, .utc).period(at: date)
        == RotationPeriod(unit: .hour, number: hour, name: hourName))
  }

  @Test func `a rotation period's name has a four-digit year for any date`() {
    let calendar = RotationCalendar(.day, .utc)
    let (first, last) = (Date(timeIntervalSince1970: -62e9), Date(timeIntervalSince1970: 253e9))
    for date in [-.infinity, .nan, -1e300, -62e9 - 86_400] as [Double] {
      #expect(calendar.period(at: Date(timeIntervalSince1970: date)) == calendar.period(at: first))
    }
    for date in [.infinity, 1e300, 253e9 + 86_400] as [Double] {
      #expect(calendar.period(at: Date(timeIntervalSince1970: date)) == calendar.period(at: last))
    }
    #expect(calendar.period(at: first).name.hasPrefix("0005-"))
    #expect(calendar.period(at: last).name.hasPrefix("9987-"))
    #expect(calendar.number(at: first + 86_400) == calendar.number(at: first) + 86_400)
  }

  @Test func `RotationRecord read() returns only a valid record of the given log and period unit`()
    throws
  {
    let path = folder.path("lock")
    guard let lock = try FileLock.take(path, mode: 0o600) else {
      Issue.record("it is held")
      return
    }
    let period = RotationPeriod(unit: .day, number: -86_400, name: "1969-12-31")
    RotationRecord.write(period, of: "shop.log", to: lock)
    #expect(try folder.text("lock") == "ambient-rotation 1 day -86400 1969-12-31 shop.log\n")
    let own = RotationRecord.read(of: "shop.log", .day, from: lock)
    #expect(own == period)
    let others = [
      RotationRecord.read(of: "shop.log", .hour, from: lock),
      RotationRecord.read(of: "log", .day, from: lock),
      RotationRecord.read(of: "a shop.log", .day, from: lock),
    ]
    #expect(others == [nil, nil, nil])
    let most = 1 << 40
    for (record, isRead) in [
      ("1 day \(most - 1) 2026-11-26 shop.log\n", true),
      ("1 day \(most) 2026-11-26 shop.log\n", false),
      ("1 day \(1 - most) 2026-11-26 shop.log\n", true), ("1 day 7 2026-11-26.2 shop.log\n", false),
      ("1 day 7 2026-11-26 shop.log", false), ("1 day x 2026-11-26 shop.log\n", false),
      ("2 day 7 2026-11-26 shop.log\n", false), ("1 day 7 2026-11-26T13 shop.log\n", true),
      ("1 day 7 2026-11-26 a shop.log\n", false), ("1 day 7 shop.log\n", false), ("", false),
    ] {
      try folder.write("ambient-rotation \(record)", to: "lock")
      let found = RotationRecord.read(of: "shop.log", .day, from: lock)
      #expect((found != nil) == isRead, "\(record)")
    }
    lock.release()
  }
}

@Suite struct `Due rotations` {
  private let folder = TemporaryFolder()

  private func rotator(_ rotation: FileRotation) throws -> Rotator {
    let now = try Date(iso8601: "2026-11-26T12:00:00Z")
    return try #require(
      Rotator(
        path: folder.path("shop.log"), rotation, mode: 0o644, now: now, source: "Test",
        pause: .zero))
  }

  @Test(
    arguments: [
      (0, 100, false, 20), (10, 10, false, 10), (10, 11, true, 10), (19, 1, false, 1),
      (20, 0, false, .max), (20, 1, true, .max), (21, 0, true, .max), (1, .max, true, 19),
    ] as [(Int, Int, Bool, Int)])
  func `a size rotation is due if the next line would make the file exceed the size limit`(
    _ size: Int, _ adding: Int, _ isDue: Bool, _ room: Int
  ) throws {
    var rotator = try rotator(.size(20))
    let now = Date()
    let found = rotator.isDue(size: size, adding: adding, now: now)
    #expect(found == isDue && rotator.room(after: size) == room)
    #expect(rotator.current == nil)
    let unlimited = try self.rotator(.daily(zone: .utc)).room(after: size)
    #expect(unlimited == .max)
  }

  @Test func `a daily rotation is due at the next day's first second`() throws {
    var rotator = try rotator(.daily(zone: .utc))
    #expect(rotator.current?.name == "2026-11-26")
    for (now, expected) in [
      ("2026-11-26T23:59:59Z", false), ("2026-11-26T23:59:59.999Z", false),
      ("2026-11-27T00:00:00Z", true), ("2026-11-27T00:00:00Z", true),
      ("2026-11-26T12:00:00Z", false),
    ] {
      let isDue = rotator.isDue(size: 1 << 40, adding: 1, now: try Date(iso8601: now))
      #expect(isDue == expected, "\(now)")
    }
  }

  @Test func `even if the clock is years behind, a daily rotation is due on the clock's next day`()
    throws
  {
    var rotator = try rotator(.daily(zone: .utc))
    for (now, expected) in [
      ("2020-01-01T00:00:00Z", false), ("2020-01-01T23:00:00Z", false),
      // What a clock showed before it was right does not count.
      ("2026-11-26T13:00:00Z", false), ("2020-01-03T00:00:00Z", false),
      ("2020-01-02T00:00:00Z", false), ("2020-01-03T00:00:00Z", true),
    ] {
      let isDue = rotator.isDue(size: 1, adding: 1, now: try Date(iso8601: now))
      #expect(isDue == expected, "\(now)")
    }
  }

  @Test
  func `a size rotation has a daily period only if its archives have dated names`()
    throws
  {
    #expect(try rotator(FileRotation(size: 1, zone: .utc, names: .dated)).current?.unit == .day)
    #expect(try rotator(FileRotation(size: 1, every: .hour, zone: .utc)).current?.unit == .hour)
    #expect(try rotator(.size(1)).current == nil)
  }
}
