// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// A form that people write first compiles, or the compiler's error says what to write instead.
/// `GuessTests` checks the forms of `Time` that take a block.
@Suite struct `Plausible API calls` {
  private static let folder = SwiftCompiler.folder.appending(path: "Tests/Fixtures/Guesses")

  private static func lines(_ name: String) throws -> [Substring] {
    try String(contentsOf: folder.appending(path: name), encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false)
  }

  @Test func `all valid API calls that users are likely to write compile without a warning`()
    async throws
  {
    let path = Self.folder.appending(path: "Right.swift").path
    let result = try await SwiftCompiler.check(file: path)
    #expect(result.status == 0 && result.output.isEmpty, "\(result.output)")
  }

  @Test func `each plausible but invalid API call causes exactly the expected compiler error`()
    async throws
  {
    let path = Self.folder.appending(path: "Wrong.swift").path
    let result = try await SwiftCompiler.check(file: path)
    #expect(result.status != 0)
    let errors = result.output.split(separator: "\n").filter { $0.contains("Wrong.swift:") }
      .filter { $0.contains(": error: ") }
    var expected = 0
    for (number, line) in try Self.lines("Wrong.swift").enumerated()
    where line.hasPrefix("  // ") {
      expected += 1
      let said = errors.filter { $0.contains("Wrong.swift:\(number + 2):") }
      #expect(said.count == 1 && said.allSatisfy { $0.hasSuffix(line.dropFirst(5)) }, "\(said)")
    }
    #expect(errors.count == expected, "\(result.output)")
    for vague in ["bug report", "ambiguous", "no exact matches"] {
      #expect(!result.output.contains(vague), "\(result.output)")
    }
  }

  @Test func `the API call fixtures contain at least 50 valid and 120 invalid calls`() throws {
    let right = try Self.lines("Right.swift").filter { $0.contains(/^  [A-Z]/) }
    let wrong = try Self.lines("Wrong.swift").filter { $0.hasPrefix("  // ") }
    #expect(right.count >= 50 && wrong.count >= 120)
  }
}
