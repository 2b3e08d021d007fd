// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Ambient
@testable import AmbientCollectors

/// A queue in a folder of its own.
struct Queue {
  let folder = TemporaryFolder()
  var file: String { folder.path("queue/queue") }

  func open(_ change: (inout Journal.Options) -> Void = { _ in }) throws -> Journal {
    var options = Journal.Options()
    options.capacity = 65_536
    change(&options)
    return try Journal(folder: folder.path("queue"), options)
  }

  func bytes() throws -> [UInt8] { try Array(Data(contentsOf: URL(filePath: file))) }

  func write(_ bytes: some Sequence<UInt8>) throws {
    try folder.makeFolder("queue")
    try Data(bytes).write(to: URL(filePath: file))
  }
}

extension Journal {
  static let now = Date(timeIntervalSince1970: 1_795_000_000.123_456)

  @discardableResult
  func append(_ text: String, at date: Date = now) -> Bool {
    Array(text.utf8).withUnsafeBytes { append($0, at: date) }
  }

  /// What waits, and stays.
  func texts(after position: Position? = nil, _ count: Int = .max, bytes: Int = .max) -> [String] {
    batch(after: position, maximumCount: count, maximumBytes: bytes, now: Self.now).map(\.text)
  }
}

extension Journal.Record {
  var text: String { String(decoding: bytes, as: UTF8.self) }
}

