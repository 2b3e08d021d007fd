// SPDX-License-Identifier: Apache-2.0

import Ambient
import Testing

@testable import AmbientVirtualTime

@Suite struct `Scope members` {
  private let place = SourcePlace(fileID: "Shop/Till.swift", line: 7)
  private var members = ScopeMembers()

  private mutating func insert(_ id: UInt64, _ name: String?) {
    members.insert(ScopeMembers.Child(place, name, isBackground: false), id: id)
  }

  @Test
  mutating func `ScopeMembers adopts only bare Tasks started in the scope after the body's start`()
  {
    members.noteStart(of: 0, task: 10)
    let tasks: [(UInt64, Bool)] = [
      (9, false), (10, false), (11, false), (12, true), (12, false), (9, true),
    ]
    let standings = tasks.map { members.standing(of: $0.0, isOutside: $0.1) }
    #expect(standings == [.foreign, .new, .new, .foreign, .foreign, .foreign])
    for task: UInt64 in [0, 9, 11, 12] { members.adopt(task) }
    let adopted = [9, 12].map { members.standing(of: $0, isOutside: $0 == 12) }
    #expect(adopted == [.adopted, .adopted])
    #expect(members.takeAdopted() == [9, 11, 12])
    #expect(members.takeAdopted() == [])
    #expect(members.standing(of: 11, isOutside: false) == .new)
  }

  @Test
  mutating func `reports name tasks and scopes by their call sites`() {
    #expect(members.name(of: 1) == "a task")
    #expect(members.scopeName == "the scope")
    members.place = place
    members.noteStart(of: 0, task: 10)
    for (id, task, name): (UInt64, UInt64, String?) in [(2, 20, "two"), (1, 30, nil)] {
      insert(id, name)
      members.noteStart(of: id, task: task)
      members.start(id) {}
    }
    insert(3, "three")
    members.noteStart(of: 4, task: 40)
    members.start(3) {}
    #expect(members.name(of: 10) == "the body of the scope at Shop/Till.swift:7")
    #expect(members.name(of: 20) == "Time.task “two” at Shop/Till.swift:7")
    #expect(members.name(of: 30) == "Time.task at Shop/Till.swift:7")
    #expect([0, 40, 50].map { members.name(of: $0) } == ["a task", "a task", "a task"])
    #expect(members.all.map(\.task) == [30, 20, 0])
    #expect(members.all.allSatisfy { $0.cancel != nil })
    // The scope is named once.
    #expect(members.departure(of: 10).split(separator: "scope at Shop/Till.swift:7").count == 2)
    #expect(members.departure(of: 10).hasPrefix("the body of the scope at Shop/Till.swift:7 "))
    #expect(members.departure(of: 20).hasPrefix("Time.task “two” at Shop/Till.swift:7 "))
    #expect(members.departure(of: 20).contains(" the scope at Shop/Till.swift:7 "))
    members.end(2, error: nil)
    #expect(members.name(of: 20) == "a task")
    #expect(members.failures.isEmpty)
  }

  @Test mutating func `a scope remembers the errors of the last ten tasks that threw`() {
    for id in 1...UInt64(11) {
      insert(id, "\(id)")
      members.end(id, error: "error \(id)")
      members.end(id, error: "again")
    }
    let expected = (2...11).map {
      "Time.task “\($0)” at Shop/Till.swift:7, which threw error \($0), and has ended"
    }
    #expect(members.failures == expected)
    #expect(members.all.isEmpty)
  }
}
