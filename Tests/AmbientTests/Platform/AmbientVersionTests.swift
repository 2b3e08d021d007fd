// SPDX-License-Identifier: Apache-2.0

import Ambient
import Foundation
import Testing

@Suite struct `Package version` {
  @Test func `the package version equals the changelog's first entry`() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
    let log = try String(contentsOf: root.appending(path: "CHANGELOG.md"), encoding: .utf8)
    let entry = try #require(log.firstMatch(of: /(?m)^## ([^,\s]+)/))
    #expect(entry.output.1 == AmbientVersion.current)
    #expect(AmbientVersion.current.wholeMatch(of: /[0-9]+\.[0-9]+\.[0-9]+/) != nil)
  }
}
