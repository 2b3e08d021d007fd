// SPDX-License-Identifier: Apache-2.0

internal import CAllocations

/// Counts the blocks that the whole process allocates.
enum Allocations {
  /// How many blocks `body` allocates, or `nil` where they cannot be counted.
  static func count(_ body: () async throws -> Void) async rethrows -> Int? {
    guard allocations_can_be_counted() else { return nil }
    let before = allocations_counted()
    allocations_count(true)
    defer { allocations_count(false) }
    try await body()
    return Int(allocations_counted() - before)
  }

  /// Whether the count sees what Swift allocates; a count that sees nothing would always be zero.
  static func seeThose() async -> Bool {
    let counted = await count { keep([Int](repeating: 1, count: Int.random(in: 100...200))) }
    return counted ?? 1 > 0
  }

  @inline(never)
  private static func keep(_ array: [Int]) { precondition(!array.isEmpty) }
}
