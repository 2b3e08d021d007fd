internal import Ambient
internal import Foundation
internal import Steppers

extension Suite {
  /// Entering and leaving a scope, beside a task-local's own block.
  static let scopes = Suite(name: "scopes", abstract: "entering and leaving a scope") { bench in
    let stepper = makeStepper()
    let floor = Case("a task-local's block") { count in
      carry(count) { value in LocalSteps.$instance.withValue(stepper) { value &+ 1 } }
    }
    // A scope is an object that outlives its block if a task does, a slot and what it holds.
    let cases = [
      Case("withInstance", allowance: 4) { count in
        carry(count) { value in Steps.context.withInstance(stepper) { value &+ 1 } }
      },
      Case("Time.freeze(at: Date)", allowance: 5) { count in
        let date = Date(timeIntervalSinceReferenceDate: 0)
        return carry(count) { value in Time.freeze(at: date) { value &+ 1 } }
      },
      Case("AmbientScope.isolated", allowance: 2) { count in
        carry(count) { value in AmbientScope.isolated { value &+ 1 } }
      },
      Case("AmbientScope.capture and run") { count in
        carry(count) { value in AmbientScope.capture().run { value &+ 1 } }
      },
    ]
    try await bench.measure("in a task", floor: floor, cases)
  }
}
