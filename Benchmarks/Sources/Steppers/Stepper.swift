// SPDX-License-Identifier: Apache-2.0

/// The service that the suite `access` reaches: a virtual method of another module.
///
/// In a module of its own, so that the compiler cannot look into the call, nor guess who answers.
open class Stepper: @unchecked Sendable {
  public init() {}

  open func step(_ value: Int) -> Int { value }
}

/// What is installed everywhere, so that each way of reaching it makes the same call.
public final class OddStepper: Stepper, @unchecked Sendable {
  public override init() {}

  @inline(never)
  public override func step(_ value: Int) -> Int { value &+ 3 }
}

/// Makes a service whose class the caller does not know.
@inline(never)
public func makeStepper() -> Stepper { OddStepper() }
