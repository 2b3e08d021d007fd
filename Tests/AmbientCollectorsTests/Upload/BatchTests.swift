// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientCollectors
import Foundation
import TestSupport
import Testing

@Suite(.quiet) struct `Request batching` {
  private let folder = TemporaryFolder()

  @Test func `each request has as many events as fit its byte limit, and no more`()
    async throws
  {
    let transport = ScriptedTransport([])
    let analytics = try HTTPAnalytics(
      transport, folder, limits: RequestLimits(events: 100, bytes: 1_000),
      upload: UploadOptions().with { $0.events = 50 })
    analytics.track(0..<100)
    await analytics.finish()
    let bodies = transport.exchanges.map(\.request.body.count)
    #expect(bodies.allSatisfy { $0 <= 1_000 })
    // Another event would not have fitted.
    let line = try #require(transport.exchanges.first?.lines.first).utf8.count + 1
    #expect(bodies.first.map { $0 + line > 1_000 } == true)
    #expect(numbers(transport.exchanges.flatMap(\.lines)) == Array(0..<100))
  }

  @Test func `with a limit of seven events per request, 14 events are sent in two requests`()
    async throws
  {
    let transport = ScriptedTransport([])
    let analytics = try HTTPAnalytics(
      transport, folder, limits: RequestLimits(events: 7, bytes: 100_000))
    analytics.track(0..<14)
    await analytics.finish()
    #expect(transport.exchanges.map(\.lines.count) == [7, 7])
  }

  @Test func `an event that is too large for any request counts as lost and is reported`()
    async throws
  {
    let reports = Reports()
    let transport = ScriptedTransport([])
    let analytics = try Diagnostics.withInstance(reports) {
      try HTTPAnalytics(transport, folder, limits: RequestLimits(events: 100, bytes: 2_000))
    }
    analytics.track(0..<2)
    analytics.track(Event("long", ["text": String(repeating: "x", count: 3_000)]))
    analytics.track(2..<4)
    await analytics.finish()
    #expect(numbers(transport.exchanges.flatMap(\.lines)) == [0, 1, 2, 3])
    #expect(analytics.status.lost == ["too large for a request": 1])
    #expect(reports.all.count == 1)
  }

  @Test func `a request that gets status 413 is halved, and later requests stay small`()
    async throws
  {
    let transport = ScriptedTransport { _, lines in .answer(lines.count > 10 ? 413 : 200) }
    let analytics = try HTTPAnalytics(
      transport, folder, upload: UploadOptions().with { $0.events = 40 })
    analytics.track(0..<200)
    await analytics.finish()
    #expect(analytics.status.delivered == 200)
    let accepted = transport.exchanges.map(\.lines).filter { $0.count <= 10 }
    #expect(numbers(accepted.flatMap { $0 }) == Array(0..<200))
    #expect(transport.exchanges.filter { $0.lines.count > 10 }.count <= 3)
  }

  @Test func `after a 413 halves the byte limit, a batch of exactly the new limit is sent whole`()
    async throws
  {
    let transport = ScriptedTransport { number, _ in .answer(number == 0 ? 413 : 200) }
    let analytics = try QueuedAnalytics(Headed(), transport, folder)
    // With the head and the separators, 400 bytes: the half may have 200.
    for size in [49, 49, 99, 99] { analytics.track(Event("sized", ["size": size])) }
    await analytics.finish()
    #expect(transport.exchanges.map { $0.request.headers["count"] } == ["4", "2", "1", "1"])
    #expect(analytics.status.delivered == 4)
  }

  @Test(arguments: [(200, [2]), (199, [1, 1])])
  func `a request's size in bytes includes the head and a separator after each event`(
    limit: Int, counts: [Int]
  ) async throws {
    let transport = ScriptedTransport([])
    let limits = RequestLimits(events: 10, bytes: limit)
    let analytics = try QueuedAnalytics(Headed(limits: limits), transport, folder, upload: .atFlush)
    for size in [49, 49] { analytics.track(Event("sized", ["size": size])) }
    await analytics.finish()
    let sent = transport.exchanges.compactMap { $0.request.headers["count"].flatMap { Int($0) } }
    #expect(sent == counts)
  }

  @Test(arguments: [(100, [2]), (99, [1, 1]), (50, [1, 1]), (49, [])])
  func `the size of a request without a head includes only the events and their separators`(
    limit: Int, counts: [Int]
  ) async throws {
    let transport = ScriptedTransport([])
    let destination = Headless(limits: RequestLimits(events: 10, bytes: limit))
    let analytics = try QueuedAnalytics(destination, transport, folder, upload: .atFlush)
    analytics.track(0..<2)
    await analytics.finish()
    #expect(transport.exchanges.map { ($0.request.body.count + 1) / 50 } == counts)
    #expect(analytics.status.lost == (counts == [] ? ["too large for a request": 2] : [:]))
  }

  @Test func `if a single event gets a 413, the event is reported with the server's message`()
    async throws
  {
    let reports = Reports()
    let transport = ScriptedTransport { _, lines in
      lines.joined().contains("large") ? .answer(413, body: "at most 10 bytes") : .answer(200)
    }
    let analytics = try Diagnostics.withInstance(reports) {
      try HTTPAnalytics(
        url: "http://a.example", queue: EventQueue(folder: folder.path("words"), .small),
        transport: transport)
    }
    analytics.track(Event("a"))
    analytics.track(Event("large"))
    await analytics.finish()
    #expect(analytics.status.lost == ["status 413": 1])
    #expect(reports.messages.first?.contains("status 413 (at most 10 bytes)") == true)
  }

