// SPDX-License-Identifier: Apache-2.0

package import Foundation
internal import Testing

/// A package of `Tests/Fixtures`, which is built once for all tests.
///
/// All fixtures have one folder of products for each configuration, so that Ambient is compiled
/// once for all; `.ci/run` builds the package itself for release there, too. SwiftPM lets one build
/// wait for the other.
package struct FixturePackage: Sendable {
  private let products: String
  private let build: Task<Command, any Error>

  /// Starts to build the fixture of that name.
  package init(_ name: String, isOptimized: Bool = false, withTests: Bool = false) {
    self.init(at: Self.folder(name), isOptimized: isOptimized, withTests: withTests)
  }

  /// Starts to build the package in that folder.
  package init(at folder: URL, isOptimized: Bool = false, withTests: Bool = false) {
    let configuration = isOptimized ? "release" : "debug"
    products = "\(Self.scratch(isOptimized: isOptimized))/\(configuration)"
    build = Task {
      try await Self.swift(
        ["build", "-c", configuration] + (withTests ? ["--build-tests"] : [])
          + Self.options(folder, isOptimized: isOptimized))
    }
  }

  /// The path of a product, once the package is built.
  package func product(_ name: String) async throws -> String {
    let build = try await build.value
    try #require(build.status == 0, "\(build.output)")
    return "\(products)/\(name)"
  }

  /// The folder of the fixture of that name.
  package static func folder(_ name: String) -> URL {
    SwiftCompiler.folder.appending(path: "Tests/Fixtures/\(name)")
  }

  /// Copies a fixture to another folder, from which it depends on Ambient, too.
  package static func copy(_ name: String, to folder: URL) throws {
    try FileManager.default.copyItem(at: Self.folder(name), to: folder)
    let manifest = folder.appending(path: "Package.swift")
    try String(contentsOf: manifest, encoding: .utf8)
      .replacing("\"../../..\"", with: "\"\(SwiftCompiler.folder.path)\"")
      .write(to: manifest, atomically: true, encoding: .utf8)
  }

  /// Runs SwiftPM, and runs it once more if it crashes. On a busy machine, SwiftPM 6.3 rarely ends
  /// by SIGSEGV in its main thread, after a plugin has reported its result.
  package static func swift(_ arguments: [String]) async throws -> Command {
    let result = try await Command.run(["swift"] + arguments)
    return result.status == -SIGSEGV ? try await Command.run(["swift"] + arguments) : result
  }

  /// The options of SwiftPM for a package that shares the products.
  package static func options(_ folder: URL, isOptimized: Bool = false) -> [String] {
    [
      "--package-path", folder.path, "--scratch-path", scratch(isOptimized: isOptimized),
      "-Xswiftc", "-warnings-as-errors",
      // Only editors and the discovery of XCTest's tests read an index, whose making takes time.
      "--disable-index-store",
      // Else SwiftPM may take up the plan of the package that it has built there before.
      "--disable-build-manifest-caching",
    ]
  }

  private static func scratch(isOptimized: Bool) -> String {
    SwiftCompiler.folder.appending(path: isOptimized ? ".build/strict" : ".build/fixtures").path
  }
}
