// SPDX-License-Identifier: Apache-2.0

import Ambient
import Foundation
import TestSupport
import Testing

@testable import AmbientCollectors

@Suite(.quiet, .timeLimit(.minutes(30))) struct `Damaged journals` {
  private let queue = Queue()
  private static let header = 65_536

  /// The file of a queue that has been around its ring, with what waits in it and where that stands.
  private struct Whole {
    var bytes: [UInt8] = []
    var waiting: [(text: String, places: [Range<Int>])] = []
    var delivered: Set<String> = []
    var last: Journal.Position?
  }

  private func whole(_ random: inout some RandomNumberGenerator) throws -> Whole {
    var whole = Whole()
    try? FileManager.default.removeItem(atPath: queue.file)
    let journal = try queue.open()
    for number in 0..<Int.random(in: 1..<2_000, using: &random) {
      let length = Int.random(in: 0..<400, using: &random)
      journal.append("\(number) ".padding(toLength: length + 5, withPad: "-", startingAt: 0))
      guard number % 10 == 9 else { continue }
      let count = Int.random(in: 1..<18, using: &random)
      let batch = journal.batch(maximumCount: count, maximumBytes: .max, now: Journal.now)
      whole.delivered.formUnion(batch.map(\.text))
      if let last = batch.last { journal.acknowledge(last.position) }
    }
    journal.erase { $0.text.hasPrefix("3") }
    for record in journal.batch(maximumCount: .max, maximumBytes: .max, now: Journal.now) {
      // What follows a record up to the next word is not looked at.
      let start = Int(record.position.count % 65_536)
      let end = start + 24 + record.bytes.count
      whole.waiting.append(
        (
          record.text,
          [start..<min(end, 65_536), 0..<max(end - 65_536, 0)].map {
            $0.lowerBound + Self.header..<$0.upperBound + Self.header
          }
        ))
      whole.last = record.position
    }
    journal.close()
    whole.bytes = try queue.bytes()
    return whole
  }

  /// Opens the damaged file: what waits there, and how often damage was reported.
  private func open() throws -> (journal: Journal, texts: [String], reports: Int) {
    let reports = Reports()
    let journal = try Diagnostics.withInstance(reports) { try queue.open() }
    #expect(reports.all.allSatisfy { $0.kind == .damaged })
    return (journal, journal.texts(), reports.all.count)
  }

  /// - Parameter isHit: Whether a byte of the file was changed.
  private func check(
    _ whole: Whole, _ what: String, keepsCounts: Bool = true, _ isHit: (Range<Int>) -> Bool
  ) throws {
    let (journal, texts, reports) = try open()
    let intact = whole.waiting.filter { !$0.places.contains { !$0.isEmpty && isHit($0) } }
    let known = Set(whole.waiting.map(\.text))
    let waiting = texts.filter { known.contains($0) }
    // By their numbers, since the texts are long.
    #expect(waiting.map(\.number) == intact.map(\.text.number), "\(what)")
    // Where both counts were lost, some may come again that were delivered.
    let others = Set(texts).subtracting(known)
    #expect(keepsCounts ? others.isEmpty : others.isSubset(of: whole.delivered), "\(what)")
    #expect(journal.count == texts.count && Set(texts).count == texts.count, "\(what)")
    // What was erased may be hit, too.
    #expect(waiting.count == known.count || journal.dropped.damaged > 0 || !keepsCounts, "\(what)")
    #expect(reports == 1 || waiting.count == known.count && reports == 0, "\(what)")
    // Positions go on behind those of before.
    journal.append("more")
    let last = try #require(
      journal.batch(maximumCount: .max, maximumBytes: .max, now: Journal.now).last)
    if keepsCounts, let before = whole.last { #expect(last.position > before, "\(what)") }
    // It may have been full.
    let full = journal.dropped.full
    journal.close()
    // What was recovered is whole.
    let again = try self.open()
    #expect(again.texts == texts.dropFirst(full) + ["more"] && again.reports == 0, "\(what)")
    #expect(again.journal.dropped == Journal.Dropped(), "\(what)")
  }

  @Test func `a journal's intact records survive a flipped bit anywhere in the file`() throws {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<TestRun.rounds(2, all: 10, full: 40) {
      let whole = try self.whole(&random)
      for round in 0..<25 {
        var bytes = whole.bytes
        // Some where it matters most.
        let range =
          round % 4 == 0 ? 0..<152 : round % 4 == 1 ? 4_096..<4_128 : 65_536..<bytes.count
        let place = Int.random(in: range)
        bytes[place] ^= 1 << UInt8.random(in: 0..<8)
        try queue.write(bytes)
        try check(whole, "bit at \(place)") { $0.contains(place) }
      }
    }
  }

  @Test func `a journal's intact records survive truncation of the file to any size`() throws {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<TestRun.rounds(2, all: 10, full: 40) {
      let whole = try self.whole(&random)
      for round in 0..<25 {
        let size = Int.random(in: round % 5 == 0 ? 1..<200 : 1..<whole.bytes.count)
        try queue.write(whole.bytes[..<size])
        try check(whole, "cut to \(size)", keepsCounts: size >= 136) { $0.upperBound > size }
      }
    }
  }

  @Test func `a journal's intact records survive random damage to other records and the header`()
    throws
  {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<TestRun.rounds(2, all: 10, full: 40) {
      let whole = try self.whole(&random)
      for round in 0..<10 {
        var bytes = whole.bytes
        var hits: [Range<Int>] = []
        for _ in 0..<Int.random(in: 1..<12) {
          let start = Int.random(in: 65_536..<bytes.count)
          let hit = start..<min(start + Int.random(in: 1..<2_000), bytes.count)
          for place in hit { bytes[place] ^= UInt8.random(in: 1...255) }
          hits.append(hit)
        }
        // And the header, with both counts.
        let isLost = round % 2 == 0 && bytes[65_536...].contains { $0 != 0 }
        if isLost { for place in 0..<8_192 { bytes[place] = round % 4 == 0 ? 0 : 0xA5 } }
        try queue.write(bytes)
        do {
          try check(whole, "\(hits)", keepsCounts: !isLost) { place in
            hits.contains { $0.overlaps(place) }
          }
        } catch JournalError.foreign where isLost {
          // Nothing is left that would tell whose it is.
          #expect(
            whole.waiting.allSatisfy {
              $0.places.contains { place in
                !place.isEmpty && hits.contains { $0.overlaps(place) }
              }
            })
        }
      }
    }
  }

  @Test func `all records of a journal survive the loss of the file's first page`()
    throws
  {
    var random = SystemRandomNumberGenerator()
    for byte in [0, 0xA5] as [UInt8] {
      let whole = try self.whole(&random)
      let page = [UInt8](repeating: byte, count: 4_096)
      try queue.write(page + whole.bytes[4_096...])
      try check(whole, "a page of \(byte)", keepsCounts: false) { _ in false }
    }
  }

  /// What never changes stands in the header twice, since without records nothing else tells it.
  @Test(arguments: [0, 0xA5] as [UInt8])
  func `if an empty journal's first page is lost, the journal opens from the header's copy`(
    _ byte: UInt8
  )
    throws
  {
    let page = [UInt8](repeating: byte, count: 4_096)
    for capacity in [1 << 17, 1 << 18] {
      // Made the first time, and made larger the second.
      try queue.open { $0.capacity = capacity }.close()
      try queue.write(page + queue.bytes()[4_096...])
      let (journal, texts, reports) = try open()
      #expect(journal.capacity == capacity && texts.isEmpty && reports == 1)
      journal.close()
    }
  }

  @Test func `lost copies of a journal's header are reported once and rewritten`()
    throws
  {
    let journal = try queue.open()
    for number in 0..<3 { journal.append("\(number)") }
    journal.close()
    let whole = try queue.bytes()
    // What never changes takes 32 bytes. The counts stand behind the first copy, and are not hit.
    var messages: Set<String> = []
    for places in [[0], [0, 4_096]] {
      var bytes = whole
      for place in places {
        bytes.replaceSubrange(place..<place + 32, with: [UInt8](repeating: 0xA5, count: 32))
      }
      try queue.write(bytes)
      let reports = Reports()
      try Diagnostics.withInstance(reports) {
        for _ in 0..<2 {
          let again = try queue.open()
          #expect(again.texts() == ["0", "1", "2"] && again.dropped == Journal.Dropped())
          again.close()
        }
      }
      #expect(reports.all.map(\.kind) == [.damaged])
      messages.formUnion(reports.messages)
    }
    #expect(messages.count == 2, "\(messages)")
  }

  /// The counts stand at 64 and at 128, twice each.
  @Test(
    arguments: [
      (1, [70_000, 131_072]), (2, []), (3, []),
    ] as [(Int, [Int])])
  func `a report on a damaged journal counts the lost and the waiting records`(
    _ damage: Int, _ sizes: [Int]
  ) throws {
    let journal = try queue.open()
    journal.append("0")
    let old = try queue.bytes()
    for number in 1..<3 { journal.append("\(number)") }
    journal.close()
    var bytes = try queue.bytes()
    switch damage {
    case 1: bytes.removeSubrange(70_000...)
    case 2:
      for place in [64, 128] {
        bytes.replaceSubrange(place..<place + 16, with: [UInt8](repeating: 0xA5, count: 16))
      }
    default: bytes.replaceSubrange(64..<144, with: old[64..<144])
    }
    try queue.write(bytes)
    let again = try queue.open()
    #expect(again.texts() == ["0", "1", "2"])
    #expect(Test.reports.map(\.kind) == [.damaged])
    #expect(Test.reports.first?.message.numbers == sizes + [3])
  }

  /// A process that was killed may have stored its last record, and not yet the count.
  @Test
  func `if a journal's header omits the last record, the record is kept without a report`()
    throws
  {
    let journal = try queue.open()
    journal.append("0")
    let old = try queue.bytes()
    journal.append("1")
    journal.close()
    var bytes = try queue.bytes()
    bytes.replaceSubrange(64..<144, with: old[64..<144])
    try queue.write(bytes)
    #expect(try queue.open().texts() == ["0", "1"])
    // Nor where only one of both copies of the count was stored.
    bytes = try queue.bytes()
    for place in [72, 136] {
      bytes.replaceSubrange(place..<place + 8, with: old[place..<place + 8])
    }
    try queue.write(bytes)
    #expect(try queue.open().texts() == ["0", "1"])
    #expect(Test.reports.isEmpty)
  }

  @Test func `if a journal's header stores an end past the last record, the end is corrected`()
    async
  {
    await #expect(processExitsWith: .success) {
      endIfHanging()
      let header = RingHeader(
        magic: Array("AmbQueue".utf8), version: 1, capacities: 65_536...65_536)
      // Shorter than the head of a frame.
      for excess in [8, 16] as [UInt64] {
        let queue = Queue()
        let journal = try queue.open()
        for number in 0..<3 { journal.append("record \(number)") }
        let end = journal.end
        journal.close()
        let file = try FileDescriptor.existing(queue.file, toWrite: true)
        try header.write(to: file, capacity: 65_536, end: end.count + excess)
        file.close()
        let reports = Reports()
        let again = try Diagnostics.withInstance(reports) {
          try queue.open()
        }
        #expect(again.texts() == ["record 0", "record 1", "record 2"], "\(excess)")
        #expect(again.end == end && reports.all.map(\.kind) == [.damaged], "\(excess)")
        again.append("record 3")
        #expect(again.texts().last == "record 3" && again.count == 4, "\(excess)")
      }
    }
  }

  @Test func `a journal file that was created only in part opens empty, without a damage report`()
    throws
  {
    var random = SystemRandomNumberGenerator()
    _ = try whole(&random)
    try FileManager.default.removeItem(atPath: queue.file)
    do { _ = try queue.open() }
    let new = try queue.bytes()
    for size in [0, 4_096, 4_128, 65_536, 70_000] {
      try queue.write(new[..<size])
      let (journal, texts, reports) = try open()
      #expect(texts.isEmpty && reports == 0 && journal.append("one"), "\(size)")
      #expect(try queue.bytes().count == new.count)
    }
    // And of zeros, as the disk may have them after a loss of power.
    try queue.write([UInt8](repeating: 0, count: new.count))
    #expect(try open().reports == 0)
  }

  @Test
  func `a journal with an outdated header still returns all records that weren't overwritten`()
    throws
  {
    let old: [UInt8]
    do {
      let journal = try queue.open()
      for number in 0..<100 { journal.append("old \(number)") }
      old = try queue.bytes()
    }
    do {
      let journal = try queue.open()
      for number in 0..<10_000 { journal.append("\(number)") }
      #expect(journal.count < 2_100)
      #expect(Test.reports.map(\.kind) == [.undelivered])
    }
    var bytes = try queue.bytes()
    bytes.replaceSubrange(..<4_096, with: old[..<4_096])
    try queue.write(bytes)
    let (journal, texts, reports) = try open()
    #expect(texts.last == "9999" && texts.count == 2_048 && reports == 1)
    #expect(texts == texts.map { Int($0) ?? 0 }.sorted().map { "\($0)" } && journal.count == 2_048)
  }

  @Test(arguments: [0, 100])
  func `records behind lost pages survive even if the journal's header is outdated`(
    _ counted: Int
  ) throws {
    let journal = try queue.open()
    for number in 0..<counted {
      journal.append("\(number) ".padding(toLength: 90, withPad: "-", startingAt: 0))
    }
    let old = try queue.bytes()
    for number in counted..<400 {
      journal.append("\(number) ".padding(toLength: 90, withPad: "-", startingAt: 0))
    }
    let last = journal.end
    journal.close()
    var bytes = try queue.bytes()
    // Two pages of the ring did not come to the disk, nor did the counts.
    bytes.replaceSubrange(..<4_096, with: old[..<4_096])
    let gap = Self.header + 16_384..<Self.header + 24_576
    bytes.replaceSubrange(gap, with: [UInt8](repeating: 0, count: gap.count))
    try queue.write(bytes)
    let (again, texts, reports) = try open()
    let expected = (0..<400).filter { number in
      let start = Self.header + number * 120
      return !gap.overlaps(start..<start + 120)
    }
    #expect(texts.compactMap { Int($0.number) } == expected)
    #expect(reports == 1 && again.dropped.damaged > 0 && again.end == last)
  }

  /// The lengths that a damaged head says lie beyond the ring, and within it but beyond the end.
  @Test(arguments: [0x7FFF_FFFF, 1_000] as [UInt32])
  func `damage to an open journal's file is reported once, and the intact records are kept`(
    _ length: UInt32
  ) throws {
    let journal = try queue.open()
    for number in 0..<20 { journal.append("record \(number)") }
    let batch = journal.batch(maximumCount: 20, maximumBytes: 999, now: Journal.now)
    let file = try FileHandle(forUpdating: URL(filePath: queue.file))
    for number in [3, 4, 9] {
      try file.seek(toOffset: 65_536 + batch[number].position.count + 26)
      try file.write(contentsOf: Data("XX".utf8))
    }
    // A head, which leads to the next.
    try file.seek(toOffset: 65_536 + batch[15].position.count + 8)
    try file.write(contentsOf: withUnsafeBytes(of: length.littleEndian) { Data($0) })
    let reports = Reports()
    Diagnostics.withInstance(reports) {
      let left = (0..<20).filter { ![3, 4, 9, 15].contains($0) }
      #expect(journal.texts() == left.map { "record \($0)" })
      #expect(journal.texts(after: batch[3].position).count == 13)
      #expect((journal.count, journal.dropped) == (16, .init(damaged: 4)))
      journal.acknowledge(batch[17].position)
      #expect(journal.texts() == ["record 18", "record 19"] && journal.count == 2)
    }
    #expect(reports.all.map(\.kind) == [.damaged])
    #expect(reports.messages.first?.numbers == [4, 16], "\(reports.messages)")
  }

  /// What is acknowledged is removed without a look at the records.
  @Test(arguments: [0x7FFF_FFFF, 1_000] as [UInt32])
  func `acknowledging a journal record with a damaged length loses no other record`(
    _ length: UInt32
  ) throws {
    let journal = try queue.open()
    for number in 0..<20 { journal.append("record \(number)") }
    let batch = journal.batch(maximumCount: 20, maximumBytes: 999, now: Journal.now)
    try #require(batch.count == 20)
    let file = try FileHandle(forUpdating: URL(filePath: queue.file))
    try file.seek(toOffset: 65_536 + batch[3].position.count + 8)
    try file.write(contentsOf: withUnsafeBytes(of: length.littleEndian) { Data($0) })
    journal.acknowledge(batch[3].position)
    #expect(journal.texts() == (4..<20).map { "record \($0)" })
    #expect((journal.count, journal.dropped) == (16, .init(damaged: 1)))
    #expect(Test.reports.map(\.kind) == [.damaged])
  }
}

extension String {
  fileprivate var number: Substring { prefix { $0 != " " } }
}

@Suite struct `Truncated journals` {
  /// A lost page would end the program then.
  @Test func `a truncated journal opens even if FileLog.survivesLostPages is false`() async {
    await #expect(processExitsWith: .success) {
      FileLog.survivesLostPages = false
      Diagnostics.instance = .calling { _ in }
      let queue = Queue()
      let journal = try queue.open()
      for number in 0..<1_000 { journal.append("\(number)") }
      journal.close()
      // The records of the first page are left, of 32 bytes each with their frames.
      try queue.write(queue.bytes().prefix(RingHeader.size + 4_096))
      #expect(try queue.open().count == 4_096 / 32)
    }
  }
}
