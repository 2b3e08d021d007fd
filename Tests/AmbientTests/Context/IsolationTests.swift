// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Where the blocks of asynchronous verbs run, in programs that do not have this package's settings.
@Suite(.long, .withoutSanitizer) struct `Asynchronous scope blocks` {
  private static let programs = FixturePackage("Isolation", withTests: true)
  private static let optimized = FixturePackage("Isolation", isOptimized: true)

  @Test(arguments: ["Plain", "Nonsending", "Main", "MainNonsending", "Minimal", "Complete"])
  func `an asynchronous scope block runs on its caller's actor`(mode: String) async throws {
    let result = try await Command.run(Self.programs.product(mode))
    #expect(result.status == 0 && result.output.hasSuffix("right\n"), "\(result.output)")
  }

  @Test(arguments: ["Plain", "Nonsending", "Main", "MainNonsending", "Minimal", "Complete"])
  func `in an optimized build, an asynchronous scope block runs on its caller's actor`(mode: String)
    async throws
  {
    let result = try await Command.run(Self.optimized.product(mode))
    #expect(result.status == 0 && result.output.hasSuffix("right\n"), "\(result.output)")
  }

  @Test func `in a test, an asynchronous scope block runs on the actor of the test body`()
    async throws
  {
    let tests = try await Self.programs.product("IsolationPackageTests.xctest")
    let result = try await Command.run([tests, "--testing-library", "swift-testing"])
    #expect(result.status == 0, "\(result.output)")
    #expect(result.output.contains("Test run with 18 tests"), "\(result.output)")
  }
}

@Suite struct `Scope blocks with non-Sendable objects` {
  private static let path = SwiftCompiler.folder
    .appending(path: "Tests/Fixtures/Isolation/Refused.swift").path

  @Test
  func `Swift 6 without upcoming features rejects non-Sendable objects in scope blocks`()
    async throws
  {
    let result = try await SwiftCompiler.check(file: Self.path, features: [], findsRaces: true)
    let lines = try String(contentsOfFile: Self.path, encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false)
    let known = lines.indices.filter { lines[$0].hasSuffix("// refused") }.map { $0 + 1 }
    let refused = result.output.matches(
      of: /Refused[.]swift:([0-9]+):[0-9]+: error: sending '(self[.])?cart' risks causing/)
    #expect(Set(refused.compactMap { Int($0.output.1) }) == Set(known), "\(result.output)")
    #expect(result.output.matches(of: #/: error: /#).count == refused.count, "\(result.output)")
  }

  @Test func `with NonisolatedNonsendingByDefault, scope blocks can use non-Sendable objects`()
    async throws
  {
    let result = try await SwiftCompiler.check(
      file: Self.path, features: ["NonisolatedNonsendingByDefault"], findsRaces: true)
    #expect(result.status == 0, "\(result.output)")
  }
}
