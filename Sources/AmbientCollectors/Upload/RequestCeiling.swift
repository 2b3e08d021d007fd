// SPDX-License-Identifier: Apache-2.0

/// The limit of a request's size for a server that refused a request as too large.
///
/// A request that is too large sets the limit to half of the request's size. The refusal may have
/// come from only one of several servers behind the same address. Therefore, the limit doubles
/// after enough accepted requests that are larger than half the limit. If a request is too large
/// again after a doubling, the next doubling needs twice as many accepted requests.
struct RequestCeiling {
  /// The limit in bytes.
  private(set) var bytes = Int.max
  private var accepted = 0
  private var needed = Self.leastNeeded
  private var hasGrown = false

  private static var leastNeeded: Int { 32 }
  private static var mostNeeded: Int { 4_096 }

  /// Records that a request of `count` bytes was too large.
  mutating func noteTooLarge(_ count: Int) {
    if hasGrown { needed = min(needed * 2, Self.mostNeeded) }
    bytes = max(count / 2, 1)
    accepted = 0
    hasGrown = false
  }

  /// Records that a request of `count` bytes was accepted.
  mutating func noteAccepted(_ count: Int) {
    guard bytes < .max, count > bytes / 2 else { return }
    if hasGrown { (needed, hasGrown) = (Self.leastNeeded, false) }
    accepted += 1
    guard accepted >= needed else { return }
    bytes = bytes > .max / 2 ? .max : bytes * 2
    accepted = 0
    hasGrown = true
  }
}
