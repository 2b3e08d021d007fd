// SPDX-License-Identifier: Apache-2.0

internal import Ambient

/// The property with the list of an event's products, and the members of each product.
///
/// The defaults are the names in ``AdobeMapping/shop``, except that `total` is nil. Only events
/// that raise a shop metric, such as ``AdobeMetric/purchase``, are sent with products. A product
/// with neither a key nor a name is left out, or its event is refused (``AdobeOptions/policy``); a
/// private key counts as none. A key, a name in place of a key, or a category is cut to 100 bytes,
/// and an eVar's value to 255; spaces replace `,`, `;` and `|` in these. A quantity, price or
/// amount that is not a number is left out.
public struct AdobeProducts: Hashable, Sendable {
  /// The property with the list.
  public var list = "items"
  /// The member with the product's key, which Adobe reports.
  ///
  /// In XDM, the key becomes `SKU`.
  public var id = "item_id"
  /// The member with the product's name, which Adobe reports for products without a key.
  public var name = "item_name"
  /// The member with the product's category.
  public var category = "item_category"
  /// The member with the number of items; a product without it counts as one item.
  public var quantity = "quantity"
  /// The member with the price of one item.
  ///
  /// Adobe gets the price times the quantity.
  public var price = "price"
  /// The property with the total of a purchase; nil, the default, to leave the prices unchanged.
  ///
  /// The prices are scaled to add up to the total, because Adobe's revenue is the sum of the
  /// products' prices. So a coupon on the whole purchase reduces each price in proportion. If the
  /// total is missing, negative or not a number, or if the prices add up to zero or less, the
  /// prices stay unchanged.
  public var total: String?
  /// The numbers of a product's custom events, such as 4 for `event4`, by the member with the
  /// amount.
  ///
  /// Adobe adds the amount to the event's total. With a number that is not from 1 to 1,000, the
  /// initializer of ``AdobeMapping`` throws ``CollectorError``.
  public var events: [String: Int] = [:]
  /// The numbers of a product's merchandising eVars, such as 2 for `eVar2`, by the member with the
  /// eVar's value.
  ///
  /// With a number that is not from 1 to 250, the initializer of ``AdobeMapping`` throws
  /// ``CollectorError``.
  public var eVars: [String: Int] = [:]

  /// Creates the names that the shop of ``AdobeMapping/shop`` uses, without a total.
  public init() {}

  /// Checks that the custom events and eVars exist.
  ///
  /// - Throws: ``CollectorError`` if an event or variable does not exist.
  func check() throws(CollectorError) {
    for number in events.values.sorted() {
      try AdobeVariable.check(number, in: AdobeRules.customEvents, "event")
    }
    for number in eVars.values.sorted() {
      try AdobeVariable.check(number, in: AdobeRules.eVars, "eVar")
    }
  }
}

/// One product of an event, in Adobe's form.
struct AdobeProduct {
  /// The key that Adobe reports, or the name of a product that has no key.
  let product: String
  let id: String?
  let name: String?
  var category: String?
  var quantity: AmbientValue?
  /// The price of all items.
  var total: Double?
  /// Custom events, such as `event4`, each with its amount.
  var events: [(name: String, amount: String)] = []
  var eVars: [String] = []

  /// The product's part of the variable `products`.
  var text: String {
    var fields = [
      category ?? "", product, quantity?.text ?? "",
      total.map { AmbientValue.double($0).text } ?? "",
      events.map { "\($0.name)=\($0.amount)" }.joined(separator: "|"),
      eVars.joined(separator: "|"),
    ]
    while fields.count > 2, fields.last?.isEmpty == true { fields.removeLast() }
    return fields.joined(separator: ";")
  }

  /// The product's object in `productListItems`.
  var xdm: AmbientFields {
    let category: AmbientFields = ["categoryID": category]
    return [
      "SKU": id, "name": name, "quantity": quantity, "priceTotal": total,
      "productCategories": category.isEmpty ? nil : [category].ambientValue,
    ]
  }
}
