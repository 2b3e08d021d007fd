// SPDX-License-Identifier: Apache-2.0

import Ambient
import Testing

@Suite struct `Bool turnOn` {
  @Test func `Bool turnOn() returns true only if it changes the flag from false to true`() {
    var flag = false
    var told = [flag.turnOn(), flag, flag.turnOn(), flag]
    #expect(told == [true, true, false, true])
    told = [flag.turnOn(if: false), flag, flag.turnOn(if: false), flag]
    #expect(told == [false, false, false, false])
    told = [flag.turnOn(if: true), flag, flag.turnOn(if: true), flag]
    #expect(told == [true, true, false, true])
  }
}
