// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  @Suite(.long, .withoutSanitizer) struct `Late assignments in optimized builds` {
    private static let programs = FixturePackage("Blame", isOptimized: true)

    /// The lines of the report about who set, when the program assigns in that way.
    private func setter(_ way: String) async throws -> String {
      let result = try await Command.run(Self.programs.product("Blame"), way)
      let lines = result.output.split(separator: "\n").drop { !$0.hasPrefix("  set: ") }
      return lines.prefix(2).joined(separator: "\n")
    }

    /// The number of the line that assigns in that way.
    private func line(_ way: String) throws -> Int {
      let text = try String(
        contentsOf: FixturePackage.folder("Blame").appending(path: "Sources/Blame/main.swift"),
        encoding: .utf8)
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      return try #require(lines.firstIndex { $0.hasSuffix("// SET \(way)") }) + 1
    }

    @Test(arguments: [
      "ownLast", "ownFirst", "remoteFirst", "logLast", "logFirst", "timeLast", "stringLast",
      "arrayLog", "result", "duration", "generic", "asyncOwn", "asyncLog", "closure", "closureLog",
      "top", "actor",
    ])
    func `the report of an assignment after the first read names the assignment's line`(way: String)
      async throws
    {
      let setter = try await setter(way)
      #expect(setter.contains("main.swift:\(try line(way)), in "), "\(setter)")
    }

    /// Whoever calls the façade of another module last, or is inlined whole, has left no frame.
    @Test(arguments: ["remoteLast", "stringRemote", "initializer"])
    func `if a tail call hides the function of a late assignment, the report names the caller`(
      way: String
    ) async throws {
      let setter = try await setter(way)
      #expect(setter.contains("instance.setter"), "\(setter)")
      #expect(setter.contains(/called from .*main\.swift:[0-9]+, in main/), "\(setter)")
    }

    @Test(arguments: CalledBack.all)
    func `in a callback from C without frame pointers, logs and late assignments don't crash`(
      way: CalledBack
    ) async throws {
      try await way.check(Self.programs.product("Lines"))
    }
  }
#endif
