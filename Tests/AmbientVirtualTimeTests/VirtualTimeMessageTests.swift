// SPDX-License-Identifier: Apache-2.0

import Ambient
import Foundation
import TestSupport
import Testing

@testable import AmbientVirtualTime

@Suite struct `Virtual time messages` {
  private let caller = SourcePlace(fileID: "Shop/TillTests.swift", line: 7)

  @Test func `virtual time's messages about scopes equal those in messages.txt`() throws {
    let date = try Date(iso8601: start)
    let sleeper = VirtualTime.Sleeper(
      caller: caller, task: "expiry", start: .zero, deadline: .seconds(900), date: date,
      callers: [])
    let child = ScopeMembers.Child(caller, "reader", isBackground: false)
    var members = ScopeMembers()
    members.place = caller
    members.noteStart(of: 0, task: 10)
    func hint(_ finding: ScopeFinding) -> String {
      if case .hint(_, let text) = finding { text } else { "" }
    }
    let scope = members.scopeName
    try MessageCatalog.expect(
      "Virtual time, scopes",
      [
        "A body that waited outside": members.departure(of: 10),
        "Work outside, without AmbientTesting": BareTasks.cure(isHeld: false),
        "A loop that polls": hint(members.polling(10, sleeper, 100)()),
        "A lost race": hint(members.lostRace(of: 10, to: sleeper)()),
        "A task that did not end": child.leftover,
        "A sleep that did not end": sleeper.leftover,
        "A late sleep": VirtualScheduler.text(ofLateSleep: .seconds(5), caller),
        "A scope that runs on": VirtualState.text(ofEndless: scope, date, "\(sleeper)"),
        "No thread": ScopeWatch.noThread,
        "A blocked pool": ScopeWatch.text(ofBlocked: .pool, scope, nil),
        "A blocked main queue": ScopeWatch.text(ofBlocked: .mainQueue, scope, "some_hook"),
        "A hook": BareTasks.text(ofHook: "swift_task_enqueueGlobal_hook"),
        "The end of a test program":
          ScopeWatch.text(ofEnd: ["\(scope): \(child.description)"], after: 60),
        "A body that waits outside": members.bodyName + ScopeSnapshot.foreign,
        "A body that nothing advances": members.bodyName + ScopeSnapshot.advance,
        "A body that blocks its thread": "\(members.bodyName), which \(ScopeSnapshot.blocks)",
        "A hold that blocks": "a Time.hold at \(caller)\(ScopeSnapshot.blocking)",
      ])
  }

  @Test func `virtual time's messages about schedules equal those in messages.txt`() throws {
    let invalid = #expect(throws: ScheduleError.self) {
      try ScheduleNumbers(1, replaying: []) { _ in "many\n\u{1B}[2J" }
    }
    try MessageCatalog.expect(
      "Virtual time, schedules",
      [
        "No schedules": "\(ScheduleError(.noSchedules, "0"))",
        "No number": "\(ScheduleError(.noNumber, "-1"))",
        "An invalid setting": invalid?.description ?? "",
        "An exploration in another": "\(ScheduleError(.nested))",
        "A schedule that stalled": ScheduleReport.stalled(137),
        "Schedules that did not end": ScheduleReport.cutOff([4, 9], of: 1_000, 100_000),
        "The causes of a failure that is not repeatable": ScheduleReport.causes,
      ])
  }
}
