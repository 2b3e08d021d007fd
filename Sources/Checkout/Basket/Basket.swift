internal import Ambient
public import Foundation

/// A buyer's choice: lines of products, and a coupon.
public struct Basket: Hashable, Sendable, Codable, Identifiable {
  /// The basket's unique identity.
  public let id: UUID
  /// The number of changes. A copy merged from two devices' changes has a higher one than both.
  public private(set) var revision: Int
  /// The lines in the order in which their products were first added, one for each product.
  public private(set) var lines: [BasketLine]
  /// The code of the coupon, in capitals.
  public private(set) var coupon: String?
  /// The marks of the last offers to a service that led to this basket, newest last. If an answer
  /// is lost, the device finds the offer's mark in the service's basket, if the service took the
  /// offer.
  private(set) var offers: [UUID] = []

  /// An empty basket with an identity of its own.
  public init() {
    id = Identifier.next()
    revision = 0
    lines = []
  }

  /// Whether it holds nothing.
  public var isEmpty: Bool { lines.isEmpty }

  /// Adds a line; if there is a line of the same product, adds to its quantity.
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

  /// Removes the line of that product and returns it, or nil if there was none.
  ///
  /// - Parameter sku: The product, all items of which are removed.
  @discardableResult
  public mutating func remove(_ sku: SKU) -> BasketLine? {
    guard let index = lines.firstIndex(where: { $0.sku == sku }) else { return nil }
    changed()
    return lines.remove(at: index)
  }

  /// Removes the goods; if there are fewer items of a product, removes those.
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

  /// Sets the coupon; nil removes it.
  ///
  /// - Parameter code: The code as it was typed; it is not checked here whether a shop has it.
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

  /// Marks this copy as offered to a service.
  mutating func markOffer() { offers = (offers + [Identifier.next()]).suffix(Self.offersKept) }

  /// Whether both are the same copy, not two copies with equal changes: the offer's mark
  /// distinguishes them, unless the service does not keep marks.
  func isCopy(of other: Basket) -> Bool {
    let isSameOffer = offers.isEmpty || other.offers.isEmpty || offers.last == other.offers.last
    return isSameOffer && revision == other.revision && hasContent(of: other)
  }

  /// Whether this copy was made from the other by changes, on any devices.
  func descends(from other: Basket) -> Bool {
    isCopy(of: other) || other.offers.last.map(offers.contains) ?? false
  }

  /// The merge of two copies: the other copy, with the changes made to this one since `base`.
  ///
  /// The quantity of a line is the other copy's, plus the items added here, less those removed
  /// here, but never below zero. If both have changed the coupon, the other copy's counts. Without
  /// a `base` it is unknown what was changed here: each product then has the larger of both
  /// quantities, so that nothing is lost.
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

  /// Stops at the highest number, which no buyer reaches.
  private mutating func changed() { revision = min(revision + 1, Self.revisions.upperBound) }

  /// More than the number of devices that change a basket while one waits for an answer.
  private static let offersKept = 32

  /// The integers that every reader of JSON reads exactly.
  private static let revisions = 0...(1 << 53 - 1)

  private enum CodingKeys: String, CodingKey { case id, revision, lines, coupon, offers }

  /// Reads the fields: an identity, a revision that is not negative, and one line for each product.
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
