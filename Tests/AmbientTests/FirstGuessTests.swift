import Foundation
import TestSupport
import Testing

/// What is written at first: it works, or the compiler says what to write instead.
@Suite struct `A first guess` {
  private static let folder = SwiftCompiler.folder.appending(path: "Tests/Fixtures/Guesses")

  @Test func `of a level, a value or an event compiles`() async throws {
    let path = Self.folder.appending(path: "Right.swift").path
    let result = try await SwiftCompiler.check(file: path)
    #expect(result.status == 0 && result.output.isEmpty, "\(result.output)")
  }

  @Test func `that does not compile is told what to write, in the line above it`() async throws {
    let path = Self.folder.appending(path: "Wrong.swift").path
    let result = try await SwiftCompiler.check(file: path)
    #expect(result.status != 0)
    let errors = result.output.split(separator: "\n").filter { $0.contains("Wrong.swift:") }
      .filter { $0.contains(": error: ") }
    let lines = try String(contentsOfFile: path, encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false)
    var expected = 0
    for (number, line) in lines.enumerated() where line.hasPrefix("  // ") {
      expected += 1
      let said = errors.filter { $0.contains("Wrong.swift:\(number + 2):") }
      #expect(said.count == 1 && said.allSatisfy { $0.hasSuffix(line.dropFirst(5)) }, "\(said)")
    }
    #expect(errors.count == expected && expected > 30, "\(result.output)")
  }
}
