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

  @Test func `an event from the future is moved to now and reported with both times`() {
    var inspection = begin()
    let settled = [now - 1, now].map { inspection.settleTime(of: $0, now: now) }
    #expect(settled == [now - 1, now])
    #expect(inspection.problems == [])
    let moved = inspection.settleTime(of: now + 1, now: now)
    #expect(moved == now)
    #expect(
      inspection.problems.map(\.description) == [
        """
        a, time: expected a time of the past, found 2026-11-27T05:00:01.000Z, sent at \
        2026-11-27T05:00:00.000Z; 2026-11-27T05:00:00.000Z is sent; see whether the clock was set \
        back, or another one gave the event its time
        """
      ])
  }

  @Test func `a field with an empty name is left out`() {
    var inspection = begin()
    let isNamed = inspection.isNamed("b", at: "properties.b")
    #expect(isNamed && inspection.problems == [])
    let isStillNamed = inspection.isNamed("", at: "properties.")
    #expect(!isStillNamed)
    #expect(
      inspection.problems.map(\.description) == [
        "a, properties.: expected a name, found none; it is left out; give it a name"
      ])
  }

  @Test func `a field whose name is already used is left out`() {
    var inspection = begin()
    let isFree = inspection.isFree("b", unless: false, at: "properties.b")
    #expect(isFree && inspection.problems == [])
    let isStillFree = inspection.isFree("b", unless: true, at: "properties.B")
    #expect(!isStillFree)
    #expect(
      inspection.problems.map(\.description) == [
        """
        a, properties.B: expected a name of its own, found a second “b”; it is left out; rename \
        one of them
        """
      ])
  }

  @Test func `a user with an empty or overlong ID is left out`() {
    var inspection = begin()
    let id = inspection.settleUser("adä", atMost: 3)
    #expect(id == "adä" && inspection.problems == [])
    let others = ["", "adam"].map { inspection.settleUser($0, atMost: 3) }
    #expect(others == [nil, nil])
    #expect(
      inspection.problems.map(\.description) == [
        """
        a, user.id: expected a text, found none; it is left out; identify a user by a key, or by \
        none
        """,
        """
        a, user.id: expected at most 3 characters, found 4; it is left out; identify users by \
        shorter keys
        """,
      ])
  }

  @Test func `an event that is too large is refused with advice to track less`() {
    var inspection = begin()
    let isSmall = inspection.isSmallEnough(9, below: 10)
    #expect(isSmall && inspection.problems == [])
    let others = [10, 11].map { inspection.isSmallEnough($0, below: 10) }
    #expect(others == [false, false])
    #expect(
      inspection.problems.map(\.description) == [
        """
        a, event: expected fewer than 10 bytes, found 10; the event is not sent; track less of it, \
        or fewer items
        """,
        """
        a, event: expected fewer than 10 bytes, found 11; the event is not sent; track less of it, \
        or fewer items
        """,
      ])
  }
}
