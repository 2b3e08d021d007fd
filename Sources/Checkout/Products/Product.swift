// SPDX-License-Identifier: Apache-2.0

/// A product of a shop.
public struct Product: Hashable, Sendable, Decodable {
  /// The product's stock-keeping unit.
  public let sku: SKU
  /// The display name.
  public let name: String
  /// The price of one item.
  public let price: Money
  /// The hours in which the product may be sold, or nil for all hours.
  public let saleHours: OpeningHours?
  /// The age that a buyer must have, or nil for any age.
  public let minimumAge: AgeLimit?
  /// The tax class, or nil if the shop's rates for products without a class apply.
  public let taxClass: String?
  /// The months between two bills of a subscription, or nil for a single purchase.
  public let billingMonths: Int?

  /// Creates a product.
  ///
  /// - Parameters:
  ///   - sku: The stock-keeping unit.
  ///   - name: The display name.
  ///   - price: The price of one item, with or without tax as the shop's ``TaxSchedule`` says.
  ///   - saleHours: The hours in which it may be sold; nil for all hours.
  ///   - minimumAge: The age that a buyer must have; nil for any age.
  ///   - taxClass: The tax class; nil if the shop's rates for products without a class apply.
  ///   - billingMonths: The months between two bills of a subscription; nil for a single purchase.
  public init(
    sku: SKU, name: String, price: Money, saleHours: OpeningHours? = nil,
    minimumAge: AgeLimit? = nil, taxClass: String? = nil, billingMonths: Int? = nil
  ) {
    self.sku = sku
    self.name = name
    self.price = price
    self.saleHours = saleHours
    self.minimumAge = minimumAge
    self.taxClass = taxClass
    self.billingMonths = billingMonths
  }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case sku, name, price, saleHours, minimumAge, taxClass, billingMonths
  }

  /// Reads the fields.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.fields(CodingKeys.self)
    sku = try fields.decode(SKU.self, forKey: .sku)
    name = try fields.decode(String.self, forKey: .name)
    price = try fields.decode(Money.self, forKey: .price)
    saleHours = try fields.decodeIfPresent(OpeningHours.self, forKey: .saleHours)
    minimumAge = try fields.decodeIfPresent(AgeLimit.self, forKey: .minimumAge)
    taxClass = try fields.decodeIfPresent(String.self, forKey: .taxClass)
    billingMonths = try fields.decodeIfPresent(WholeNumber.self, forKey: .billingMonths)?.value
  }
}
