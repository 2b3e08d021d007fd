// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Ambient

@Suite struct `Service installations` {
  @Test
  func `Installations.add() returns true only if the count rises from zero or falls to zero`() {
    let installations = Installations()
    var counts = [installations.count]
    var told: [Bool] = []
    for change in [1, 1, 1, -1, -1, -1, 1, -1] {
      told.append(installations.add(change, ofProcess: false))
      counts.append(installations.count)
    }
    #expect(told == [true, false, false, false, false, true, true, true])
    #expect(counts == [0, 1, 2, 3, 2, 1, 0, 1, 0])
    let wereOfProcess = installations.wereOfProcess
    #expect(!wereOfProcess)
    let isFirst = installations.add(1, ofProcess: true)
    let isLast = installations.add(-1, ofProcess: false)
    let onceWere = installations.wereOfProcess
    #expect(isFirst && isLast && onceWere)
  }
}
