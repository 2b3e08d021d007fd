// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Ambient

@Suite struct `Field references` {
  private static let most = Int(UInt32.max)

  @Test(arguments: [
    (0, 0, true), (0, most, true), (most, 0, true), (most - 1, 1, true), (most, 1, false),
    (1, most, false), (0, most + 1, false), (most + 1, 0, false),
  ])
  func `a FieldReference can be created only if its end offset fits in 32 bits`(
    start: Int, size: Int, isPossible: Bool
  ) {
    let isMade = "order".withBytes { name in
      FieldReference(.string, .plain, name: name, start: start, size: size) != nil
    }
    #expect(isMade == isPossible)
  }

  @Test func `a FieldReference can't be created for a name whose pointer is nil`() {
    let name = UnsafeRawBufferPointer(start: nil, count: 0)
    #expect(FieldReference(.string, .plain, name: name, start: 0, size: 1) == nil)
  }
}
