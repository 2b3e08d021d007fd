// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientCollectors
import AmbientTesting
import Foundation
import TestSupport
import Testing

@Suite(.virtualTime(from: "2026-11-27T00:00:00Z", advances: .byHand), .quiet)
struct `Documented status table` {
  private let folder = TemporaryFolder()

  /// Which requests get the status; the others are accepted.
  private enum Case: CaseIterable {
    case all, some, once
  }

  /// What became of ten events within a minute.
  private func outcome(of status: Int, _ which: Case) async throws -> String {
    let time = try VirtualTime.current
    // Those of the status before; the others cost a wait for the disk each.
    for name in ["queue", "refused", "accepted", "trouble", "lost"] {
      try? FileManager.default.removeItem(atPath: folder.path("\(which)/\(name)"))
    }
    let transport = ScriptedTransport { number, lines in
      let isHit =
        switch which {
        case .all: true
        case .some: numbers(lines).contains(3)
        case .once: number == 0
        }
      return .answer(isHit ? status : 200)
    }
    var options = EventQueue.Options()
    options.capacity = 65_536
    options.clientID = "test"
    let analytics = try HTTPAnalytics(
      url: "http://events.example/",
      queue: EventQueue(folder: folder.path("\(which)"), options),
      upload: .unhurried, transport: transport)
    analytics.track(0..<10)
    try await time.advance(by: .seconds(60))
    let state = analytics.status
    #expect(state.waiting + state.delivered + analytics.lostEvents == 10, "\(status) \(which)")
    #expect(state.refused == analytics.lostEvents, "\(status) \(which)")
    let parts = [
      (state.waiting, "kept"), (state.delivered, "delivered"), (state.refused, "refused"),
    ]
    return parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
  }

  /// The ranges of a cell such as `100–199, 305`.
  private func ranges(_ cell: String) throws -> [ClosedRange<Int>] {
    try cell.split(separator: ", ").map { text in
      let ends = text.split(separator: "–").compactMap { Int($0) }
      return try #require(ends.first)...#require(ends.last)
    }
  }

  @Test func `the documented outcome of each HTTP status matches the actual outcome`() async throws
  {
    let page = URL(filePath: #filePath).appending(path: "../../../../docs/delivery.md")
      .standardizedFileURL
    let head = "| verdict | status | all requests | one event |"
    let lines = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
    let rows = lines.drop { $0 != head }.dropFirst(2).prefix { $0.hasPrefix("| ") }
    var statuses: [Int] = []
    for row in rows {
      let cells = row.split(separator: "|").map { String($0.dropFirst().dropLast()) }
      try #require(cells.count == 4)
      for range in try ranges(cells[1]) {
        for status in range {
          let verdict = DeliveryVerdict.usual(for: HTTPAnswer(status), now: Time.now)
          #expect("`\("\(verdict)".prefix { $0 != "(" })`" == cells[0], "\(status)")
        }
        statuses += range
        for status in Set(range.prefix(1) + range.suffix(TestRun.rounds(1, all: 499))) {
          for (which, told) in zip(Case.allCases, cells.dropFirst(2) + ["10 delivered"]) {
            #expect(try await outcome(of: status, which) == told, "\(status) \(which)")
          }
        }
      }
    }
    #expect(statuses.sorted() == Array(100...599))
  }
}
