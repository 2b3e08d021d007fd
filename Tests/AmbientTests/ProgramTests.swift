// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite(.long, .withoutSanitizer) struct `Compiled programs` {
  private static let programs = FixturePackage("Programs")

  private func run(_ name: String) async throws -> Command {
    try await Command.run(Self.programs.product(name))
  }

  @Test func `a program can subclass Ambient's services as documented`() async throws {
    let result = try await run("Plain")
    #expect(result.status == 0)
    #expect(result.output == "ready!\nopened 2001-01-03T00:00:00.000Z\n")
  }

  @Test func `a module whose default isolation is MainActor can subclass Ambient's services`()
    async throws
  {
    let result = try await run("MainActorByDefault")
    #expect(result.status == 0)
    #expect(
      result.output
        == "ready!\nopened 2001-01-03T00:00:00.000Z\nsized!\nclosed 2001-01-03T00:00:00.000Z\n")
  }

  @Test func `in a program that isn't a test, an unstructured task runs on the cooperative pool`()
    async throws
  {
    let result = try await run("Bare")
    #expect(result.status == 0)
    #expect(result.output == "the bare task ran on the pool\n")
  }

  @Test(.enabled("only Linux shows a scope's time") { isLinux })
  func `if a program defines clock_gettime, the date and clock options of virtual time throw`()
    async throws
  {
    let result = try await run("OwnClock")
    #expect(result.status == 0)
    #expect(result.output == "own: true\ncan: false\nnoDate\nnoClocks\n")
  }

  @Test(.enabled("only Linux names places") { isLinux }, arguments: ["Late", "LateAsync"])
  func `assigning a service after its first read is reported with both source lines`(
    program: String
  ) async throws {
    let result = try await run(program)
    #expect(result.status == 0)
    let source = "Programs/Sources/\(program)/main.swift"
    let output = result.output
    #expect(output.contains("Ambient: Log.instance: "))
    #expect(output.contains("\(source):4, in static Log.hello()"), "\(output)")
    #expect(output.contains("\(source):20, in main"), "\(output)")
    #expect(output.contains("Ambient: Flags.instance: "))
    #expect(output.contains("\(source):15, in readFlags()"), "\(output)")
    #expect(output.contains("\(source):22, in main"), "\(output)")
  }

  @Test(.enabled("only Linux has stripped programs") { isLinux })
  func `in a stripped program, a late service assignment is reported with code addresses`()
    async throws
  {
    let result = try await run("Stripped")
    #expect(result.status == 0)
    let calls = result.output.split(separator: "\n").filter {
      $0.contains("/Stripped") && $0.contains("llvm-symbolizer --obj=COPY")
    }
    #expect(calls.count == 2, "\(result.output)")
    #expect(calls.allSatisfy { $0.contains(/COPY( 0x[0-9a-f]+)+ \|/) }, "\(result.output)")
  }

  @Test(arguments: CalledBack.all)
  func `a callback can log even if the C code that calls it has no frame pointers`(way: CalledBack)
    async throws
  {
    try await way.check(Self.programs.product("Lines"))
  }

  @Test(arguments: ["force", "replaced"], [1, 2, 5, 17, 40])
  func `if services block the pool's only thread, shutdown still meets its deadline`(
    way: String, count: Int
  ) async throws {
    let result = try await Command.run(
      "LIBDISPATCH_COOPERATIVE_POOL_STRICT=1", Self.programs.product("Stuck"), way, "\(count)")
    #expect(result.status == 0)
    #expect(result.output.contains("late: \(count)\n"), "\(result.output)")
  }

  @Test func `late assignments of a context are reported even if the program exits soon after`()
    async throws
  {
    let result = try await run("Brief")
    #expect(result.status == 0)
    let reports = result.output.split(separator: "\n").filter { $0.hasPrefix("Ambient: Number") }
    #expect(reports.count == 50, "\(result.output)")
  }

  @Test(.enabled("only root gives files away") { geteuid() == 0 }, arguments: [false, true])
  func `Ambient ignores environment variables only in a setuid program`(isPrivileged: Bool)
    async throws
  {
    let (files, folder) = (FileManager.default, TemporaryFolder())
    var program = try await Self.programs.product("Told")
    if isPrivileged {
      try files.copyItem(atPath: program, toPath: folder.path("Told"))
      program = folder.path("Told")
      let other: UInt32 = 65_534
      try #require(chown(program, other, other) == 0 && chmod(program, 0o4755) == 0)
      try #require(chown(folder.path, other, other) == 0)
    }
    // What the caller would have instead of gzip; it does that work, so that nothing is reported.
    try folder.write(
      "#!/bin/sh\n: > '\(folder.path("called"))'\nexec /usr/bin/gzip \"$@\"\n", to: "gzip")
    try #require(chmod(folder.path("gzip"), 0o755) == 0)
    let path = "\(folder.path):/usr/bin:/bin"
    let result = try await Command.run(
      "AMBIENT_STRICT=1", "LOG_PRIVATE=show", "LOG_LEVEL=trace", "PATH=\(path)", program,
      folder.path)
    #expect(result.status == 0)
    #expect(
      result.output == (isPrivileged ? "false false false\n" : "true true true\n"),
      "\(result.output)")
    #expect(files.fileExists(atPath: folder.path("called")) != isPrivileged)
  }

  private static var isLinux: Bool {
    #if os(Linux)
      true
    #else
      false
    #endif
  }
}
