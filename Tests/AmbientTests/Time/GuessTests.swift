// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// What the compiler says of forms that are guessed first, each on its line.
@Suite(.long, .withoutSanitizer) struct `Compiler errors for wrong Time calls` {
  private static let guesses = SwiftCompiler.folder.appending(
    path: "Tests/Fixtures/Guesses/Time.swift")

  @Test func `each wrong call of a Time function gives one compiler error with the right call`()
    async throws
  {
    let result = try await SwiftCompiler.check(file: Self.guesses.path)
    let said = result.output.split(separator: "\n").compactMap(error)
    let lines = try String(contentsOf: Self.guesses, encoding: .utf8).split(
      separator: "\n", omittingEmptySubsequences: false)
    let expected = lines.enumerated().compactMap { index, line -> (line: Int, text: String)? in
      let parts = line.split(separator: "  // ")
      return parts.count == 2 ? (index + 1, String(parts[1])) : nil
    }
    #expect(said.map(\.line).sorted() == expected.map(\.line), "\(result.output)")
    for (line, text) in expected {
      #expect(said.contains { $0.line == line && $0.text.contains(text) }, "line \(line): \(text)")
    }
  }

  /// The line and the text of an error, as `/path/Time.swift:7:8: error: …`.
  private func error(_ output: Substring) -> (line: Int, text: Substring)? {
    guard let mark = output.range(of: ": error: "), output.hasPrefix("/") else { return nil }
    let place = output[..<mark.lowerBound].split(separator: ":")
    guard place.count == 3, let line = Int(place[1]) else { return nil }
    return (line, output[mark.upperBound...])
  }
}
