package import Foundation
internal import Testing

/// The compiler, with the modules that the tests were built with.
package enum SwiftCompiler {
  /// Checks the types of a program of one file, and returns its status and what it said.
  package static func check(_ program: String) async throws -> Command {
    let temporary = TemporaryFolder()
    try temporary.write(program, to: "main.swift")
    return try await check(file: temporary.path("main.swift"))
  }

  /// Checks the types of the file of that path, which may use every module of the package.
  package static func check(file path: String) async throws -> Command {
    let built = try buildFolder
    // The modules of C that ours use: with a map of their own, or with one that was generated.
    let maps = try FileManager.default.contentsOfDirectory(
      at: built, includingPropertiesForKeys: nil
    ).map { $0.appending(path: "module.modulemap") }
      .filter { FileManager.default.fileExists(atPath: $0.path) }
    return try await Command.run(
      [
        "swiftc", "-typecheck", "-swift-version", "6", "-enable-upcoming-feature", "ExistentialAny",
        "-I", built.appending(path: "Modules").path,
        "-I", folder.appending(path: "Sources/CCrypt").path,
      ] + maps.flatMap { ["-Xcc", "-fmodule-map-file=\($0.path)"] } + [path])
  }

  /// The errors, without their groups, that the compiler tells of a program in which a part is
  /// replaced, once, by another.
  package static func errors(
    in program: String, replacing part: String, by other: String
  ) async throws -> [String] {
    let range = try #require(program.range(of: part), "no “\(part)”")
    let result = try await check(program.replacingCharacters(in: range, with: other))
    return result.output.matches(of: /main\.swift:[0-9]+:[0-9]+: error: (.*?)( \[#\w+\])?\n/).map {
      String($0.output.1)
    }
  }

  /// The folder of the package that is tested.
  package static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Where the tests were built.
  private static var buildFolder: URL {
    get throws {
      let bundles = Bundle.allBundles.filter { $0.bundleURL.pathExtension == "xctest" }
      let places = bundles.map(\.bundleURL) + [Bundle.main.executableURL].compactMap(\.self)
      let folders = places.map { $0.deletingLastPathComponent() }
      return try #require(
        folders.first {
          FileManager.default.fileExists(
            atPath: $0.appending(path: "Modules/Ambient.swiftmodule").path)
        }, "no modules in \(folders.map(\.path))")
    }
  }
}
