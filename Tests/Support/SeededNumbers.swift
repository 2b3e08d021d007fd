// SPDX-License-Identifier: Apache-2.0

/// A seeded generator of random numbers. It gives the same numbers in each run, so that a failure
/// is reproducible.
package struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  package init(_ seed: Int) { state = UInt64(seed) }

  package mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    var value = state
    value = (value ^ (value >> 33)) &* 0xFF51_AFD7_ED55_8CCD
    return value ^ (value >> 33)
  }
}
