// SPDX-License-Identifier: Apache-2.0

import Ambient
import Foundation
import TestSupport
import Testing

@testable import AmbientVirtualTime

@Suite struct `Virtual time errors` {
  private let caller = SourcePlace(fileID: "Shop/TillTests.swift", line: 7)

  @Test func `a VirtualTimeError names the wrong call and explains the mistake`() throws {
    let day = try Date(iso8601: start)
    let sleeper = VirtualTime.Sleeper(
      caller: caller, task: "expiry", start: .zero, deadline: .seconds(900), date: day,
      callers: [])
    let body = "the body of the scope at Shop/TillTests.swift:7"
    func text(_ cause: VirtualTimeError.Cause) -> String { "\(VirtualTimeError(cause))" }
    try MessageCatalog.expect(
      "Virtual time, errors",
      [
        "No scope": text(.outsideScope),
        "An ended scope": text(.ended(caller: caller)),
        "A step back": text(.backwards(from: day, to: try Date(iso8601: "2026-11-26T00:00:00Z"))),
        "A negative number of sleepers": text(.negativeSleepers(-1, caller: caller)),
        "No sleepers":
          text(.missingSleepers(caller: caller, expected: 2, sleepers: [], after: .seconds(10))),
        "Too few sleepers":
          text(
            .missingSleepers(caller: caller, expected: 2, sleepers: [sleeper], after: .seconds(10))),
        "Endless sleeps": text(.endless(firings: 9, sleepers: [sleeper])),
        "A timer without a period": text(.tooManyTicks(caller: caller)),
        "A condition that stays false": text(.nothingSleeps(caller: caller)),
        "A deadlock":
          text(.deadlock(waiting: ["\(body)\(ScopeSnapshot.foreign)", "\(sleeper)"])),
        "A stall":
          text(.stalled(after: .seconds(10), waiting: ["\(body), which \(ScopeSnapshot.repeats)"])),
        "No date": text(.noInstant),
        "A limit that is not above zero": text(.noLimit),
        "No system date": "\(SystemClocksError(code: .noDate))",
        "No system clocks": "\(SystemClocksError(code: .noClocks))",
      ])
  }

  @Test(arguments: [0, 1, 20, 21, 35])
  func `a VirtualTimeError lists at most twenty waiting tasks and counts the rest`(count: Int) {
    let names = (0..<count).map { "task \($0)" }
    let list =
      names.prefix(20).joined(separator: "; ") + (count > 20 ? "; and \(count - 20) more" : "")
    for cause in [
      VirtualTimeError.Cause.deadlock(waiting: names),
      .stalled(after: .seconds(1), waiting: names),
    ] {
      #expect(VirtualTimeError(cause).description.contains(": \(list). "))
    }
  }
}
