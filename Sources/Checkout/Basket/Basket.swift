internal import Ambient
public import Foundation

/// A buyer's basket: one line for each chosen product, and a coupon.
public struct Basket: Hashable, Sendable, Codable, Identifiable {
  /// The basket's unique identity.
  public let id: UUID
  /// The number of changes. A merge that differs from the service's copy has a higher revision than
  /// both merged copies.
  public private(set) var revision: Int
  /// The lines, one for each product, in the order in which the lines were added.
  public private(set) var lines: [BasketLine]
  /// The code of the coupon, in capitals; nil if there is none.
  public private(set) var coupon: String?
  /// The marks of the last offers to a service, newest last. Each offer adds a unique mark to its
  /// copy. If the answer to an offer is lost, a device looks for the offer's mark in the service's
  /// basket: the mark is there if the service accepted the offer.
  private(set) var offers: [UUID] = []

  /// Creates an empty basket with a new identity.
  public init() {
    id = AmbientIdentifier.next()
    revision = 0
    lines = []
  }

  /// Whether the basket has no lines; it may have a coupon.
  public var isEmpty: Bool { lines.isEmpty }

  /// Adds a line. If the basket has a line of the same product, adds the quantity to that line
  /// instead.
  ///
  /// - Parameter line: The product and the number of items to add.
  /// - Throws: ``CheckoutError/quantityTooLarge(_:limit:)`` if the sum exceeds the limit.
  public mutating func add(_ line: BasketLine) throws(CheckoutError) {
    if let index = lines.firstIndex(where: { $0.sku == line.sku }) {
      lines[index] = try lines[index].adding(line.quantity)
    } else {
      lines.append(line)
    }
    changed()
  }

  /// Removes the line of a product and returns the line. Returns nil if the basket has no such
  /// line.
  ///
  /// - Parameter sku: The product, all items of which are removed.
  @discardableResult
  public mutating func remove(_ sku: SKU) -> BasketLine? {
    guard let index = lines.firstIndex(where: { $0.sku == sku }) else { return nil }
    changed()
    return lines.remove(at: index)
  }

  /// Removes the goods. If the basket has fewer items of a product than `goods` has, removes all of
  /// the product's items.
  mutating func subtract(_ goods: [BasketLine]) {
    let before = lines
    for line in goods {
      guard let index = lines.firstIndex(where: { $0.sku == line.sku }) else { continue }
      if let rest = lines[index].subtracting(line.quantity) {
        lines[index] = rest
      } else {
        lines.remove(at: index)
      }
    }
    if lines != before { changed() }
  }

  /// Sets the coupon, or removes it if `code` is nil.
  ///
  /// - Parameter code: The code as it was typed. This method does not check that a shop has the
  ///   coupon.
  public mutating func use(coupon code: String?) {
    coupon = code?.uppercased()
    changed()
  }

  /// Removes all lines and the coupon; the identity stays.
  public mutating func clear() {
    lines = []
    coupon = nil
    changed()
  }

  /// Adds a new mark to this copy of the basket, before the copy is offered to a service.
  mutating func markOffer() {
    offers = (offers + [AmbientIdentifier.next()]).suffix(Self.offersKept)
  }

  /// Returns whether this basket and the other basket are the same copy. Two devices can
  /// independently make equal changes. The resulting copies then differ only in the mark of their
  /// last offer. If a copy has no marks, marks are not compared, because some services do not store
  /// marks.
  func isCopy(of other: Basket) -> Bool {
    let isSameOffer = offers.isEmpty || other.offers.isEmpty || offers.last == other.offers.last
    return isSameOffer && revision == other.revision && hasContent(of: other)
  }

  /// Returns whether this copy is the same as the other copy, or results from changes to the other
  /// copy on any device.
  func descends(from other: Basket) -> Bool {
    isCopy(of: other) || other.offers.last.map(offers.contains) ?? false
  }

