// SPDX-License-Identifier: Apache-2.0

import Ambient
import Foundation
import Testing

@testable import AmbientCollectors

@Suite struct `Event inspection` {
  /// 2026-11-27T05:00:00Z.
  private let now = Date(timeIntervalSince1970: 1_795_755_600)

  private func begin() -> EventInspection {
    EventInspection(TrackedEvent(Event("a"), id: UUID(), date: now))
  }

  /// The rule, the field, the value and the effect of each problem.
  private func parts(_ inspection: EventInspection) -> [String] {
    inspection.problems.map { problem in
      let effect =
        switch problem.effect {
        case .leftOut: "leftOut"
        case .refused: "refused"
        default: "other"
        }
      return "\(problem.rule.id) \(problem.field) \(problem.found) \(effect)"
    }
  }

  @Test func `an event time in the future is replaced by the current time, and both are reported`()
  {
    var inspection = begin()
    let settled = [now - 1, now].map { inspection.settleTime(of: $0, now: now) }
    #expect(settled == [now - 1, now])
    #expect(inspection.problems == [])
    let moved = inspection.settleTime(of: now + 1, now: now)
    #expect(moved == now)
    #expect(inspection.problems.map(\.rule) == [.inFuture])
    #expect(inspection.problems.map(\.effect) == [.moved(to: now)])
    #expect(inspection.problems.first?.found == "2026-11-27T05:00:01.000Z")
    #expect(inspection.problems.first?.demand.hasSuffix("2026-11-27T05:00:00.000Z") == true)
  }

  @Test func `an event's field with an empty name is left out and reported`() {
    var inspection = begin()
    let isNamed = inspection.isNamed("b", at: "properties.b")
    #expect(isNamed && inspection.problems == [])
    let isStillNamed = inspection.isNamed("", at: "properties.")
    #expect(!isStillNamed)
    #expect(parts(inspection) == ["name-malformed properties. none leftOut"])
  }

  @Test func `if two fields of an event have the same name, the second field is left out`() {
    var inspection = begin()
    let isFree = inspection.isFree("b", unless: false, at: "properties.b")
    #expect(isFree && inspection.problems == [])
    let isStillFree = inspection.isFree("b", unless: true, at: "properties.B")
    #expect(!isStillFree)
    #expect(parts(inspection) == ["name-taken properties.B a second “b” leftOut"])
  }

  @Test func `a user ID that is empty or too long is left out of the event`() {
    var inspection = begin()
    let id = inspection.settleUser("adä", atMost: 3)
    #expect(id == "adä" && inspection.problems == [])
    let others = ["", "adam"].map { inspection.settleUser($0, atMost: 3) }
    #expect(others == [nil, nil])
    #expect(
      parts(inspection) == [
        "identity-malformed user.id none leftOut", "text-too-long user.id 4 leftOut",
      ])
    #expect(inspection.problems.last?.demand.contains("3") == true)
  }

  @Test func `an event that is too large is refused, and the report advises to track less`() {
    var inspection = begin()
    let isSmall = inspection.isSmallEnough(9, below: 10)
    #expect(isSmall && inspection.problems == [])
    let others = [10, 11].map { inspection.isSmallEnough($0, below: 10) }
    #expect(others == [false, false])
    #expect(parts(inspection) == ["too-large event 10 refused", "too-large event 11 refused"])
    #expect(inspection.problems.first?.demand.contains("10 bytes") == true)
  }
}
