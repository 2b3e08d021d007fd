// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// A program whose other parts close descriptors all the time, and open files of their own.
@Suite(.withoutSanitizer, .serialized) struct `File descriptors closed or replaced` {
  private let steps = TestRun.rounds(1_000, all: 10_000, full: 100_000)

  /// The numbers that the program prints, by their first word.
  private func storm(_ words: String...) async throws -> [String: [Int]] {
    let folder = TemporaryFolder()
    let program = try Products.program("Survivor").path
    let result = try await Command.run([program, words[0], folder.path, words[1], "\(steps)"])
    try #require(result.status == 0, "\(result.output)")
    var numbers: [String: [Int]] = [:]
    for line in result.output.split(separator: "\n") {
      let parts = line.split(separator: " ")
      numbers[String(parts[0])] = parts.dropFirst().compactMap { Int($0) }
    }
    if TestRun.asked == .full {
      print(words.joined(separator: " "), numbers.filter { $0.key != "Journal" })
    }
    return numbers
  }

  @Test(arguments: ["close", "replace"])
  func `if other code closes or replaces file descriptors, a journal keeps each record once`(
    _ kind: String
  ) async throws {
    for _ in 0..<TestRun.rounds(2, full: 20) {
      let numbers = try await storm("journal", kind)
      #expect(numbers["missing"] == [0] && numbers["missing-other"] == [0], "\(numbers)")
      #expect(numbers["twice"] == [0], "\(numbers)")
      #expect(numbers["accepted"]?.count == 2 && numbers["accepted"]?.contains(0) == false)
      if kind == "close" { #expect(numbers["storm"]?.first == 0, "\(numbers)") }
    }
  }

  @Test(arguments: ["close", "replace"])
  func `if other code closes or replaces file descriptors, queued events reach the server`(
    _ kind: String
  )
    async throws
  {
    for _ in 0..<TestRun.rounds(2, full: 20) {
      let numbers = try await storm("queue", kind)
      #expect(numbers["missing"] == [0] && numbers["lost"] == [0], "\(numbers)")
      #expect(numbers["tracked"]?.contains(0) == false)
      if kind == "close" { #expect(numbers["storm"]?.first == 0, "\(numbers)") }
    }
  }
}
