// SPDX-License-Identifier: Apache-2.0

internal import Ambient
internal import Foundation
internal import Steppers

extension Suite {
  /// Entering and leaving a scope, beside a task-local's own block.
  static let scopes = Suite(
    name: "scopes", abstract: "entering and leaving a scope, beside a task-local's block"
  ) { bench in
    let stepper = makeStepper()
    let floor = Case("a task-local's block", threads: [1, 2]) { count in
      carry(count) { value in LocalSteps.$instance.withValue(stepper) { value &+ 1 } }
    }
    try await bench.measure("in a task", floor: floor, cases(stepper))
    try await AmbientScope.isolated {
      try await bench.measure("within an isolating scope", floor: floor, cases(stepper))
    }
  }

  /// A scope is a slot and a list element; a service that the block makes is one more.
  private static func cases(_ stepper: Stepper) -> [Case] {
    let log = NoLog()
    let time = FixedTime(at: Date(timeIntervalSinceReferenceDate: 0))
    let fields: AmbientFields = ["request": "42"]
    return [
      Case("withInstance, a context of one's own", threads: [1, 2], allowance: 2) { count in
        carry(count) { value in Steps.context.withInstance(stepper) { value &+ 1 } }
      },
      Case("Log.withInstance", threads: [1, 2], allowance: 2) { count in
        carry(count) { value in Log.withInstance(log) { value &+ 1 } }
      },
      Case("Log.withMetadata", threads: [1, 2], allowance: 3) { count in
        carry(count) { value in Log.withMetadata(fields) { value &+ 1 } }
      },
      Case("Time.withInstance", threads: [1, 2], allowance: 2) { count in
        carry(count) { value in Time.withInstance(time) { value &+ 1 } }
      },
      Case("Time.freeze(at: Date)", threads: [1, 2], allowance: 3) { count in
        let date = Date(timeIntervalSinceReferenceDate: 0)
        return carry(count) { value in Time.freeze(at: date) { value &+ 1 } }
      },
      // Its lock is the third: futexes need a place that stays.
      Case("AmbientScope.isolated", threads: [1, 2], allowance: 3) { count in
        carry(count) { value in AmbientScope.isolated { value &+ 1 } }
      },
      Case("AmbientScope.capture and run", threads: [1, 2]) { count in
        carry(count) { value in AmbientScope.capture().run { value &+ 1 } }
      },
      Case("asynchronous Log.withInstance, on the pool", allowance: 2) { count in
        await enter(log, count)
      },
      // So many calls that the one hop to the main actor does not count.
      Case("asynchronous Log.withInstance, on the main actor", calls: 2_000, allowance: 2) {
        count in
        await enterOnMain(log, count)
      },
    ]
  }

  @MainActor private static func enterOnMain(_ log: Log, _ count: Int) async -> Int {
    await enter(log, count)
  }

  private static func enter(_ log: Log, _ count: Int) async -> Int {
    var value = 0
    for _ in 0..<count { value = await Log.withInstance(log) { await next(value) } }
    return value
  }

  @inline(never) private static func next(_ value: Int) async -> Int { value &+ 1 }
}
