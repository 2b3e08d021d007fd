// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientTesting
import Foundation
import Testing

@Suite(.isolatedAmbients) struct `Checkout rule test vectors` {
  @Test(arguments: try Vector.all())
  func `a checkout rule gives the expected result of its test vector`(_ vector: Vector) throws {
    let answer = try Time.freeze(at: vector.instant) { try vector.answer() }
    #expect(answer == vector.expected)
  }

  @Test func `a test vector with an unknown checkout rule throws an error`() throws {
    let text = """
      {"id": "X", "rule": "moonPhase", "instant": "2026-01-01T00:00:00Z", "zone": "UTC",
       "input": {}, "expected": true}
      """
    let vector = try JSONDecoder().decode(Vector.self, from: Data(text.utf8))
    #expect(throws: Vector.UnknownRule.self) { try vector.answer() }
  }

  @Test func `the folder of checkout rules has at least 25 test vectors`() throws {
    #expect(try Vector.all().count >= 25)
  }
}
