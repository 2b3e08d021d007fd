internal import Ambient
internal import Foundation

/// What came of a visit that used every service of a shop: the same in every style of wiring.
public struct Visit: Hashable, Sendable {
  /// What was in the basket.
  public let lines: [BasketLine]
  /// What it cost.
  public let total: Money
  /// The visitor's points, one for each whole unit of currency.
  public let points: Int
  /// The tier that these earned.
  public let tier: CustomerTier
}

extension WiredShop {
  /// A new customer registers, signs in, fills the empty basket, looks at the price, earns points
  /// for it as the leader of a group, and empties the basket.
  ///
  /// - Throws: ``WiringError``, ``CustomerError``, ``CheckoutError`` or ``RewardsError``.
  public func visit(_ lines: [BasketLine]) async throws -> Visit {
    let name = "visitor \(Identifier.next())"
    let password = "\(Identifier.next())"
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
