// SPDX-License-Identifier: Apache-2.0

import Ambient
import Foundation
import TestSupport
import Testing

@testable import AmbientCollectors

@Suite(.quiet) struct `Amendment counts and reports` {
  private let amendments = Amendments("Format")

  private func problem(
    _ id: UUID = UUID(), event: String = "a", field: String = "b", rule: EventRule = .nested
  ) -> EventProblem {
    EventProblem(
      event: event, id: id, field: field, rule: rule, demand: "less", found: "more",
      advice: "see why", effect: .leftOut)
  }

  @Test func `a change to an event is counted once for each event ID, field and rule`() {
    let id = UUID()
    let all = [
      problem(id), problem(id, field: "c"), problem(id, rule: .tooMany), problem(),
      problem(id, event: "other name"),
    ]
    for _ in 0..<3 { amendments.note(all) }
    #expect(amendments.counts == ["nested": 3, "too-many": 1])
    #expect(Test.reports.count == 2)
    #expect(Test.reports.first?.message.contains(" c; ") == true)
    amendments.note([])
    #expect(amendments.counts == ["nested": 3, "too-many": 1])
  }

  @Test func `Amendments doesn't count an event again while it is among the latest 10,000 events`()
  {
    // So many that no further ones are reported, which would take longer.
    amendments.note((0..<32).map { problem(rule: EventRule("rule-\($0)")) })
    let ids = (32...20_000).map { _ in UUID() }
    func counted(after range: Range<Int>) -> Int? {
      amendments.note(range.map { problem(ids[$0 - 32]) })
      return amendments.counts["nested"]
    }
    #expect(counted(after: 32..<20_000) == 19_968)
    #expect(counted(after: 32..<20_000) == 19_968)
    #expect(counted(after: 20_000..<20_001) == 19_969)
    #expect(counted(after: 10_000..<20_001) == 19_969)
    #expect(counted(after: 9_999..<10_000) == 19_970)
  }

  @Test(arguments: [
    (1, "; "), (2, " f1; "), (4, " f1, f2, f3; "), (5, " f1, f2, f3 and 1 more; "),
    (6, " f1, f2, f3 and 2 more; "),
  ])
  func `the report of a changed event names up to four fields and counts further fields`(
    count: Int, others: String
  ) {
    amendments.note((0..<count).map { problem(field: "f\($0)") } + [problem(rule: .tooMany)])
    let messages = Test.reports.map(\.message)
    #expect(messages.count == 2 && messages.first?.contains(others) == true, "\(messages)")
    #expect(messages.map { $0.hasPrefix("a, f0: expected less; ") } == [true, false])
    #expect(messages.map { $0.hasPrefix("a, b: expected less; ") } == [false, true])
    #expect(Test.reports.allSatisfy { $0.kind == .amended && $0.source == "Format" })
  }

  @Test func `an EventProblem cuts event names at 48 characters and field names at 100`() {
    for (count, isCut) in [(48, false), (49, true)] {
      let name = String(repeating: "e", count: count)
      let shown = isCut ? String(name.dropLast()) + "…" : name
      #expect(EventProblem.shown(name) == shown)
      #expect(problem(event: name).description.hasPrefix("\(shown), b: expected less"))
    }
    for (count, isCut) in [(100, false), (101, true)] {
      let field = String(repeating: "f", count: count)
      let shown = isCut ? String(field.dropLast()) + "…" : field
      #expect(problem(field: field).shownField == shown)
    }
    #expect(EventProblem.shown("") == "“”" && EventProblem.shown("a", quoted: true) == "“a”")
    #expect(problem(field: "items[12].a[3]").fieldOfAny == "items[].a[]")
    #expect(problem(field: "time", rule: .inFuture).kind == "in-future time")
    #expect(problem(field: "b[1]").kind == "nested a b[]")
  }
}
