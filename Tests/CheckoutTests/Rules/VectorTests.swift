// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientTesting
import Foundation
import Testing

@Suite(.isolatedAmbients) struct `Checkout rule vectors` {
  @Test(arguments: try Vector.all())
  func `a rule gives the expected answer of its vector`(_ vector: Vector) throws {
    let answer = try Time.freeze(at: vector.instant) { try vector.answer() }
    #expect(answer == vector.expected)
  }

  @Test func `a vector with an unknown rule throws an error`() throws {
    let text = """
      {"id": "X", "rule": "moonPhase", "instant": "2026-01-01T00:00:00Z", "zone": "UTC",
       "input": {}, "expected": true}
      """
    let vector = try JSONDecoder().decode(Vector.self, from: Data(text.utf8))
    #expect(throws: Vector.UnknownRule.self) { try vector.answer() }
  }

  @Test func `the folder has at least 25 vectors`() throws {
    #expect(try Vector.all().count >= 25)
  }
}
