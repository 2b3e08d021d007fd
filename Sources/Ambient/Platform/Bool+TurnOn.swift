// SPDX-License-Identifier: Apache-2.0

extension Bool {
  /// Turns the flag on if `condition` is true, and off otherwise. Returns true if the flag was off
  /// and is now on.
  ///
  /// For example, the flag of a reported failure turns on at the first failure after a success.
  @inline(__always)
  package mutating func turnOn(if condition: Bool = true) -> Bool {
    defer { self = condition }
    return condition && !self
  }
}
