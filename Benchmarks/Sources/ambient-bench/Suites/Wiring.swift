internal import Ambient
internal import Checkout
internal import CheckoutWiring

extension Suite {
  /// Each style of wiring: connecting the shop, and reaching its highest service.
  static let wiring = Suite(
    name: "wiring", abstract: "connecting a shop, and reaching a service, in each style of wiring"
  ) { bench in
    Log.instance = NoLog()
    let parts = ShopParts(prices: try Shop.example().prices)
    try await bench.measure(
      "connecting", floor: connecting(.initializer, parts, allowance: 8),
      WiringStyle.allCases.dropFirst().map {
        // A shop by a locator makes a container, and each registration makes another one; each
        // shared service, and each container that is asked, has a lock, which is an allocation.
        connecting($0, parts, allowance: $0 == .locator ? 145 : 8)
      })
    try await bench.measure(
      "reaching the rewards", floor: try reaching(.initializer, parts),
      try WiringStyle.allCases.dropFirst().map { try reaching($0, parts) })

    let container = Container.shop(from: parts)
    let dictionary: [ObjectIdentifier: any Sendable] = [
      ObjectIdentifier((any BasketStore).self): parts.store,
      ObjectIdentifier((any BasketService).self): parts.service,
      ObjectIdentifier(PriceList.self): parts.prices,
      ObjectIdentifier((any CustomerRepository).self): parts.repository,
      ObjectIdentifier((any PasswordVerifier).self): parts.passwords,
      ObjectIdentifier(BasketClient.self): try container.resolve(BasketClient.self),
      ObjectIdentifier((any CustomerService).self): try container.resolve(
        (any CustomerService).self),
      ObjectIdentifier((any RewardsService).self): try container.resolve(
        (any RewardsService).self),
    ]
    // A class is the cast that costs least, an existential the usual one.
    try await bench.measure(
      "a class", floor: lookUp(BasketClient.self, in: dictionary),
      [resolve(BasketClient.self, in: container)])
    try await bench.measure(
      "a protocol", floor: lookUp((any RewardsService).self, in: dictionary),
      [resolve((any RewardsService).self, in: container)])
  }
}

private func connecting(_ style: WiringStyle, _ parts: ShopParts, allowance: Double) -> Case {
  Case(style.rawValue, allowance: allowance) { count in
    try carry(count) {
      // Reaching the highest service connects those that are connected only when they are needed.
      let shop = style.shop(from: parts)
      return $0 &+ number(try shop.rewards) &+ number(try shop.client)
    }
  }
}

private func reaching(_ style: WiringStyle, _ parts: ShopParts) throws -> Case {
  let shop = style.shop(from: parts)
  return Case(style.rawValue, allowance: 2) { count in
    try carry(count) { $0 &+ number(try shop.rewards) }
  }
}

@inline(__always)
private func lookUp<Service>(
  _ service: Service.Type, in services: [ObjectIdentifier: any Sendable]
) -> Case {
  Case("a dictionary and a cast", threads: [1, 2], allowance: 1) { count in
    carry(count) {
      guard let found = services[ObjectIdentifier(service)] as? Service else { return $0 }
      return $0 &+ number(found)
    }
  }
}

@inline(__always)
private func resolve<Service: Sendable>(
  _ service: Service.Type, in container: Container
) -> Case {
  Case("Container.resolve", threads: [1, 2], allowance: 1) { count in
    try carry(count) { $0 &+ number(try container.resolve(service)) }
  }
}

/// A number of a value, so that the compiler cannot leave it out.
@inline(never)
private func number<Value>(_ value: Value) -> Int { MemoryLayout.size(ofValue: value) }
