// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Ambient

@Suite struct `Rotation after a restart` {
  let folder = TemporaryFolder()
  private var path: String { folder.path("shop.log") }
  private var lock: String { folder.path(".shop-log.rotation") }

  private func run(_ line: String, at now: String) throws {
    var file = try RotatingFile(path, .daily(zone: .utc), at: now)
    try file.write(line, at: now)
    file.close()
  }

  @Test func `a restarted program continues a log file of today and archives one of an older day`()
    throws
  {
    try run("1", at: "2026-11-24T10:00:00Z")
    try run("2", at: "2026-11-24T11:00:00Z")
    try run("3", at: "2026-11-26T10:00:00Z")
    #expect(try folder.contents == ["shop.log.2026-11-24": "1 2", "shop.log": "3"])
  }

  @Test(arguments: ["", "damaged", "ambient-rotation 1 day 1 ../../x shop.log\n"])
  func `without a valid rotation record, a restart archives a log under its last line's day`(
    record: String
  ) throws {
    try run("1", at: "2026-11-24T10:00:00Z")
    try folder.setModified("shop.log", "2026-11-25T10:00:00Z")
    if record.isEmpty {
      try FileManager.default.removeItem(atPath: lock)
    } else {
      try record.write(toFile: lock, atomically: false, encoding: .utf8)
    }
    try run("2", at: "2026-11-26T10:00:00Z")
    #expect(try folder.contents == ["shop.log.2026-11-25": "1", "shop.log": "2"])
  }

  /// As in the test above, but with the record, which tells the day before that line does.
  @Test(arguments: ["shop.log", "the shop's own.log", " 1 day 2  shop.log"])
  func `with any file name, a restart archives a log under the day in its rotation record`(
    name: String
  )
    throws
  {
    for (line, now) in [("1", "2026-11-24T10:00:00Z"), ("2", "2026-11-26T10:00:00Z")] {
      var file = try RotatingFile(folder.path(name), .daily(zone: .utc), at: now)
      try file.write(line, at: now)
      file.close()
      try folder.setModified(name, "2026-11-25T10:00:00Z")
    }
    #expect(try folder.contents == ["\(name).2026-11-24": "1", name: "2"])
  }

  @Test func `the rotation record is stored in a hidden file beside the log`() throws {
    try run("1", at: "2026-11-24T10:00:00Z")
    let all = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(all.sorted() == [".shop-log.rotation", "shop.log"])
    let day = try Date(iso8601: "2026-11-24T00:00:00Z").timeIntervalSince1970
    #expect(
      try String(contentsOfFile: lock, encoding: .utf8)
        == "ambient-rotation 1 day \(Int(day)) 2026-11-24 shop.log\n")
  }

  @Test func `logs named shop.log and shop-log have separate rotation records`() throws {
    try run("1", at: "2026-11-24T10:00:00Z")
    try folder.setModified("shop.log", "2026-11-24T10:00:00Z")
    var other = try RotatingFile(
      folder.path("shop-log"), .daily(zone: .utc), at: "2026-11-26T10:00:00Z")
    try other.write("other", at: "2026-11-26T10:00:00Z")
    try run("2", at: "2026-11-26T11:00:00Z")
    #expect(
      try folder.contents == ["shop.log.2026-11-24": "1", "shop.log": "2", "shop-log": "other"])
  }

  @Test func `if a log's path is a symbolic link, its archives are made beside the real file`()
    throws
  {
    try folder.makeFolder("data")
    let link = folder.path("current.log")
    _ = FileManager.default.createFile(atPath: folder.path("data/shop.log"), contents: nil)
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: folder.path("data/shop.log"))
    var file = try RotatingFile(link, .size(3))
    try file.write("1")
    try file.write("2")
    #expect(try folder.text("data/shop.log.1") == "1\n")
    #expect(try folder.text("data/shop.log") == "2\n")
    #expect(folder.names == ["current.log", "data"])
  }
}
