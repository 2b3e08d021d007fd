// SPDX-License-Identifier: Apache-2.0

import Ambient
import Foundation
import TestSupport
import Testing

@testable import AmbientCollectors

/// A destination whose requests have a head of 7 bytes, and which refuses some events.
private struct Picky: LineDestination {
  let name = "Picky"
  let limits = RequestLimits(events: 2, bytes: 30)

  func entry(for record: [UInt8], at date: Date, now: Date) throws(EventRefusal) -> EventEntry {
    guard let first = record.first, first != UInt8(ascii: "!") else { throw EventRefusal("no") }
    return EventEntry(record, group: String(decoding: [first], as: UTF8.self))
  }

  func overhead(of group: String) -> Int { 7 }
}

@Suite struct `Upload batches` {
  private func part(_ name: String) -> UploadBatch { UploadBatch(group: name, overhead: 7) }

  @Test func `each UploadBatch has events of one group and leaves out events that are too large`()
    throws
  {
    let folder = TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let journal = try EventQueue(folder: folder.path("queue"), .small).journal
    let long = "a" + String(repeating: "-", count: 21)
    for line in ["a1", "!", "b1", "a2", "a3", long, "b2", "a" + long, "!", "a4"] {
      #expect(Array(line.utf8).withUnsafeBytes { journal.append($0, at: Date()) })
    }
    let records = journal.batch(maximumCount: 99, maximumBytes: .max, now: Date())
    var refused: [String] = []
    let batches = UploadBatch.batches(
      of: records, for: Picky(), RequestLimits(events: 2, bytes: 30), now: Date()
    ) { refused.append("\($0) \($1)") }
    #expect(refused == ["1 no", "7 too large for a request", "8 no"])
    #expect(batches.map(\.group) == ["a", "b", "a", "a", "a"])
    #expect(batches.map { $0.entries.map(\.index) } == [[0, 3], [2, 6], [4], [5], [9]])
  }

  @Test func `the halves of an UploadBatch have the batch's group, event order and head size`() {
    let limits = RequestLimits(events: 10, bytes: 1_000, separator: 2)
    var batch = part("group")
    #expect(batch.bytes == 7)
    for index in 0..<3 { batch.append(index, [UInt8](repeating: 0, count: 10 + index), limits) }
    #expect(batch.bytes == 7 + 12 + 13 + 14)
    let halves = batch.halves(limits)
    let (first, second) = (halves[1], halves[0])
    #expect(first.entries.map(\.index) == [0] && first.bytes == 7 + 12)
    #expect(second.entries.map(\.index) == [1, 2] && second.bytes == 7 + 13 + 14)
    #expect(first.group == "group" && second.group == "group")
  }

  @Test(arguments: [(2, 100, true), (1, 100, false), (2, 34, true), (2, 33, false)])
  func `UploadBatch.hasRoom is true only if an event fits the limits of events and bytes`(
    events: Int, bytes: Int, hasRoom: Bool
  ) {
    let limits = RequestLimits(events: events, bytes: bytes, separator: 2)
    var batch = part("")
    batch.append(0, [1, 2, 3], limits)
    let entry = EventEntry([UInt8](repeating: 0, count: 20))
    #expect(batch.hasRoom(for: entry, limits) == hasRoom)
  }
}
