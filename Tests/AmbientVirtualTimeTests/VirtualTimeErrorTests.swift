// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientVirtualTime
import Foundation
import TestSupport
import Testing

@Suite struct `Virtual time errors` {
  private let caller = SourcePlace(fileID: "Shop/TillTests.swift", line: 7)

  @Test func `a VirtualTimeError names the wrong call and explains the mistake`() throws {
    let (day, before) = (try Date(iso8601: start), try Date(iso8601: "2026-11-26T00:00:00Z"))
    let texts: [(VirtualTimeError.Cause, String)] = [
      (.outsideScope, "there is no virtual time here: open a scope with Time.virtual(from:), or "),
      (
        .ended(caller: caller),
        "Shop/TillTests.swift:7 advances a scope of virtual time that has ended, "
      ),
      (
        .backwards(from: day, to: before),
        "virtual time cannot advance from \(day.iso8601()) back to \(before.iso8601()): "
      ),
      (
        .negativeSleepers(-1, caller: caller),
        "Shop/TillTests.swift:7 advances time when -1 sleep; sleepers: must be 0 or more"
      ),
      (
        .missingSleepers(caller: caller, expected: 2, sleepers: [], after: .seconds(10)),
        "Shop/TillTests.swift:7 waited 10.0 seconds of real time for 2 sleepers, of which there were 0. "
      ),
      (.endless(firings: 9, sleepers: []), "after 9 wakes something still sleeps: "),
      (
        .tooManyTicks(caller: caller),
        "the timer at Shop/TillTests.swift:7 ticked 100000 times at one instant, "
      ),
      (
        .nothingSleeps(caller: caller),
        "Shop/TillTests.swift:7 waits for a condition that is false, and nothing sleeps any more "
      ),
      (
        .stalled(after: .seconds(10), waiting: ["a", "b"]),
        "stalled: for 10.0 seconds of real time neither virtual time nor anything that waits for it "
      ),
      (.noInstant, "virtual time can neither begin at nor advance to a date that is not a number"),
      (.noLimit, "the limit and the patience of a scope of virtual time are real time above zero"),
    ]
    for (cause, beginning) in texts {
      let error = VirtualTimeError(cause)
      #expect(error.description.hasPrefix(beginning), "\(error)")
    }
  }

  @Test(arguments: [0, 1, 20, 21, 35])
  func `a VirtualTimeError lists twenty waiting tasks and counts the rest`(count: Int) {
    let names = (0..<count).map { "task \($0)" }
    let list =
      names.prefix(20).joined(separator: "; ") + (count > 20 ? "; and \(count - 20) more" : "")
    #expect(
      VirtualTimeError(.deadlock(waiting: names)).description.contains("still wait: \(list). "))
    #expect(
      VirtualTimeError(.stalled(after: .seconds(1), waiting: names)).description
        .contains("There are \(list). "))
  }
}
