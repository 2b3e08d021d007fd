internal import Foundation

/// The content of a store: this machine's basket, and the record of the service's copy.
///
/// The last copy that both had is the base of a merge: it distinguishes changes made here from
/// changes made elsewhere. In a file, the record's fields are beside those of the basket.
public struct StoredBasket: Hashable, Sendable {
  /// The basket of this machine.
  public var basket: Basket
  private var service = ServiceCopy()

  /// Creates the record of a basket that no service knows.
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

  /// Whether no answer of the service has arrived since `other`, an earlier state of this basket.
  func hasHeardNothing(since other: StoredBasket) -> Bool {
    service == other.service && basket.id == other.basket.id
  }

  /// Merges the copy that the service says it keeps (nil for none): changes made elsewhere and
  /// changes made here are combined.
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
        service.offered = nil  // its revision is gone, so it can no longer be accepted
      }
    }
    var base = service.agreed
    if let agreed = service.agreed {
      if remote.isCopy(of: agreed) { return [] }
      if remote.revision < agreed.revision {
        // The service was reset: its copy is either contained in this one already, or comes from
        // another device, based on a copy unknown here, after the service lost the basket.
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

  /// Whether the product is in the basket, or was in it when the service last answered.
  func holds(_ sku: SKU) -> Bool {
    [basket, service.agreed, service.offered].contains { basket in
      basket?.lines.contains { $0.sku == sku } ?? false
    }
  }

  /// Whether the coupon is in the basket, or was in it when the service last answered.
  func holds(coupon: String) -> Bool {
    [basket, service.agreed, service.offered].contains { $0?.coupon == coupon }
  }
}

/// The record of the service's copy.
private struct ServiceCopy: Hashable, Sendable, Codable {
  /// The last copy known to be the same here and at the service: the base of a merge.
  var agreed: Basket?
  /// The copy that was last offered, while it is unknown whether the service accepted it.
  var offered: Basket?
  /// The revision in the service's last answer.
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
