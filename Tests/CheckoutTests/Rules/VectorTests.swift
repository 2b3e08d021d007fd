// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientTesting
import Foundation
import Testing

@Suite(.isolatedAmbients) struct `The rules of the shop` {
  @Test(arguments: try Vector.all())
  func `checkout vectors`(_ vector: Vector) throws {
    let answer = try Time.freeze(at: vector.instant) { try vector.answer() }
    #expect(answer == vector.expected)
  }

  @Test func `a rule that nobody knows is a failure`() throws {
    let text = """
      {"id": "X", "rule": "moonPhase", "instant": "2026-01-01T00:00:00Z", "zone": "UTC",
       "input": {}, "expected": true}
      """
    let vector = try JSONDecoder().decode(Vector.self, from: Data(text.utf8))
    #expect(throws: Vector.UnknownRule.self) { try vector.answer() }
  }

  @Test func `the folder of vectors is not empty`() throws {
    #expect(try Vector.all().count >= 25)
  }
}
