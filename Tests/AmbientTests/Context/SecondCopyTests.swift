// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  /// Each program of `Fixtures/Copies` has Ambient in it, and in a dynamic library.
  @Suite(.long, .withoutSanitizer) struct `Two copies of Ambient` {
    private static let copies = FixturePackage("Copies")
    private static let libraries = FixturePackage("CopyLibrary")

    /// Linked with the program, or opened while it runs.
    @Test(arguments: [("Copies", 10_000, 10_000), ("Opening", 1_001, 1_000)])
    func `two copies of Ambient in a process both log every line and are reported once`(
      program: String, programLines: Int, libraryLines: Int
    ) async throws {
      let library = try await Self.copies.product("libCopyLibrary.so")
      let folder = TemporaryFolder()
      let result = try await Command.run(
        Self.copies.product(program), folder.path(""), library)
      #expect(result.status == 0 && result.output.contains("ready"), "\(result.output)")
      for (name, count) in [("program", programLines), ("library", libraryLines)] {
        let text = try String(contentsOfFile: folder.path("\(name).log"), encoding: .utf8)
        let lines = text.split(separator: "\n")
        #expect(lines.count == count)
        #expect(lines.allSatisfy { $0.contains("\(name) ") })
      }
      let reports = result.output.split(separator: "\n")
        .filter { $0.contains("Ambient: second copy: ") }
      #expect(reports.count == 1)
      #expect(reports.first?.contains("in the program and in ") == true, "\(result.output)")
      #expect(reports.first?.contains("libCopyLibrary.so, ") == true, "\(result.output)")
    }

    @Test func `if a process has two copies of Ambient, only the first can control the clocks`()
      async throws
    {
      let library = try await Self.libraries.product("libClockLibrary.so")
      let result = try await Command.run(Self.copies.product("Clocks"), library)
      #expect(result.status == 0)
      for line in [
        "alone: true", "beside another copy: true", "the other copy: false",
        "after its question: true",
      ] {
        #expect(result.output.contains("\(line)\n"), "\(result.output)")
      }
    }
  }
#endif
