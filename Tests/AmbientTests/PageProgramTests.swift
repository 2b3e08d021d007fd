// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The programs that the pages show, compiled as in another package: without this package's name,
/// and without its upcoming features.
@Suite(.long, .withoutSanitizer) struct `Documentation snippets` {
  private static let folder = SwiftCompiler.folder.appending(path: "Snippets")

  @Test(arguments: ["5", "6"])
  func `documentation snippets compile without a warning in Swift 5 and Swift 6 mode`(mode: String)
    async throws
  {
    let programs = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
      .filter { $0.hasSuffix(".swift") }
    #expect(programs.count >= 19)
    for program in programs {
      let result = try await SwiftCompiler.check(
        file: Self.folder.appending(path: program).path, features: [], findsRaces: true,
        flags: ["-swift-version", mode])
      #expect(result.status == 0 && result.output.isEmpty, "\(program): \(result.output)")
    }
  }
}
