internal import Foundation

/// The content of a basket store: this machine's basket, and a record of the service's copy.
///
/// The record contains the last copy that this machine and the service had in common. That copy is
/// the base of a merge: it distinguishes changes made here from changes made elsewhere. In a file,
/// the record is the field `service` beside the basket's fields.
public struct StoredBasket: Hashable, Sendable {
  /// The basket of this machine.
  public var basket: Basket
  private var service = ServiceCopy()

  /// Creates the content of a store for a basket that was never offered to a service.
  ///
  /// - Parameter basket: The basket of this machine.
  public init(_ basket: Basket) { self.basket = basket }

  /// Returns the next offer to the service, and the revision that the offer replaces (nil if the
  /// service has no basket). Returns nil if the service already has all changes.
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

  /// Whether no answer of the service has arrived since `other`, an earlier state of this value.
  func hasHeardNothing(since other: StoredBasket) -> Bool {
    service == other.service && basket.id == other.basket.id
  }

  /// Merges the copy in an answer of the service into the basket, so that changes made elsewhere
  /// and changes made here are combined.
  ///
  /// - Parameter remote: The copy in the answer; nil if the service has none.
  /// - Returns: The changes that were lost in the merge.
  mutating func hear(_ remote: Basket?) -> [BasketConflict] {
    service.kept = remote?.revision
    guard let remote else { return [] }
    if let offered = service.offered {
      if remote.descends(from: offered) {
        service.agreed = offered
        service.offered = nil
      } else if service.agreed.map({ !remote.isCopy(of: $0) }) ?? true {
        // The service's copy does not result from the offer, and is not the copy that the offer
        // replaces. So the service has refused the offer, or will refuse it.
        service.offered = nil
      }
    }
    var base = service.agreed
    if let agreed = service.agreed {
      if remote.isCopy(of: agreed) { return [] }
      if remote.revision < agreed.revision {
        // The service has lost the agreed copy. Its present copy may be an older one, whose changes
        // are already in this basket, or a new one from another device, whose base is unknown here.
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

  /// Whether the product is in the basket, in the copy that was last agreed with the service, or in
  /// an offer whose outcome is unknown.
  func holds(_ sku: SKU) -> Bool {
    [basket, service.agreed, service.offered].contains { basket in
      basket?.lines.contains { $0.sku == sku } ?? false
    }
  }

  /// Whether the coupon is in the basket, in the copy that was last agreed with the service, or in
  /// an offer whose outcome is unknown.
  func holds(coupon: String) -> Bool {
    [basket, service.agreed, service.offered].contains { $0?.coupon == coupon }
  }
}

/// A record of what this machine knows about the service's copy of the basket.
private struct ServiceCopy: Hashable, Sendable, Codable {
  /// The last copy that was the same here and at the service: the base of a merge.
  var agreed: Basket?
  /// The copy that was last offered, while it is unknown whether the service accepted it.
  var offered: Basket?
  /// The revision in the service's last answer; nil if the service had no basket.
  var kept: Int?
}

extension StoredBasket: Codable {
  private enum CodingKeys: String, CodingKey { case service }

  /// Reads the basket's fields, and the record of the service's copy from the field `service`, if
  /// that field is present.
  public init(from decoder: any Decoder) throws {
    basket = try Basket(from: decoder)
    service =
      try decoder.container(keyedBy: CodingKeys.self)
      .decodeIfPresent(ServiceCopy.self, forKey: .service) ?? ServiceCopy()
  }

  /// Writes the basket's fields. Unless the record of the service's copy is empty, writes it into
  /// the field `service`.
  public func encode(to encoder: any Encoder) throws {
    try basket.encode(to: encoder)
    var fields = encoder.container(keyedBy: CodingKeys.self)
    if service != ServiceCopy() { try fields.encode(service, forKey: .service) }
  }
}
