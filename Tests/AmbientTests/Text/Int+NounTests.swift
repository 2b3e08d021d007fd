// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Ambient

@Suite struct `Numbers with nouns` {
  @Test(arguments: [(0, "0 lines"), (1, "1 line"), (2, "2 lines"), (21, "21 lines")])
  func `only the noun of the number 1 is in the singular`(number: Int, text: String) {
    #expect(number.with("line") == text)
  }
}