  @Test(arguments: [[], [0], [99], [0, 1, 50, 98, 99], Array(20..<40), Array(0..<99)])
  func `if a server refuses a request because of bad events, only the bad events are lost`(
    bad: [Int]
  ) async throws {
    let transport = ScriptedTransport { _, lines in
      .answer(numbers(lines).contains(where: bad.contains) ? 400 : 200)
    }
    let analytics = try HTTPAnalytics(transport, folder)
    analytics.track(0..<100)
    await analytics.finish()
    let accepted = transport.exchanges.map(\.lines)
      .filter { !numbers($0).contains(where: bad.contains) }
    let good = (0..<100).filter { !bad.contains($0) }
    #expect(numbers(accepted.flatMap { $0 }) == good)
    #expect(analytics.status.delivered == good.count)
    #expect(analytics.lostEvents == bad.count)
    #expect(analytics.status.waiting == 0)
  }

  @Test func `each request has events of a single group, in the order of tracking`() async throws {
    let transport = ScriptedTransport([])
    let analytics = try QueuedAnalytics(Grouping(), transport, folder)
    analytics.track(0..<30)
    await analytics.finish()
    let groups = transport.exchanges.map { numbers($0.lines) }
    #expect(groups.count == 6)
    for group in groups {
      #expect(Set(group.map { $0 % 3 }).count == 1)
      #expect(group == group.sorted())
    }
    let names = transport.exchanges.compactMap { $0.request.headers["group"] }
    #expect(names.sorted() == ["0", "0", "1", "1", "2", "2"])
    #expect(analytics.status.lost == ["properties.number: is 7": 1])
    #expect(analytics.status.delivered == 29)
  }

  @Test func `after a restart, only the events that weren't delivered before are sent`()
    async throws
  {
    let failing = ScriptedTransport { _, lines in
      numbers(lines).allSatisfy { $0 % 3 == 1 } ? .answer(503) : .answer(200)
    }
    let first = try QueuedAnalytics(Grouping(isHonest: true), failing, folder, upload: .prompt)
    first.track(0..<6)
    await first.finish()
    let delivered = failing.exchanges.flatMap { numbers($0.lines) }.filter { $0 % 3 != 1 }
    let transport = ScriptedTransport([])
    let second = try QueuedAnalytics(Grouping(), transport, folder)
    second.flush()
    await second.finish()
    let later = transport.exchanges.flatMap { numbers($0.lines) }
    #expect(Set(delivered).isDisjoint(with: later))
    #expect(Set(delivered + later) == Set(0..<6))
  }

  /// A destination whose requests have a head of a hundred bytes, and events of a given size.
  private struct Headed: EventDestination {
    let name = "Headed"
    var limits = RequestLimits(events: 10, bytes: 10_000)

    func entry(for record: [UInt8], at date: Date, now: Date) throws(EventRefusal) -> EventEntry {
      guard let event = try? TrackedEvent(json: record),
        case .integer(let size)? = event.event.properties["size"]
      else { throw EventRefusal("no event") }
      return EventEntry(Array(repeating: UInt8(ascii: "x"), count: Int(size)), group: "")
    }

    func overhead(of group: String) -> Int { 100 }

    func request(_ entries: [[UInt8]], group: String) -> OutgoingRequest {
      let head = [UInt8](repeating: UInt8(ascii: "-"), count: 100)
      return OutgoingRequest(
        "POST", URL(filePath: "/"), body: head + entries.joined(separator: [UInt8(ascii: "\n")])
      ).with { $0.headers = ["count": "\(entries.count)"] }
    }

    func verdict(on answer: HTTPAnswer, now: Date) -> DeliveryVerdict {
      .usual(for: answer, now: now)
    }
  }

  /// A destination whose events have 49 bytes each.
  private struct Headless: LineDestination {
    let name = "Headless"
    let limits: RequestLimits

    func entry(for record: [UInt8], at date: Date, now: Date) throws(EventRefusal) -> EventEntry {
      EventEntry(Array(repeating: UInt8(ascii: "x"), count: 49))
    }
  }

  /// A destination of another kind: groups, takes few events at once, and refuses one.
  private struct Grouping: EventDestination {
    /// Whether an answer is understood as its status says.
    var isHonest = false
    let name = "Grouping"
    let limits = RequestLimits(events: 5, bytes: 10_000)

    func entry(for record: [UInt8], at date: Date, now: Date) throws(EventRefusal) -> EventEntry {
      guard let event = try? TrackedEvent(json: record),
        case .integer(let number)? =
          event.event.properties["number"]
      else { throw EventRefusal("no event") }
      guard number != 7 else { throw EventRefusal(field: "properties.number", "is 7") }
      return EventEntry(record, group: "\(number % 3)")
    }

    func request(_ entries: [[UInt8]], group: String) -> OutgoingRequest {
      let body = entries.joined(separator: "\n".utf8)
      return OutgoingRequest("POST", URL(filePath: "/"), body: Array(body)).with {
        $0.headers = ["group": group]
      }
    }

    func verdict(on answer: HTTPAnswer, now: Date) -> DeliveryVerdict {
      isHonest ? .usual(for: answer, now: now) : .accepted
    }
  }
}
