/// Something that a shop sells.
public struct Product: Hashable, Sendable, Codable {
  /// Its name in the stock.
  public let sku: SKU
  /// Its name for people.
  public let name: String
  /// The price of one.
  public let price: Money
  /// The hours in which it may be sold, or nil for any.
  public let saleHours: OpeningHours?
  /// The age that a buyer must have, or nil for any.
  public let minimumAge: AgeLimit?

  /// A product.
  public init(
    sku: SKU, name: String, price: Money, saleHours: OpeningHours? = nil,
    minimumAge: AgeLimit? = nil
  ) {
    self.sku = sku
    self.name = name
    self.price = price
    self.saleHours = saleHours
    self.minimumAge = minimumAge
  }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case sku, name, price, saleHours, minimumAge
  }

  /// Reads the fields.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.fields(CodingKeys.self)
    sku = try fields.decode(SKU.self, forKey: .sku)
    name = try fields.decode(String.self, forKey: .name)
    price = try fields.decode(Money.self, forKey: .price)
    saleHours = try fields.decodeIfPresent(OpeningHours.self, forKey: .saleHours)
    minimumAge = try fields.decodeIfPresent(AgeLimit.self, forKey: .minimumAge)
  }
}
