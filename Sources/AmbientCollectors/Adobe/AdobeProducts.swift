internal import Ambient

/// Where the products of an event stand among its properties: a list of objects.
///
/// What these members are called is as ``AdobeMapping/shop`` has it, unless it is said.
public struct AdobeProducts: Hashable, Sendable {
  /// The property with the list.
  public var list: String
  /// The member with the product's key, which is what Adobe reports; `SKU` in XDM.
  public var id: String
  /// The member with the product's name, which is reported where there is no key.
  public var name: String
  /// The member with its category.
  public var category: String
  /// The member that says how many; one without it is one.
  public var quantity: String
  /// The member with the price of one. Adobe gets the price of all.
  public var price: String
  /// The property with what the prices of a purchase add up to, so that a coupon on the whole is
  /// taken off each in proportion: Adobe's revenue is the sum of the products. Nil for the sum as
  /// it is.
  public var total: String?
  /// Members that are numbers, and which custom events they are of a product.
  public var events: [String: Int]
  /// Members, and which merchandising eVars they are.
  public var eVars: [String: Int]

  /// Names of the list and of the members.
  ///
  /// - Parameters:
  ///   - list: The property with the list of objects.
  ///   - id: The member with the product's key, which is what Adobe reports.
  ///   - name: The member with the product's name, for where there is no key.
  ///   - category: The member with its category.
  ///   - quantity: The member that says how many; one without it is one.
  ///   - price: The member with the price of one.
  ///   - total: The property to which the prices of a purchase must add up; nil for their sum as it
  ///     is.
  ///   - events: Members that are numbers, and which custom events they are of a product.
  ///   - eVars: Members, and which merchandising eVars they are.
  public init(
    list: String = "items", id: String = "item_id", name: String = "item_name",
    category: String = "item_category", quantity: String = "quantity", price: String = "price",
    total: String? = nil, events: [String: Int] = [:], eVars: [String: Int] = [:]
  ) {
    self.list = list
    self.id = id
    self.name = name
    self.category = category
    self.quantity = quantity
    self.price = price
    self.total = total
    self.events = events
    self.eVars = eVars
  }

  /// - Throws: ``CollectorError`` if there is no such event or variable.
  func check() throws(CollectorError) {
    for number in events.values.sorted() {
      try AdobeVariable.check(number, in: AdobeRules.customEvents, "event")
    }
    for number in eVars.values.sorted() {
      try AdobeVariable.check(number, in: AdobeRules.eVars, "eVar")
    }
  }
}

/// One product of an event, as Adobe has it.
struct AdobeProduct {
  /// What Adobe reports: its key, or else its name.
  let product: String
  let id: String?
  let name: String?
  var category: String?
  var quantity: AmbientValue?
  /// The price of all of them.
  var total: Double?
  /// Custom events and merchandising variables, as `event4=1`.
  var events: [String] = []
  var eVars: [String] = []

  /// Its part of the text `products`.
  var text: String {
    var fields = [
      category ?? "", product, quantity?.text ?? "",
      total.map { AmbientValue.double($0).text } ?? "", events.joined(separator: "|"),
      eVars.joined(separator: "|"),
    ]
    while fields.count > 2, fields.last?.isEmpty == true { fields.removeLast() }
    return fields.joined(separator: ";")
  }

  /// Its object among `productListItems`.
  var xdm: AmbientFields {
    let category: AmbientFields = ["categoryID": category]
    return [
      "SKU": id, "name": name, "quantity": quantity, "priceTotal": total,
      "productCategories": category.isEmpty ? nil : [category].ambientValue,
    ]
  }
}
