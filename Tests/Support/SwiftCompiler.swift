// SPDX-License-Identifier: Apache-2.0

package import Foundation
internal import Testing

/// Runs the compiler with the modules of the build to which the tests belong.
package enum SwiftCompiler {
  /// Type-checks a program of one file, and returns the compiler's status and output.
  package static func check(_ program: String) async throws -> Command {
    let temporary = TemporaryFolder()
    try temporary.write(program, to: "main.swift")
    return try await check(file: temporary.path("main.swift"))
  }

  /// Type-checks the file at that path, which may import every module of the package.
  ///
  /// - Parameters:
  ///   - features: The upcoming features that are enabled.
  ///   - findsRaces: Whether the compiler also finds data races, which it does after type-checking.
  ///   - flags: Further flags, which win over the others.
  package static func check(
    file path: String, features: [String] = ["ExistentialAny"], findsRaces: Bool = false,
    flags: [String] = []
  ) async throws -> Command {
    let built = try buildFolder
    // The module maps that the build generated for C modules. `CCrypt` has its own map, which
    // `-I` finds below.
    let maps = try FileManager.default.contentsOfDirectory(
      at: built, includingPropertiesForKeys: nil
    ).map { $0.appending(path: "module.modulemap") }
      .filter { FileManager.default.fileExists(atPath: $0.path) }
    return try await Command.run(
      [
        "swiftc", findsRaces ? "-emit-sil" : "-typecheck", "-swift-version", "6",
        "-I", built.appending(path: "Modules").path,
        "-I", folder.appending(path: "Sources/CCrypt").path,
      ] + (findsRaces ? ["-o", "/dev/null"] : [])
        + features.flatMap { ["-enable-upcoming-feature", $0] }
        + maps.flatMap { ["-Xcc", "-fmodule-map-file=\($0.path)"] } + flags + [path])
  }

  /// The compiler's errors, without their groups, for a program in which the first occurrence of
  /// `part` is replaced by `other`.
  package static func errors(
    in program: String, replacing part: String, by other: String
  ) async throws -> [String] {
    let range = try #require(program.range(of: part), "no “\(part)”")
    let result = try await check(program.replacingCharacters(in: range, with: other))
    return result.output.matches(of: /main\.swift:[0-9]+:[0-9]+: error: (.*?)( \[#\w+\])?\n/).map {
      String($0.output.1)
    }
  }

  /// The folder of the package under test.
  package static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The folder into which the tests were built.
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
