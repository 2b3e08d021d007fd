// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite struct `Documented adapters` {
  /// The page's blocks for swift-log as files: what they declare, and in a function what they do.
  private func sources() throws -> [String] {
    let page = try String(
      contentsOf: SwiftCompiler.folder.appending(path: "docs/adapters.md"), encoding: .utf8)
    return page.matches(of: /```swift\n(?s:(.*?))```/).map { String($0.output.1) }
      .filter { $0.contains("import Logging") }
  }

  @Test(.long, .withoutSanitizer)
  func `the swift-log adapters of the documentation build and run with a mock of swift-log`()
    async throws
  {
    let folder = TemporaryFolder()
    let fixture = folder.url.appending(path: "Adapters")
    try FixturePackage.copy("Adapters", to: fixture)
    let blocks = try sources()
    try #require(blocks.count == 2)
    for (index, name) in ["bootstrapAmbient", "installSwiftLog"].enumerated() {
      var lines = blocks[index].split(separator: "\n", omittingEmptySubsequences: false)
      let last = try #require(lines.lastIndex { !$0.isEmpty })
      lines[last] = "func \(name)() { \(lines[last]) }"
      try lines.joined(separator: "\n").write(
        to: fixture.appending(path: "Sources/Adapters/\(name).swift"), atomically: true,
        encoding: .utf8)
    }
    let result = try await Command.run(FixturePackage(at: fixture).product("Adapters"))
    #expect(result.status == 0, "\(result.output)")
    #expect(
      result.output == """
        warning Adapters "slow 3" request=7 logger=nio list="[\\"a\\",1]" peer=10.0.0.1

        error Bank "failed" exception.type=Adapters.Refused \
        exception.message="refused by the bank" logger=nio count=42 \
        list="[\\"<private>\\",\\"open\\"]" peer=10.0.0.1 ratio=0.5 text="42" user=<private>

        info Adapters "of the task" order=A-1

        error Adapters Adapters/main.swift order 1 ["in:[\\"gift:true\\"]", "total:3"]
        debug Adapters Adapters/main.swift accepted by Ambient ["big:18446744073709551615"]
        info Adapters Adapters/main.swift a\\nforged \\u{1B}[31m \\u{202E}line \
        ["n\\\\n:x\\\\ny", "no:no date (nan)"]

        """, "\(result.output)")
  }
}
