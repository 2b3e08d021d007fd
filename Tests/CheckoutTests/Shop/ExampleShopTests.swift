// SPDX-License-Identifier: Apache-2.0

import Checkout
import Foundation
import Testing

@Suite struct `Example shop` {
  @Test func `the built-in example shop equals the shop file in the repository`() throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Examples/shop.json").standardized
    #expect(try String(contentsOf: file, encoding: .utf8) == Shop.exampleJSON)
    #expect(try Shop(contentsOf: file.path).name == Shop.example().name)
  }
}
