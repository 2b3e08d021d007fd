// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// Virtual time is a module of its own, which a program may leave out.
@Suite(.long, .withoutSanitizer) struct `Missing AmbientVirtualTime import` {
  @Test func `a missing AmbientVirtualTime import gives compiler errors that name the module`()
    async throws
  {
    let program = """
      import Ambient
      func run() async throws {
        try await Time.virtual(from: "2026-11-27T00:00:00Z") { time in
          try await time.advance(by: .zero)
        }
        try await Time.virtual(from: "2026-11-27T00:00:00Z") { _ in }
        _ = try await Time.virtual(from: "2026-11-27T00:00:00Z", seed: 42) { _ in 1 }
        try await Time.virtual(
          from: "2026-11-27T00:00:00Z", advances: .byHand, limit: .seconds(5), patience: .seconds(1)
        ) { _ in }
      }
      """
    let result = try await SwiftCompiler.check(program)
    let errors = result.output.split(separator: "\n").filter { $0.contains(": error: ") }
    #expect(errors.contains { $0.contains("'_ImportAmbientVirtualTime' has no member 'advance'") })
    let named = errors.filter { $0.contains("import AmbientVirtualTime, a product of Ambient") }
    // One error for each call, which its line identifies.
    #expect(Set(named.compactMap { $0.split(separator: ":").dropFirst().first }).count == 3)
    let module = "import AmbientVirtualTime\n"
    #expect(try await SwiftCompiler.check(module + program).status == 0)
  }
}
