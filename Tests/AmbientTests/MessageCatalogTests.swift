// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite struct `Message catalog` {
  @Test func `each section of messages.txt is compared by a test`() throws {
    let folder = SwiftCompiler.folder.appending(path: "Tests")
    let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
    let tests = try (names ?? []).filter { $0.hasSuffix("Tests.swift") }
      .map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }
      .filter { $0.contains("MessageCatalog.expect(") }
    #expect(!MessageCatalog.names.isEmpty)
    for name in MessageCatalog.names {
      #expect(tests.contains { $0.contains("\"\(name)\"") }, "\(name)")
    }
  }
}
