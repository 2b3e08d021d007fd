// SPDX-License-Identifier: Apache-2.0

internal import Ambient
public import Checkout
internal import Foundation

/// A shop whose services are connected, in any style.
///
/// Reading a service may fail, because two of the styles (properties and the locator) notice
/// missing services only then. No style wires log, analytics and time: they are universal, so the
/// services use them as ambient contexts.
public protocol WiredShop: Sendable {
  /// The client of the buyer's basket. All parts of the shop share one `BasketClient`, because only
  /// a single client keeps the changes in order.
  var client: BasketClient { get throws(WiringError) }
  /// The customer service: the middle level, between the customer repository and the rewards
  /// service. It uses the repository and a verifier of passwords.
  var customers: any CustomerService { get throws(WiringError) }
  /// The rewards service, which uses the customer service.
  var rewards: any RewardsService { get throws(WiringError) }
}

/// The result of a visit that used every service of a shop, the same in every style of wiring.
public struct Visit: Hashable, Sendable {
  /// The lines of the basket.
  public let lines: [BasketLine]
  /// The price of the basket.
  public let total: Money
  /// The visitor's points: one for each whole unit of currency, but at least one.
  public let points: Int
  /// The tier that the points earned.
  public let tier: CustomerTier
}

extension WiredShop {
  /// Runs a visit: a new customer registers, signs in, fills the empty basket, looks at the price,
  /// earns points for the purchase as the leader of a group, and empties the basket.
  ///
  /// - Parameter lines: The goods to put into the basket.
  /// - Returns: The lines and the price of the basket, and the customer's points and tier.
  /// - Throws: ``WiringError``, ``CustomerError``, `CheckoutError` or ``RewardsError``.
  public func visit(_ lines: [BasketLine]) async throws -> Visit {
    let name = "visitor \(AmbientIdentifier.next())"
    let password = "\(AmbientIdentifier.next())"
    let visitor = try await customers.register(name: name, password: password)
    _ = try await customers.authenticate(name: name, password: password)
    try await client.clear()
    for line in lines { try await client.add(line.sku, line.quantity) }
    let basket = try await client.basket()
    let total = try await client.price().total
    let points = max(Int(total.minorUnits) / Int(total.currency.scale), 1)
    let group = CustomerGroup(leader: visitor.id)
    let award = try await rewards.award(points, to: visitor.id, in: group)
    try await client.clear()
    Log.info("visit ended", ["customer": visitor.id, "total": total.value])
    return Visit(
      lines: basket.lines, total: total, points: award.member.points, tier: award.member.tier)
  }
}
