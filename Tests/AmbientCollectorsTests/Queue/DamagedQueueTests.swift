// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientCollectors
import Foundation
import TestSupport
import Testing

@Suite(.quiet) struct `Damaged event queues` {
  private let folder = TemporaryFolder()
  private static let header = 65_536
  private static let capacity = 65_536

  private var file: URL { folder.url.appending(path: "q/queue") }

  /// The file of a queue that has been around its ring, and the events that wait there, each with the
  /// places of its frame.
  private struct Whole {
    var bytes = Data()
    var waiting: [(line: String, places: [Range<Int>])] = []
    var delivered: Set<String> = []
  }

  private func whole() throws -> Whole {
    try? FileManager.default.removeItem(at: file)
    var options = Journal.Options()
    options.capacity = Self.capacity
    let journal = try Journal(folder: folder.path("q"), options)
    var whole = Whole()
    for number in 0..<Int.random(in: 1..<900) {
      let text = String(repeating: "x", count: .random(in: 0..<300))
      let event = TrackedEvent(
        Event("numbered", ["number": number, "text": text]),
        id: UUID(), date: Date())
      Array(event.json.utf8).withUnsafeBytes { _ = journal.append($0, at: event.date) }
      guard number % 10 == 9 else { continue }
      let batch = journal.batch(
        maximumCount: .random(in: 1..<18), maximumBytes: .max, now: Date())
      whole.delivered.formUnion(batch.map { String(decoding: $0.bytes, as: UTF8.self) })
      if let last = batch.last { journal.acknowledge(last.position) }
    }
    let records = journal.batch(maximumCount: .max, maximumBytes: .max, now: Date())
    journal.close()
    whole.bytes = try Data(contentsOf: file)
    // Once more, for what goes around its end.
    let ring = whole.bytes.dropFirst(Self.header) + whole.bytes.dropFirst(Self.header)
    for record in records {
      let place = try #require(ring.range(of: Data(record.bytes))).lowerBound - ring.startIndex
      // A frame's head stands before it.
      let frame = (place + Self.capacity - 24)..<(place + Self.capacity + record.bytes.count)
      let places = frame.split(at: Self.capacity).flatMap { $0.split(at: 2 * Self.capacity) }.map {
        let start = Self.header + $0.lowerBound % Self.capacity
        return start..<start + $0.count
      }
      whole.waiting.append((String(decoding: record.bytes, as: UTF8.self), places))
    }
    return whole
  }

  @Test(arguments: [
    (#"{"id":"a-1","event":7}"#, true), (#"{"id":"a-1"#, true), (#"{"id":""#, false),
    ("no JSON", false),
  ])
  func `an unreadable event in the queue counts as lost and is reported with its ID, if any`(
    line: String, hasID: Bool
  ) async throws {
    try makeQueue(holding: line)
    let reports = Reports()
    let sender = try OTLPSender.analytics.make(
      folder, transport: ScriptedTransport([]), reports: reports, upload: .atFlush)
    await sender.finish()
    #expect(sender.status.lost == ["its record in the queue cannot be read": 1])
    #expect(reports.messages.map { $0.contains(" a-1 ") } == [hasID], "\(reports.messages)")
    #expect(reports.messages.first?.contains("its record in the queue cannot be read") == true)
  }

  @Test(
    arguments: ["HTTP", "HTTP in columns", "ClickHouse", "Google web", "Adobe client", "OTLP log"])
  func `each kind of collector reports an unreadable queue entry with the same reason`(
    name: String
  ) async throws {
    try makeQueue(holding: #"{"id":"a-1"#)
    let reports = Reports()
    let sender = try Diagnostics.withInstance(reports) {
      try collector(name, ScriptedTransport([]), folder)
    }
    await sender.finish()
    #expect(sender.status.lost == ["its record in the queue cannot be read": 1])
    let noun = name == "OTLP log" ? "record" : "event"
    #expect(
      reports.messages.map { $0.contains("\(noun) a-1 ") } == [true], "\(reports.messages)")
  }

  /// Makes a queue in which that line waits.
  private func makeQueue(holding line: String) throws {
    let journal = try Journal(folder: folder.path("queue"), EventQueue.Options.small.journal)
    Array(line.utf8).withUnsafeBytes { bytes in
      #expect(journal.append(bytes, at: Date()))
    }
    journal.close()
  }

  /// What is done to a file: the bytes, and whether one of those was changed.
  private func damaged(
    _ bytes: Data, _ round: Int
  ) -> (bytes: Data, what: String, isHit: (Range<Int>) -> Bool) {
    var bytes = bytes
    switch round % 4 {
    case 0:
      let size = Int.random(in: 136..<bytes.count)
      return (bytes.prefix(size), "cut to \(size)", { $0.upperBound > size })
    case 1:
      let place = Int.random(in: round % 8 == 1 ? 0..<152 : 4_096..<4_128)
      bytes[place] ^= 1 << UInt8.random(in: 0..<8)
      return (bytes, "a bit at \(place)", { _ in false })
    case 2:
      let place = Int.random(in: Self.header..<bytes.count)
      bytes[place] ^= 1 << UInt8.random(in: 0..<8)
      return (bytes, "a bit at \(place)", { $0.contains(place) })
    default:
      let hits = (0..<Int.random(in: 1..<9)).map { _ in
        let start = Int.random(in: Self.header..<bytes.count)
        return start..<min(start + Int.random(in: 1..<2_000), bytes.count)
      }
      for hit in hits { for place in hit { bytes[place] ^= UInt8.random(in: 1...255) } }
      return (bytes, "\(hits)", { place in hits.contains { $0.overlaps(place) } })
    }
  }

  @Test func `all intact events of a damaged queue are delivered`() async throws {
    let taken = Guarded<[String]>([])
    let server = try LoopbackServer { _, request in
      taken.withLock { $0 += request.lines }
      return .answer(200)
    }
    let transport = try CollectorClient()
    for _ in 0..<TestRun.rounds(2, all: 12, full: 50) {
      let whole = try whole()
      let known = Set(whole.waiting.map(\.line))
      for round in 0..<40 {
        let (bytes, what, isHit) = damaged(whole.bytes, round)
        try bytes.write(to: file)
        taken.withLock { $0 = [] }
        let analytics = try HTTPAnalytics(
          url: server.url,
          queue: EventQueue(
            folder: folder.path("q"), EventQueue.Options().with { $0.clientID = "test" }),
          upload: .prompt, transport: transport)
        let damaged = analytics.status.lost["damaged in the queue"] ?? 0
        await analytics.finish()
        let intact = whole.waiting.filter { !$0.places.contains(where: isHit) }.map(\.line)
        let lines = taken.withLock { $0 }
        #expect(numbers(lines.filter(known.contains)) == numbers(intact), "\(what)")
        // Where its counts were lost, some come again that were delivered; nothing else ever does.
        #expect(lines.allSatisfy { known.contains($0) || whole.delivered.contains($0) }, "\(what)")
        #expect(intact.count == known.count || damaged > 0, "\(what)")
        #expect(analytics.status.waiting == 0 && analytics.status.delivered == lines.count)
      }
    }
  }
}

extension Range<Int> {
  /// Its parts before and behind a place, those that are not empty.
  fileprivate func split(at place: Int) -> [Range<Int>] {
    [clamped(to: .min..<place), clamped(to: place..<(.max))].filter { !$0.isEmpty }
  }
}