  /// Merges two copies: returns the other copy with the changes that were made to this copy since
  /// `base`.
  ///
  /// The quantity of a product is its quantity in the other copy, plus the items that were added to
  /// this copy, minus the items that were removed from this copy, but never below zero or above
  /// the limit of a line. If both copies have changed the coupon, the other copy's coupon stays.
  /// Without a `base`, the changes to this copy are unknown. Each product then has the larger of
  /// the two quantities, so that no items are lost.
  package func merging(
    _ other: Basket, since base: Basket?
  ) -> (basket: Basket, conflicts: [BasketConflict]) {
    var merged = other
    var conflicts: [BasketConflict] = []
    let removed = base?.lines.map(\.sku).filter { quantity($0) == 0 } ?? []
    for sku in lines.map(\.sku) + removed {
      let theirs = other.quantity(sku)
      let sum =
        base.map { theirs + quantity(sku) - $0.quantity(sku) } ?? max(theirs, quantity(sku))
      if sum > BasketLine.limit { conflicts.append(.quantity(sku, sum, kept: BasketLine.limit)) }
      merged.set(sku, min(max(0, sum), BasketLine.limit))
    }
    if coupon != base?.coupon, coupon != other.coupon {
      if other.coupon == base?.coupon {
        merged.coupon = coupon
      } else {
        conflicts.append(.coupon(coupon, kept: other.coupon))
      }
    }
    if !merged.hasContent(of: other) {
      merged.revision = max(revision, other.revision)
      merged.changed()
    }
    return (merged, conflicts)
  }

  private func hasContent(of other: Basket) -> Bool {
    lines == other.lines && coupon == other.coupon
  }

  private func quantity(_ sku: SKU) -> Int { lines.first { $0.sku == sku }?.quantity ?? 0 }

  private mutating func set(_ sku: SKU, _ quantity: Int) {
    let line = try? BasketLine(sku, quantity)
    if let index = lines.firstIndex(where: { $0.sku == sku }) {
      if let line { lines[index] = line } else { lines.remove(at: index) }
    } else if let line {
      lines.append(line)
    }
  }

  /// Increases the revision by one, up to the highest valid revision, which no buyer reaches.
  private mutating func changed() { revision = min(revision + 1, Self.revisions.upperBound) }

  /// The maximum number of stored marks; a further mark replaces the oldest one. While a device
  /// waits for an answer, the other devices are not expected to make this many offers, so the
  /// waiting device's mark is still stored.
  private static let offersKept = 32

  /// The range of valid revisions. Every JSON parser reads these integers exactly, even a parser
  /// that uses doubles.
  private static let revisions = 0...(1 << 53 - 1)

  private enum CodingKeys: String, CodingKey { case id, revision, lines, coupon, offers }

  /// Decodes a basket. Throws an error if the identity is not a UUID, the revision is out of range,
  /// there are too many offers, or a product has more than one line.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    guard let id = UUID(uuidString: try fields.decode(String.self, forKey: .id)) else {
      throw decoder.fault(ShopProblem.wrongType(expected: "a UUID"), in: CodingKeys.id)
    }
    self.id = id
    revision = try fields.decode(WholeNumber.self, forKey: .revision).value
    lines = try fields.decode([BasketLine].self, forKey: .lines)
    coupon = try fields.decodeIfPresent(String.self, forKey: .coupon)?.uppercased()
    offers = try fields.decodeIfPresent([UUID].self, forKey: .offers) ?? []
    guard offers.count <= Self.offersKept else {
      throw decoder.fault(
        CalendarError.outOfRange(offers.count, 0...Self.offersKept), in: CodingKeys.offers)
    }
    guard Self.revisions.contains(revision) else {
      throw decoder.fault(
        CalendarError.outOfRange(revision, Self.revisions), in: CodingKeys.revision)
    }
    var seen: Set<SKU> = []
    for line in lines where !seen.insert(line.sku).inserted {
      throw decoder.fault(ShopProblem.duplicate("\(line.sku)"), in: CodingKeys.lines)
    }
  }
}
