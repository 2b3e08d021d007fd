import Ambient
import AmbientCollectors
import AmbientTesting
import Foundation
import TestSupport
import Testing

@Suite(.virtualTime(from: "2026-11-27T00:00:00Z", advances: .byHand), .quiet)
struct `The table of all statuses` {
  private let folder = TemporaryFolder()

  /// Which requests get the status; the others are accepted.
  private enum Case: CaseIterable {
    case all, some, once
  }

  /// What became of ten events within half a minute.
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
    var options = Journal.Options()
    options.capacity = 65_536
    let analytics = try HTTPAnalytics(
      url: "http://events.example/",
      queue: EventQueue(folder: folder.path("\(which)"), options, clientID: "test"),
      upload: .unhurried, transport: transport)
    analytics.track(0..<10)
    try await time.advance(by: .seconds(30))
    let state = analytics.status
    #expect(state.waiting + state.delivered + analytics.lostEvents == 10, "\(status) \(which)")
    #expect(state.refused == analytics.lostEvents, "\(status) \(which)")
    let sent = Dictionary(grouping: numbers(transport.exchanges.flatMap(\.lines))) { $0 }
    let again = sent.values.count { $0.count > 1 }
    let parts = [
      (state.waiting, "kept"), (state.delivered, "delivered"), (analytics.lostEvents, "dropped"),
      (again, "sent again"),
    ]
    return parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
  }

  /// As `100–199, 305`.
  private func ranges(_ numbers: [Int]) -> String {
    var ranges: [ClosedRange<Int>] = []
    for number in numbers {
      if let last = ranges.last, last.upperBound == number - 1 {
        ranges[ranges.count - 1] = last.lowerBound...number
      } else {
        ranges.append(number...number)
      }
    }
    return ranges.map {
      $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)–\($0.upperBound)"
    }.joined(separator: ", ")
  }

  @Test func `stands on the page as it comes of them`() async throws {
    var rows: [(outcomes: String, statuses: [Int])] = []
    for status in 100...599 {
      var outcomes: [String] = []
      for which in Case.allCases { outcomes.append(try await outcome(of: status, which)) }
      let text = outcomes.joined(separator: " | ")
      if let place = rows.firstIndex(where: { $0.outcomes == text }) {
        rows[place].statuses.append(status)
      } else {
        rows.append((text, [status]))
      }
    }
    let table =
      """
      | status | for all ten | for those with one of them | once, then 200 |
      |---|---|---|---|

      """ + rows.map { "| \(ranges($0.statuses)) | \($0.outcomes) |\n" }.joined()
    let page = URL(filePath: #filePath).appending(path: "../../../../docs/http.md")
      .standardizedFileURL
    #expect(try String(contentsOf: page, encoding: .utf8).contains(table), "\(table)")
  }
}
