// SPDX-License-Identifier: Apache-2.0

/// One thing to measure: a closure that does it as often as it is told.
struct Case: Sendable {
  let name: String
  /// How many threads do it at once, each of them `count` times.
  let threads: [Int]
  /// How many calls a round makes on each thread; `nil` to make a round last half a millisecond.
  let calls: Int?
  /// How many blocks a call may allocate. More is a failure.
  let allowance: Double
  /// Makes the calls. What it returns keeps the compiler from leaving them out.
  let work: @Sendable (_ count: Int) async throws -> Int

  init(
    _ name: String, threads: [Int] = [1], calls: Int? = nil, allowance: Double = 0,
    _ work: @escaping @Sendable (_ count: Int) async throws -> Int
  ) {
    self.name = name
    self.threads = threads
    self.calls = calls
    self.allowance = allowance
    self.work = work
  }
}

/// Calls `body` `count` times, each time with what it returned last, so that no two calls overlap.
@inline(__always)
func carry(_ count: Int, _ body: (Int) throws -> Int) rethrows -> Int {
  var value = 0
  for _ in 0..<count { value = try body(value) }
  return value
}
