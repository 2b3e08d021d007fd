// SPDX-License-Identifier: Apache-2.0

import Ambient
import Foundation
import TestSupport
import Testing

@testable import AmbientCollectors

@Suite struct `Queued log records` {
  private static let id = "6BA7B810-9DAD-11D1-80B4-00C04FD430C8"
  private static let members: [(name: String, json: String)] = [
    ("id", "\"\(id)\""), ("time", "\"2026-11-27T05:00:00.250Z\""), ("level", "\"warning\""),
    ("message", "\"paid\""),
  ]

  private func record(
    _ members: [(name: String, json: String)], at moment: Date? = nil
  ) -> UploadRecord? {
    let text = members.map { "\"\($0.name)\":\($0.json)" }.joined(separator: ",")
    return UploadRecord(json: Array("{\(text)}".utf8), at: moment)
  }

  @Test func `a logged record is read back unchanged from the queue`() throws {
    let folder = TemporaryFolder()
    let journal = try Journal(folder: folder.path("queue"))
    let record = LogRecord(
      date: try Date(iso8601: "2026-11-27T05:00:00.250Z"), level: .error,
      message: "order \(7, name: "order") \"placed\"", metadata: ["total": 1.5],
      source: SourcePlace(fileID: "Shop/Till.swift", function: "pay(_:)", line: 3))
    let size = UploadRecord.append(record, to: journal)
    let kept = try #require(journal.batch(maximumCount: 2, maximumBytes: 10_000, now: .now).first)
    #expect(size == kept.bytes.count && kept.bytes.last != UInt8(ascii: "\n"))
    let read = try #require(UploadRecord(json: kept.bytes))
    #expect(read.record == record)
    #expect(String(decoding: kept.bytes, as: UTF8.self).hasPrefix("{\"id\":\"\(read.id)\","))
  }

  @Test func `a queued log record without metadata or source can be read`() throws {
    let read = try #require(record(Self.members))
    #expect(read.id.uuidString == Self.id)
    #expect(
      read.record
        == LogRecord(
          date: try Date(iso8601: "2026-11-27T05:00:00.250Z"), level: .warning, message: "paid",
          metadata: [:], source: SourcePlace(fileID: "", line: 0)))
  }

  @Test func `a line without a valid id, time, level or message isn't read as a log record`() {
    for member in Self.members.indices {
      var members = Self.members
      for json in ["7", "\"\"", "null"] where members[member].name != "message" || json != "\"\"" {
        members[member].json = json
        #expect(record(members) == nil, "\(members[member])")
      }
      members.remove(at: member)
      #expect(record(members) == nil)
    }
    #expect(UploadRecord(json: Array("[]".utf8)) == nil && UploadRecord(json: []) == nil)
  }

  @Test(arguments: [
    ("Shop/Till.swift:3", "Shop/Till.swift", 3), ("Shop/Till.swift", "Shop/Till.swift", 0),
    ("C:/Till.swift:12", "C:/Till.swift", 12), ("Shop/Till.swift:x", "Shop/Till.swift:x", 0),
    ("Shop/Till.swift:", "Shop/Till.swift:", 0), (":7", "", 7), ("", "", 0),
  ])
  func `the source text of a queued log record is split into file and line`(
    text: String, fileID: String, line: UInt
  ) throws {
    let members = Self.members + [("source", "\"\(text)\""), ("function", "\"pay()\"")]
    let source = try #require(record(members)).record.source
    #expect(source == SourcePlace(fileID: fileID, function: "pay()", line: line))
  }

  @Test(arguments: [(0.250_4, 0.250_4), (0.252, 0.250), (0.249_9, 0.250)])
  func `a more precise date in the same millisecond replaces a queued log record's date`(
    moment: Double, expected: Double
  ) throws {
    let second = try Date(iso8601: "2026-11-27T05:00:00Z")
    let read = try #require(record(Self.members, at: second.addingTimeInterval(moment)))
    #expect(read.record.date == second.addingTimeInterval(expected))
  }

  @Test
  func `even if AmbientPrivacy.isRevealing is true, queued log records hide private values`()
    async
  {
    await #expect(processExitsWith: .success) {
      AmbientPrivacy.isRevealing = true
      let folder = TemporaryFolder()
      let journal = try Journal(folder: folder.path("queue"))
      let record = LogRecord(
        date: Date(), level: .info, message: "card \("4111", privacy: .private)",
        metadata: ["pin": .private("0815"), "order": 1], source: SourcePlace(fileID: "a", line: 1))
      precondition(UploadRecord.append(record, to: journal) != nil)
      let kept = journal.batch(maximumCount: 1, maximumBytes: 10_000, now: Date()).first
      let line = String(decoding: kept?.bytes ?? [], as: UTF8.self)
      precondition(line.contains(#""message":"<private>""#) && !line.contains("4111"))
      precondition(line.contains(#""pin":"<private>""#) && line.contains(#""order":1"#))
    }
  }
}
