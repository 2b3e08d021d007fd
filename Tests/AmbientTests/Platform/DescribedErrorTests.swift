// SPDX-License-Identifier: Apache-2.0

import Ambient
import Foundation
import Testing

@Suite struct `A described error` {
  @Test func `says the same to those who ask Foundation`() throws {
    let error = #expect(throws: ISO8601Error.self) { try Date(iso8601: "tomorrow") }
    #expect(error?.localizedDescription == error?.description)
    #expect(error?.description.isEmpty == false)
  }
}
