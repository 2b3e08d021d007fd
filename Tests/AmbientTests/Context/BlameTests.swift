#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  /// Builds `Fixtures/Blame` for release.
  @Suite(.builds) struct `The report of a late assignment in an optimised program` {
    private static let package = URL(filePath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    private static let program = package.appending(path: "Tests/Fixtures/Blame").path
    private static let products = package.appending(path: ".build/blame").path

    private static let built = Task {
      // A build that finds an old manifest does not look for new files of what it depends on.
      try FileManager.default.setAttributes(
        [.modificationDate: Date()], ofItemAtPath: "\(program)/Package.swift")
      return try await Command.run(
        "swift", "build", "-c", "release", "--package-path", program, "--scratch-path", products)
    }

    /// The lines of the report about who set, when the program assigns in that way.
    private func setter(_ way: String) async throws -> String {
      let build = try await Self.built.value
      try #require(build.status == 0, "\(build.output)")
      let result = try await Command.run("\(Self.products)/release/Blame", way)
      let lines = result.output.split(separator: "\n").drop { !$0.hasPrefix("  set: ") }
      return lines.prefix(2).joined(separator: "\n")
    }

    /// The number of the line that assigns in that way.
    private func line(_ way: String) throws -> Int {
      let text = try String(
        contentsOfFile: "\(Self.program)/Sources/Blame/main.swift", encoding: .utf8)
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      return try #require(lines.firstIndex { $0.hasSuffix("// SET \(way)") }) + 1
    }

    @Test(arguments: [
      "ownLast", "ownFirst", "remoteFirst", "logLast", "logFirst", "timeLast", "stringLast",
      "arrayLog", "result", "duration", "generic", "asyncOwn", "asyncLog", "closure", "closureLog",
      "top", "actor",
    ])
    func `names the line that assigned`(way: String) async throws {
      let setter = try await setter(way)
      #expect(setter.contains("main.swift:\(try line(way)), in "), "\(setter)")
    }

    /// Whoever calls the façade of another module last, or is inlined whole, has left no frame.
    @Test(arguments: ["remoteLast", "stringRemote", "initializer"])
    func `names the façade and the next caller where a call in tail position left no frame`(
      way: String
    ) async throws {
      let setter = try await setter(way)
      #expect(setter.contains("instance.setter"), "\(setter)")
      #expect(setter.contains(/called from .*main\.swift:[0-9]+, in main/), "\(setter)")
    }

    @Test(arguments: CalledBack.all)
    func `does not end one that C without frame pointers calls back`(way: CalledBack) async throws {
      let build = try await Self.built.value
      try #require(build.status == 0, "\(build.output)")
      try await way.check("\(Self.products)/release/Lines")
    }
  }
#endif
