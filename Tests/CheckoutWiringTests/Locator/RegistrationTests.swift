// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CheckoutWiring

@Suite struct `Registration keys` {
  @Test func `two ServiceKeys are equal only if both type and name are equal`() {
    let key = ServiceKey(service: Motor.self, name: "spare")
    #expect(key == ServiceKey(service: Motor.self, name: "spare"))
    for other in [
      ServiceKey(service: Motor.self, name: nil), ServiceKey(service: Motor.self, name: "front"),
      ServiceKey(service: Left.self, name: "spare"), ServiceKey(service: Left.self, name: nil),
    ] {
      #expect(key != other)
    }
    #expect("\(key)" == "Motor “spare”")
    #expect("\(ServiceKey(service: (any Engine).self, name: nil))" == "Engine")
  }
}
