// SPDX-License-Identifier: Apache-2.0

import Ambient
import Foundation
import Synchronization
import TestSupport
import Testing

/// Numbered events, as a server has them that an `EventTracker` posts to.
struct NumberedEvent: Hashable {
  struct Name: Hashable {
    let thread: Int
    let number: Int
  }

  let id: String
  let name: Name

  /// The event of a line; nil if the line is not as it was made.
  init?(_ line: String) {
    func number(_ name: String) -> Int? {
      line.range(of: "\"properties_\(name)\":").flatMap { place in
        Int(line[place.upperBound...].prefix { $0.isNumber })
      }
    }
    guard let thread = number("thread"), let number = number("number"), line.hasSuffix("}"),
      UUID(uuidString: ids([line])[0]) != nil
    else { return nil }
    id = ids([line])[0]
    name = Name(thread: thread, number: number)
  }
}

/// Programs that track events, one after the other, and are killed; and the server that takes them.
final class KilledTracker: Sendable {
  /// How many kills were where.
  struct Hits: CustomStringConvertible {
    var calls = 0
    var exchanges = 0
    var acknowledgements = 0
    var recoveries = 0

    var isComplete: Bool {
      calls > 0 && exchanges > 0 && acknowledgements > 0 && recoveries > 0
    }

    var description: String {
      """
      of the kills, \(calls) were within track, \(exchanges) within an exchange, \
      \(acknowledgements) before an answer was acknowledged, \(recoveries) within a recovery
      """
    }
  }

  private struct State {
    /// What each request had that was taken, in order.
    var requests: [[NumberedEvent]] = []
    /// Lines that are no events.
    var rubbish: [String] = []
    /// Whether the last request was taken, and answered so.
    var isLastTaken = false
    /// Whether every request is answered as it should be.
    var isCalm = false
  }

  /// What the server took; it outlives the tracker in the server's threads.
  private final class Taken: Sendable {
    let state = Guarded(State())

    func withLock<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
      state.withLock { body(&$0) }
    }
  }

  let server: LoopbackServer
  private let folder: TemporaryFolder
  private let progress: SharedProgress
  private let taken: Taken
  private let program: String
  /// How often a call was interrupted that was to track that event, which the next one tracks again.
  private let interruptions = Guarded<[NumberedEvent.Name: Int]>([:])
  /// What had been answered when a program was killed, by how many requests had been taken.
  private let answered = Guarded<[(count: Int, ids: Set<String>)]>([])

  init(_ folder: TemporaryFolder) throws {
    let taken = Taken()
    self.folder = folder
    self.taken = taken
    progress = try SharedProgress(path: folder.path("progress"), threads: 2)
    program = try Products.program("EventTracker").path
    server = try LoopbackServer { number, request in
      let events = request.lines.map(NumberedEvent.init)
      let isCalm = taken.withLock { taken -> Bool in
        let isTaken = taken.isCalm || number % 10 != 3
        if isTaken { taken.requests.append(events.compactMap(\.self)) }
        taken.rubbish += zip(request.lines, events).filter { $1 == nil }.map(\.0)
        taken.isLastTaken = isTaken
        return taken.isCalm
      }
      // Some are refused, and of some the answer is lost.
      if !isCalm, number % 10 == 3 { return .answer(503) }
      if !isCalm, number % 10 == 6 { return .steps([bytes("HTTP/1.1 200 So\r\n"), .reset]) }
      usleep(.random(in: 0..<3_000))
      return .answer(200)
    }
  }

  private func start(events: Int) throws -> ChildProgram {
    (progress.phase, progress.isAnswered, progress.isExchanging) = (.starting, false, false)
    for thread in 0..<2 { progress.isCalling[thread] = false }
    return try ChildProgram(
      program,
      [
        server.url, "", folder.path("queue"), folder.path("progress"), "2", "\(events)",
        "\(4 << 20)", "5",
      ])
  }

  /// Starts a program and kills it, at a moment of one of several kinds.
  func kill(_ kind: Int, _ hits: inout Hits) async throws {
    let process = try start(events: .max)
    if kind % 5 == 0 {
      #expect(Patience.wait { progress.phase != .starting })
      usleep(.random(in: 0..<1_000))
    } else {
      #expect(await Patience.waitIdly { progress.phase == .writing })
      usleep(.random(in: 0..<80_000))
      let second = Duration.seconds(1)
      switch kind % 5 {
      case 1: _ = Patience.wait(second) { progress.isCalling[0] || progress.isCalling[1] }
      case 2: _ = Patience.wait(second) { progress.isExchanging }
      case 3: _ = Patience.wait(second) { progress.isAnswered }
      default: break
      }
    }
    process.killed()
    if progress.phase == .opening { hits.recoveries += 1 }
    if progress.isExchanging { hits.exchanges += 1 }
    let isCalling = (0..<2).filter { progress.isCalling[$0] }
    if !isCalling.isEmpty { hits.calls += 1 }
    for thread in isCalling {
      let name = NumberedEvent.Name(thread: thread, number: progress.count[thread])
      interruptions.withLock { $0[name, default: 0] += 1 }
    }
    guard progress.isAnswered else { return }
    taken.withLock { taken in
      guard taken.isLastTaken, let last = taken.requests.last else { return }
      answered.withLock { $0.append((taken.requests.count, Set(last.map(\.id)))) }
    }
  }

  /// Lets a last program deliver what waits, and looks at all that came.
  func finish(_ hits: inout Hits) async throws {
    taken.withLock { $0.isCalm = true }
    let process = try start(events: 0)
    #expect(await process.end() == 0)
    #expect(progress.lost == 0)
    try check()
    hits.acknowledgements += acknowledgements
  }

  /// How many programs were killed when they had an answer, and had not acknowledged it: a later one
  /// has sent the same again.
  private var acknowledgements: Int {
    let requests = taken.withLock { $0.requests }
    return answered.withLock { $0 }.count { count, ids in
      requests[count...].contains { request in request.contains { ids.contains($0.id) } }
    }
  }

  private func check() throws {
    let (requests, rubbish) = taken.withLock { ($0.requests, $0.rubbish) }
    #expect(rubbish == [])
    var known: [NumberedEvent.Name: Set<String>] = [:]
    var names: [String: NumberedEvent.Name] = [:]
    for event in requests.joined() {
      known[event.name, default: []].insert(event.id)
      #expect(names.updateValue(event.name, forKey: event.id) ?? event.name == event.name)
    }
    var total = 0
    for thread in 0..<2 {
      let missing = (0..<progress.count[thread]).filter { number in
        known[NumberedEvent.Name(thread: thread, number: number)] == nil
      }
      #expect(missing == [], "of thread \(thread)")
      total += progress.count[thread]
    }
    #expect(total > 0)
    // What comes twice is the same event.
    let interruptions = interruptions.withLock { $0 }
    let changed = known.filter { name, ids in ids.count > 1 + interruptions[name, default: 0] }
    #expect(changed.isEmpty)
  }
}
