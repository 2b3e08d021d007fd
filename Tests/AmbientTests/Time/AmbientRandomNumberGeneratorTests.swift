// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientTesting
import Testing

@Suite(.isolatedAmbients) struct `Random number generation` {
  /// Ten shuffled numbers, by a generator of its own.
  private func shuffled() -> [Int] {
    var generator = AmbientRandomNumberGenerator()
    return (0..<10).shuffled(using: &generator)
  }

  @Test func `in real time and in frozen time, random numbers differ in each run`() throws {
    func draws() -> Set<UInt64> {
      Set((0..<100).map { _ in AmbientRandomNumberGenerator().next() })
    }
    #expect(draws().count == 100)
    #expect(draws().isDisjoint(with: draws()))
    let frozen = try (0..<2).map { _ in try Time.freeze(at: "2026-11-27T05:00:00Z") { draws() } }
    #expect(frozen[0].isDisjoint(with: frozen[1]))
  }

  @Test func `the seed of a virtual time scope determines the random numbers in the scope`()
    async throws
  {
    func draws(_ seed: UInt64) async throws -> [[Int]] {
      try await Time.virtual(from: "2026-11-27T05:00:00Z", seed: seed) { time in
        [
          shuffled(), Time.freeze(at: time.now) { shuffled() },
          Time.travel(by: .seconds(1)) { shuffled() },
        ]
      }
    }
    let first = try await draws(1)
    #expect(Set(first).count == 3)
    #expect(try await draws(1) == first)
    #expect(try await draws(2) != first)
  }

  @Test func `in virtual time, identifiers and random numbers are drawn from one random sequence`()
    async throws
  {
    func draws(_ identifiers: Int) async throws -> [UInt64] {
      try await Time.virtual(from: "2026-11-27T05:00:00Z", seed: 1) { _ in
        for _ in 0..<identifiers { _ = AmbientIdentifier.next() }
        return (0..<5).map { _ in AmbientRandomNumberGenerator().next() }
      }
    }
    #expect(try await draws(2).dropLast(2) == draws(0).dropFirst(2))
  }

  @Test(.virtualTime(from: "2026-11-27T05:00:00Z", schedules: 20, seed: 7))
  func `a virtual time test draws the same random numbers in each of its schedules`() async throws {
    let once = try await Time.virtual(from: "2026-11-27T05:00:00Z", seed: 7) { _ in shuffled() }
    #expect(shuffled() == once)
  }
}
