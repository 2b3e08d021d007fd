import Foundation
import Testing

/// Checks the types of a source against the modules that the tests were built with.
package enum Compiler {
  /// What the compiler says of the source, which imports that module, and how it ends.
  package static func check(
    _ path: String, with module: String, _ words: [String] = []
  ) async throws -> Command {
    let built = try folder(of: module)
    // The modules of C that ours use: with a map of their own, or with one that was generated.
    let maps = try FileManager.default.contentsOfDirectory(
      at: built, includingPropertiesForKeys: nil
    ).map { $0.appending(path: "module.modulemap") }
      .filter { FileManager.default.fileExists(atPath: $0.path) }
    return try await Command.run(
      [
        "swiftc", "-typecheck", "-swift-version", "6", "-enable-upcoming-feature", "ExistentialAny",
        "-I", built.appending(path: "Modules").path,
      ] + maps.flatMap { ["-Xcc", "-fmodule-map-file=\($0.path)"] } + words + [path])
  }

  /// Where the tests were built.
  private static func folder(of module: String) throws -> URL {
    let bundles = Bundle.allBundles.filter { $0.bundleURL.pathExtension == "xctest" }
    let places = bundles.map(\.bundleURL) + [Bundle.main.executableURL].compactMap(\.self)
    let folders = places.map { $0.deletingLastPathComponent() }
    return try #require(
      folders.first {
        FileManager.default.fileExists(
          atPath: $0.appending(path: "Modules/\(module).swiftmodule").path)
      }, "no modules in \(folders.map(\.path))")
  }
}
