internal import Ambient
public import Foundation

/// What somebody wants to buy: lines of products, and a coupon.
public struct Basket: Hashable, Sendable, Codable, Identifiable {
  /// What tells it from every other basket.
  public let id: UUID
  /// How often it was changed: of two copies, the one with the higher revision is the newer.
  public private(set) var revision: Int
  /// The lines in the order in which their products were first added, one for each product.
  public private(set) var lines: [BasketLine]
  /// The code of the coupon, in capitals.
  public private(set) var coupon: String?

  /// An empty basket with an identity of its own.
  public init() {
    id = Identifier.next()
    revision = 0
    lines = []
  }

  /// Whether it holds nothing.
  public var isEmpty: Bool { lines.isEmpty }

  /// Adds a line, to that of the same product if there is one.
  ///
  /// - Throws: ``CheckoutError/quantityTooLarge(_:limit:)`` if the sum is more than the limit.
  public mutating func add(_ line: BasketLine) throws(CheckoutError) {
    if let index = lines.firstIndex(where: { $0.sku == line.sku }) {
      lines[index] = try lines[index].adding(line.quantity)
    } else {
      lines.append(line)
    }
    changed()
  }

  /// Removes the line of that product and returns it, or nil if there was none.
  @discardableResult
  public mutating func remove(_ sku: SKU) -> BasketLine? {
    guard let index = lines.firstIndex(where: { $0.sku == sku }) else { return nil }
    changed()
    return lines.remove(at: index)
  }

  /// Takes that many of each product out, or as many as there are.
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

  /// Puts a coupon in, or takes it out with nil.
  public mutating func use(coupon code: String?) {
    coupon = code?.uppercased()
    changed()
  }

  /// Takes everything out; the identity stays.
  public mutating func clear() {
    lines = []
    coupon = nil
    changed()
  }

  /// Stays at the highest number, which no buyer reaches.
  private mutating func changed() { revision = min(revision + 1, Self.revisions.upperBound) }

  /// What every reader of JSON takes for the same number.
  private static let revisions = 0...(1 << 53 - 1)

  private enum CodingKeys: String, CodingKey { case id, revision, lines, coupon }

  /// Reads the fields: an identity, a revision that is not negative, and one line a product.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    guard let id = UUID(uuidString: try fields.decode(String.self, forKey: .id)) else {
      throw decoder.fault(ShopProblem.wrongType(expected: "a UUID"), in: CodingKeys.id)
    }
    self.id = id
    revision = try fields.decode(WholeNumber.self, forKey: .revision).value
    lines = try fields.decode([BasketLine].self, forKey: .lines)
    coupon = try fields.decodeIfPresent(String.self, forKey: .coupon)?.uppercased()
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
