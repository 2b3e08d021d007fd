#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  /// Builds the programs of `Fixtures/Copies`, each with Ambient in it and in a dynamic library.
  @Suite(.builds) struct `A second copy in a process` {
    private static let package = URL(filePath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    private static let products = package.appending(path: ".build/copies").path
    private static let library = "\(products)/debug/libCopyLibrary.so"

    private static let built = Task {
      for name in ["Copies", "CopyLibrary"] {
        // A build that finds an old manifest does not look for new files of what it depends on.
        try FileManager.default.setAttributes(
          [.modificationDate: Date()],
          ofItemAtPath: package.appending(path: "Tests/Fixtures/\(name)/Package.swift").path)
      }
      return try await Command.run(
        "swift", "build", "--package-path", package.appending(path: "Tests/Fixtures/Copies").path,
        "--scratch-path", products, "-Xswiftc", "-warnings-as-errors")
    }

    /// Linked with the program, or opened while it runs.
    @Test(arguments: [("Copies", 10_000, 10_000), ("Opening", 1_001, 1_000)])
    func `loses no line, and is reported once`(
      program: String, programLines: Int, libraryLines: Int
    ) async throws {
      let build = try await Self.built.value
      try #require(build.status == 0, "\(build.output)")
      let folder = TemporaryFolder()
      let result = try await Command.run(
        "\(Self.products)/debug/\(program)", folder.path(""), Self.library)
      #expect(result.status == 0 && result.output.contains("ready"), "\(result.output)")
      for (name, count) in [("program", programLines), ("library", libraryLines)] {
        let text = try String(contentsOfFile: folder.path("\(name).log"), encoding: .utf8)
        let lines = text.split(separator: "\n")
        #expect(lines.count == count)
        #expect(lines.allSatisfy { $0.contains("\(name) ") })
      }
      let reports = result.output.split(separator: "\n").filter { $0.contains("two copies") }
      #expect(reports.count == 1)
      #expect(reports.first?.contains("in the program and in ") == true, "\(result.output)")
      #expect(reports.first?.contains("libCopyLibrary.so. ") == true, "\(result.output)")
    }
  }
#endif
