// SPDX-License-Identifier: Apache-2.0

import Ambient
import Foundation
import Testing

@Suite struct `Described errors` {
  @Test func `an ISO8601Error's localizedDescription equals its description`() throws {
    let error = #expect(throws: ISO8601Error.self) { try Date(iso8601: "tomorrow") }
    #expect(error?.localizedDescription == error?.description)
    #expect(error?.description.isEmpty == false)
  }
}
