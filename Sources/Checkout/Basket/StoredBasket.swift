internal import Foundation

/// The content of a store: this machine's basket, and the record of the service's copy.
///
/// The copy that both had last is the base of a merge, so that what was changed here and what was
/// changed elsewhere are told apart. In a file its fields stand beside those of the basket.
public struct StoredBasket: Hashable, Sendable {
  /// The basket of this machine.
  public var basket: Basket
  private var service = ServiceCopy()

  /// A basket of which no service knows.
  ///
  /// - Parameter basket: The basket of this machine, which is offered to a service as a whole.
  public init(_ basket: Basket) { self.basket = basket }

  /// The next offer to the service with the revision that it replaces (nil for the first); nil if
  /// the service has everything.
  ///
  /// An offer whose answer was lost is repeated unchanged until its result is known; later changes
  /// form the next offer.
  mutating func nextOffer() -> (basket: Basket, replacing: Int?)? {
    if service.offered == nil {
      let isKept =
        service.agreed.map { $0.isCopy(of: basket) && $0.revision == service.kept }
        ?? (basket.revision == 0)
      if isKept { return nil }
      basket.markOffer()
      service.offered = basket
    }
    return service.offered.map { ($0, service.kept) }
  }

  /// Whether the service has answered nothing since `other`, a state of the same basket, was read.
  func hasHeardNothing(since other: StoredBasket) -> Bool {
    service == other.service && basket.id == other.basket.id
  }

  /// Takes in the copy that the service says it keeps, nil for none: changes elsewhere and changes
  /// here are merged.
  ///
  /// - Returns: The changes that could not be merged.
  mutating func hear(_ remote: Basket?) -> [BasketConflict] {
    service.kept = remote?.revision
    guard let remote else { return [] }
    if let offered = service.offered {
      if remote.descends(from: offered) {
        service.agreed = offered
        service.offered = nil
      } else if service.agreed.map({ !remote.isCopy(of: $0) }) ?? true {
        service.offered = nil  // what it was to replace is gone, so that it cannot come to be kept
      }
    }
    var base = service.agreed
    if let agreed = service.agreed {
      if remote.isCopy(of: agreed) { return [] }
      if remote.revision < agreed.revision {
        // The service was set back: to a copy that is in this one already, or has lost the basket
        // and got another device's, which was changed since a copy that is not known.
        if remote.offers.isEmpty || basket.descends(from: remote) { return [] }
        base = nil
      }
    } else if basket.descends(from: remote) {
      service.agreed = remote
      return []
    }
    let (merged, conflicts) = basket.merging(remote, since: base)
    basket = merged
    service.agreed = remote
    return conflicts
  }

  /// Whether the product is in the basket or was in it when the service was last heard.
  func holds(_ sku: SKU) -> Bool {
    [basket, service.agreed, service.offered].contains { basket in
      basket?.lines.contains { $0.sku == sku } ?? false
    }
  }

  /// Whether the coupon is in the basket or was in it when the service was last heard.
  func holds(coupon: String) -> Bool {
    [basket, service.agreed, service.offered].contains { $0?.coupon == coupon }
  }
}

/// The record of the copy that a service keeps.
private struct ServiceCopy: Hashable, Sendable, Codable {
  /// The last copy known to be the same here and at the service: the base of a merge.
  var agreed: Basket?
  /// The copy that was offered last, of which it is not known whether the service keeps it.
  var offered: Basket?
  /// The revision that the service was last heard to keep.
  var kept: Int?
}

extension StoredBasket: Codable {
  private enum CodingKeys: String, CodingKey { case service }

  /// Reads the basket's fields, and the service's copy from the field `service`, if there is one.
  public init(from decoder: any Decoder) throws {
    basket = try Basket(from: decoder)
    service =
      try decoder.container(keyedBy: CodingKeys.self)
      .decodeIfPresent(ServiceCopy.self, forKey: .service) ?? ServiceCopy()
  }

  /// Writes the basket's fields, and the service's copy into the field `service`.
  public func encode(to encoder: any Encoder) throws {
    try basket.encode(to: encoder)
    var fields = encoder.container(keyedBy: CodingKeys.self)
    if service != ServiceCopy() { try fields.encode(service, forKey: .service) }
  }
}
