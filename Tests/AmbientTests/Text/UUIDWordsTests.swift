// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Ambient

@Suite struct `UUID words` {
  private let identities =
    [UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))]
    + (0..<200).map { _ in UUID() }

  @Test func `UUIDWords hold all bytes of a UUID`() {
    for identity in identities { #expect(UUID(UUIDWords(identity)) == identity) }
    let words = UUIDWords(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)))
    #expect(words.high == 0x0102_0304_0506_0708)
    #expect(words.low == 0x090A_0B0C_0D0E_0F10)
  }

  @Test func `a LineBuffer writes UUIDWords as the UUID's text`() {
    for identity in identities {
      let text = LineBuffer.with { line in
        line.append("<")
        line.append(UUIDWords(identity))
        line.append(">")
        return line.text
      }
      #expect(text == "<\(identity.uuidString)>")
    }
  }
}
