// SPDX-License-Identifier: Apache-2.0

internal import Ambient
internal import Steppers
internal import Synchronization

/// The floor: a constant, called as the others are.
let constantStepper: Stepper = makeStepper()

/// A context as a user's module declares it.
enum Steps {
  static let context = AmbientContext<Stepper>("Steps") { makeStepper() }

  static var instance: Stepper {
    get { context.instance }
    set { context.instance = newValue }
  }

  static func step(_ value: Int) -> Int { context.withService { $0.step(value) } }
}

/// A static variable that is safe to replace, as one writes it by hand.
enum GuardedSteps {
  private static let guarded = Mutex<Stepper>(makeStepper())

  static var instance: Stepper { guarded.withLock { $0 } }
}

/// A task-local, as one writes it by hand.
enum LocalSteps {
  @TaskLocal static var instance: Stepper = makeStepper()
}