@Suite(.timeLimit(.minutes(30))) struct `Journal contents and limits` {
  private let queue = Queue()

  /// The first 64 MiB are also written.
  @Test func `opening a journal reserves its whole capacity on disk`() throws {
    let journal = try queue.open { $0.capacity = 1 << 27 }
    defer { journal.close() }
    var status = stat()
    #expect(stat(queue.file, &status) == 0 && Int(status.st_size) == 65_536 + 1 << 27)
    #expect(Int(status.st_blocks) * 512 >= Int(status.st_size))
  }

  @Test func `a journal returns the appended records in order with their dates`() throws {
    let journal = try queue.open()
    let texts = ["one", "", "\0three\0", String(repeating: "four", count: 1_000)]
    for (second, text) in texts.enumerated() {
      #expect(journal.append(text, at: Journal.now + Double(second)))
    }
    let records = journal.batch(maximumCount: 10, maximumBytes: .max, now: Journal.now)
    #expect(records.map(\.text) == texts)
    #expect(records.map(\.date) == (0..<4).map { Journal.now + Double($0) })
    #expect(records.map(\.position) == records.map(\.position).sorted())
    #expect(Set(records.map(\.position)).count == 4)
    #expect((journal.count, journal.byteCount) == (4, 3 + 7 + 4_000))
    #expect(journal.oldest == Journal.now)
    #expect(journal.capacity == 65_536)
    #expect(journal.dropped == Journal.Dropped())
  }

  @Test func `a journal's defaults are 16 MiB, owner-only permissions and no maximum age`()
    throws
  {
    let options = Journal.Options()
    #expect(options.capacity == 16 << 20 && options.maximumAge == nil)
    #expect(options.permissions == 0o600)
    for permissions in [0o600, 0o666] as [UInt16] {
      try? FileManager.default.removeItem(atPath: queue.file)
      let journal = try queue.open { $0.permissions = permissions }
      #expect(try FileStatus(at: queue.file).permissions == permissions)
      #expect(try FileStatus(at: queue.file).size == 131_072)
      #expect(journal.maximumAge == nil && journal.expire(now: .distantFuture) == nil)
    }
  }

  @Test func `Journal.hasRoom is true only if a record fits without dropping other records`() throws
  {
    let journal = try queue.open()
    #expect(journal.hasRoom(for: 16_384) && !journal.hasRoom(for: 16_385))
    for _ in 0..<3 { journal.append(String(repeating: "x", count: 16_384 - 24)) }
    #expect(journal.hasRoom(for: 16_384 - 24) && !journal.hasRoom(for: 16_384 - 23))
    journal.append(String(repeating: "x", count: 16_384 - 24))
    #expect(!journal.hasRoom(for: 0) && journal.dropped == Journal.Dropped())
    journal.close()
    #expect(!journal.hasRoom(for: 0))
  }

  @Test(.quiet)
  func `Journal.expire drops expired records and returns the time until the next expiry`()
    throws
  {
    let journal = try queue.open { $0.maximumAge = .seconds(60) }
    let start = Date(timeIntervalSince1970: 1_795_000_000)
    #expect(journal.expire(now: start) == nil)
    journal.append("0", at: start)
    journal.append("1", at: start + 30)
    #expect(journal.expire(now: start + 10) == .seconds(50))
    #expect(journal.expire(now: start + 60) == .zero && journal.count == 2)
    #expect(journal.expire(now: start + 61) == .seconds(29))
    #expect(journal.texts().isEmpty == false && journal.dropped == .init(expired: 1))
    #expect(journal.expire(now: start + 91) == nil && journal.count == 0)
  }

  @Test(.quiet)
  func `a journal record with a date from before the system clock was set never expires`()
    throws
  {
    let journal = try queue.open { $0.maximumAge = .seconds(60) }
    let start = Date(timeIntervalSince1970: 1_795_000_000)
    let first = try Date(iso8601: "2020-01-01T00:00:00Z")
    let dates = [
      Date(timeIntervalSince1970: 0), first.addingTimeInterval(-0.000_001), first, start,
      .distantPast,
      start + 30,
    ]
    for (number, date) in dates.enumerated() { journal.append("\(number)", at: date) }
    #expect(dates.map { journal.isTooOld($0, now: start + 60) }.firstIndex(of: true) == 2)
    #expect(dates.count { journal.isTooOld($0, now: start + 60) } == 1)
    #expect(dates.count { journal.isTooOld($0, now: Date(timeIntervalSince1970: .nan)) } == 0)
    #expect(journal.expire(now: start + 10) == .seconds(50))
    #expect(journal.dropped == .init(expired: 1) && journal.count == 5)
    #expect(journal.expire(now: start + 61) == .seconds(29))
    let records = journal.batch(maximumCount: 9, maximumBytes: 9, now: start + 91)
    #expect(records.map(\.text) == ["0", "1", "4"])
    #expect(journal.dropped == .init(expired: 3))
    #expect(journal.expire(now: .distantFuture) == nil && journal.count == 3)
  }

  @Test(.quiet)
  func `an expired journal record is dropped even if it is behind many that never expire`()
    throws
  {
    let journal = try queue.open { $0.maximumAge = .seconds(60) }
    for _ in 0..<1_000 { journal.append("unset", at: Date(timeIntervalSince1970: 5)) }
    journal.append("old", at: Journal.now)
    journal.append("new", at: Journal.now + 30)
    #expect(journal.expire(now: Journal.now + 61) == .seconds(29))
    #expect(journal.count == 1_001 && journal.dropped == .init(expired: 1))
  }

  @Test func `Journal.tally returns the same counts after the journal is closed`()
    throws
  {
    let journal = try queue.open()
    for text in ["one", "three"] { journal.append(text) }
    for _ in 1...2 {
      let (waiting, dropped, counts) = journal.tally { 7 }
      #expect(waiting.count == 2 && waiting.bytes == 8 && waiting.oldest == Journal.now)
      #expect(dropped == Journal.Dropped() && counts == 7)
      journal.close()
    }
    #expect(journal.waiting.count == 2 && journal.count == 0 && journal.end.count == 0)
  }

  @Test func `a journal's capacity rounds up to a power of two within the limits`() {
    let header = RingHeader(magic: [], version: 1, capacities: 65_536...(1 << 31))
    let sizes = [
      (0, 65_536), (-1, 65_536), (65_536, 65_536), (65_537, 131_072), (131_072, 131_072),
      (1 << 31, 1 << 31), ((1 << 31) - 1, 1 << 31), (1 << 40, 1 << 31), (.max, 1 << 31),
    ]
    for (wanted, size) in sizes { #expect(header.power(of: wanted) == size, "\(wanted)") }
  }

  /// Dates count from 2001, a record's microseconds from 1970.
  @Test func `a journal stores record dates before 2001 and before 1970 to the microsecond`() throws
  {
    let journal = try queue.open()
    let texts = [
      "2000-12-31T23:59:59.999999Z", "2000-12-31T23:59:59.000001Z", "1999-01-01T00:00:00.250000Z",
      "1970-01-01T00:00:00.000000Z", "1969-12-31T23:59:59.999999Z", "1969-12-31T23:59:58.000000Z",
      "0001-01-01T00:00:00.000000Z",
    ]
    for text in texts { journal.append(text, at: try Date(iso8601: text)) }
    let records = journal.batch(maximumCount: 9, maximumBytes: .max, now: Journal.now)
    #expect(records.map { $0.date.iso8601(fractionDigits: 6) } == texts)
  }

  @Test func `only the first record of a journal batch can exceed the batch's limit in bytes`()
    throws
  {
    let journal = try queue.open()
    for number in 1...9 { journal.append(String(repeating: "\(number)", count: number)) }
    #expect(journal.texts(2) == ["1", "22"])
    #expect(journal.texts(0) == [] && journal.texts(-1) == [])
    #expect(journal.texts(bytes: 6) == ["1", "22", "333"])
    #expect(journal.texts(bytes: 7) == ["1", "22", "333"])
    #expect(journal.texts(bytes: 0) == ["1"])
    let third = journal.batch(maximumCount: 3, maximumBytes: 9, now: Journal.now)[2].position
    #expect(journal.texts(after: third, bytes: 5) == ["4444"])
    #expect(journal.texts(after: third, 2) == ["4444", "55555"])
    let last = try #require(
      journal.batch(maximumCount: 9, maximumBytes: 99, now: Journal.now).last
    ).position
    #expect(journal.texts(after: last) == [])
    #expect(journal.count == 9)
  }

  @Test func `acknowledged journal records aren't read again, even after the journal is reopened`()
    throws
  {
    do {
      let journal = try queue.open()
      for number in 1...9 { journal.append("\(number)") }
      let records = journal.batch(maximumCount: 5, maximumBytes: 99, now: Journal.now)
      journal.acknowledge(records[1].position)
      #expect(journal.texts() == ["3", "4", "5", "6", "7", "8", "9"])
      // Again, and one from before.
      journal.acknowledge(records[1].position)
      journal.acknowledge(records[0].position)
      #expect(journal.texts().count == 7)
      journal.acknowledge(records[4].position)
      #expect((journal.count, journal.byteCount) == (4, 4))
      // One that was acknowledged already is none to go on behind.
      #expect(journal.texts(after: records[0].position) == ["6", "7", "8", "9"])
    }
    let journal = try queue.open()
    #expect(journal.texts() == ["6", "7", "8", "9"])
    #expect((journal.count, journal.byteCount) == (4, 4))
    journal.append("10")
    #expect(journal.texts() == ["6", "7", "8", "9", "10"])
    #expect(journal.dropped == Journal.Dropped())
  }

  @Test(.quiet)
  func `acknowledging a record that a full journal dropped lowers the dropped count`()
    throws
  {
    let journal = try queue.open()
    func text(_ number: Int) -> String {
      "\(number) ".padding(toLength: 100, withPad: "-", startingAt: 0)
    }
    for number in 0..<10 { journal.append(text(number)) }
    let read = journal.batch(maximumCount: 5, maximumBytes: .max, now: Journal.now)
    for number in 10..<1_000 { journal.append(text(number)) }
    #expect((journal.dropped.full, journal.count) == (488, 512))
    // The first three; then the others, wherever they stand.
    journal.acknowledge(read[2].position)
    #expect(journal.dropped.full == 485)
    #expect(journal.acknowledge(read.map(\.position)) == 2)
    #expect(journal.acknowledge(read.map(\.position)) == 0)
    #expect((journal.dropped.full, journal.count) == (483, 512))
    // What was read and is read again by somebody is nobody's any more.
    let other = journal.batch(maximumCount: 5, maximumBytes: .max, now: Journal.now)
    for number in 1_000..<1_010 { journal.append(text(number)) }
    _ = journal.batch(maximumCount: 5, maximumBytes: .max, now: Journal.now)
    #expect(journal.acknowledge(other.map(\.position)) == 0)
    #expect(journal.dropped.full == 493)
    #expect(Test.reports.map(\.kind) == [.undelivered])
  }

  @Test func `a journal never uses a position for two records, even after it is reopened`() throws {
    var last: Journal.Position?
    for _ in 0..<3 {
      let journal = try queue.open()
      for round in 0..<2_000 {
        journal.append("\(round) is a record of some length")
        let records = journal.batch(maximumCount: 3, maximumBytes: .max, now: Journal.now)
        #expect(records.count == 1 && last.map { $0 < records[0].position } != false)
        last = records[0].position
        journal.acknowledge(records[0].position)
      }
      #expect((journal.count, journal.byteCount, journal.oldest) == (0, 0, nil))
    }
  }

  @Test(.quiet) func `a full journal drops and counts its oldest records`() throws {
    let journal = try queue.open()
    // A hundred bytes and a frame are 128.
    for number in 0..<1_000 {
      #expect(journal.append("\(number) ".padding(toLength: 100, withPad: "-", startingAt: 0)))
    }
    let numbers = journal.texts().compactMap { Int($0.prefix { $0 != " " }) }
    #expect(numbers == Array(488..<1_000))
    #expect(journal.dropped == .init(full: 488))
    #expect((journal.count, journal.byteCount) == (512, 51_200))
    // A large one drops as many as it needs.
    journal.append(String(repeating: "x", count: 16_000))
    #expect(journal.dropped.full == 488 + 126 && journal.count == 512 - 126 + 1)
    #expect(Test.reports.map(\.kind) == [.undelivered])
    #expect(Test.reports.first?.message.numbers == [65_536])
  }

  @Test(.quiet)
  func `a record longer than a quarter of the journal's capacity is refused and counted`() throws {
    let journal = try queue.open()
    #expect(journal.append(String(repeating: "x", count: 16_384)))
    for _ in 0..<2 { #expect(!journal.append(String(repeating: "y", count: 16_385))) }
    #expect(journal.dropped == .init(tooLong: 2) && journal.count == 1)
    #expect(Test.reports.map(\.kind) == [.undelivered])
    #expect(Test.reports.first?.message.numbers == [16_384])
  }

  @Test func `no journal record is lost if appends and reads are concurrent`() throws {
    let journal = try queue.open { $0.capacity = 1 << 20 }
    let read = Guarded<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 2) { thread in
      for number in 0..<2_000 {
        #expect(journal.append("\(thread) \(number)"))
        guard thread == 1, number % 50 == 49 else { continue }
        let batch = journal.batch(maximumCount: 60, maximumBytes: .max, now: Journal.now)
        read.withLock { $0 += batch.map(\.text) }
        if let last = batch.last { journal.acknowledge(last.position) }
      }
    }
    let all = read.withLock { $0 } + journal.texts()
    for thread in ["0 ", "1 "] {
      let own = all.filter { $0.hasPrefix(thread) }
      #expect(own == (0..<2_000).map { thread + "\($0)" })
    }
    #expect(all.count == 4_000 && journal.dropped == Journal.Dropped())
  }

  @Test(.quiet)
  func `an empty journal can be reopened with another capacity and doesn't reuse positions`() throws
  {
    var last: Journal.Position?
    let sizes = [(65_536, 65_536), (1 << 20, 1 << 20), (100_000, 1 << 17), (1, 1 << 16)]
    for (wanted, size) in sizes + [(1 << 18 - 1, 1 << 18)] {
      do {
        let journal = try queue.open { $0.capacity = wanted }
        #expect(journal.capacity == size)
        for number in 0..<3_000 { journal.append("\(number)") }
      }
      // One that is not empty keeps its own.
      let journal = try queue.open { $0.capacity = 1 << 22 }
      #expect(journal.capacity == size)
      let records = journal.batch(maximumCount: .max, maximumBytes: .max, now: Journal.now)
      #expect(records.count == min(3_000, size / 32) && records.last?.text == "2999")
      let first = try #require(records.first).position
      #expect(last.map { $0 < first } != false)
      last = records.last?.position
      if let last { journal.acknowledge(last) }
    }
    // Two of them have no room for all.
    #expect(Test.reports.map(\.kind) == [.undelivered, .undelivered])
  }

  @Test(.quiet)
  func `reading a journal drops expired records, except those before the reading position`() throws
  {
    let journal = try queue.open { $0.maximumAge = .seconds(60) }
    for second in 0..<10 { journal.append("\(second)", at: Journal.now + Double(second)) }
    journal.append("late", at: Journal.now - 1)
    func texts(_ second: Double, after position: Journal.Position? = nil) -> [String] {
      journal.batch(
        after: position, maximumCount: 99, maximumBytes: 99, now: Journal.now + second
      ).map(\.text)
    }
    #expect(texts(59).count == 11)
    #expect(texts(60) == (0..<10).map { "\($0)" })
    #expect(journal.dropped == .init(expired: 1))
    let all = journal.batch(maximumCount: 99, maximumBytes: 99, now: Journal.now)
    #expect(texts(64, after: all[1].position) == ["4", "5", "6", "7", "8", "9"])
    #expect((journal.count, journal.dropped.expired) == (8, 3))
    #expect(texts(64) == ["4", "5", "6", "7", "8", "9"])
    #expect((journal.count, journal.dropped.expired) == (6, 5))
    #expect(texts(1e9).isEmpty && journal.count == 0 && journal.dropped.expired == 11)
    #expect(Test.reports.map(\.kind) == [.undelivered])
    #expect(Test.reports.first?.message.contains("60.0 seconds") == true)
  }
}

extension Journal.Dropped {
  init(full: Int = 0, expired: Int = 0, damaged: Int = 0, tooLong: Int = 0) {
    self.init()
    (self.full, self.expired, self.damaged, self.tooLong) = (full, expired, damaged, tooLong)
  }
}
