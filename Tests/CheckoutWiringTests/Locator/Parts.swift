// SPDX-License-Identifier: Apache-2.0

import Ambient

/// Small services for the tests of the container.
protocol Engine: Sendable {
  var power: Int { get }
}

final class Motor: Engine {
  let power: Int
  init(power: Int = 90) { self.power = power }
}

final class Car: Sendable {
  let engine: any Engine
  init(engine: any Engine) { self.engine = engine }
}

struct Garage: Sendable {
  let cars: [Car]
}

struct Left: Sendable, Equatable {}
struct Right: Sendable {}

struct Breakdown: Error, Equatable {}

/// Counts from any thread.
final class Counter: Sendable {
  private let count = Guarded(0)
  var value: Int { count.withLock { $0 } }
  @discardableResult func next() -> Int {
    count.withLock {
      $0 += 1
      return $0
    }
  }
}

/// A value that is there later, as a container is for the factories that ask it.
final class Late<Value: Sendable>: Sendable {
  private let stored = Guarded<Value?>(nil)
  var value: Value? {
    get { stored.withLock { $0 } }
    set { stored.withLock { $0 = newValue } }
  }
}
