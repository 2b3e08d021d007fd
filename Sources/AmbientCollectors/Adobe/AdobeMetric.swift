/// What an event counts at Adobe Analytics: one of the shop's metrics, or a custom event.
///
/// ```swift
/// let signUps = AdobeMetric.event(7).once()
/// let revenueBack = AdobeMetric.event(8, value: "amount")
/// ```
public struct AdobeMetric: Hashable, Sendable {
  /// By what an event is counted once, however often it is sent.
  enum Key: Hashable, Sendable {
    case event
    case property(String)
  }

  /// Its name in `events`.
  let name: String
  /// Its name in `commerce` of XDM; nil for custom events.
  let commerce: String?
  /// The number of a custom event.
  private let number: Int?
  /// The property that says how much is counted; nil for one.
  let value: String?
  private(set) var key: Key?

  var isPurchase: Bool { commerce == Self.purchase.commerce }

  /// Somebody looked at a product: `prodView`.
  public static let productView = AdobeMetric("prodView", "productViews")
  /// A cart was opened: `scOpen`.
  public static let cartOpen = AdobeMetric("scOpen", "productListOpens")
  /// Something was put into a cart: `scAdd`.
  public static let cartAdd = AdobeMetric("scAdd", "productListAdds")
  /// Something was taken out of a cart: `scRemove`.
  public static let cartRemove = AdobeMetric("scRemove", "productListRemovals")
  /// Somebody looked at a cart: `scView`.
  public static let cartView = AdobeMetric("scView", "productListViews")
  /// A checkout began: `scCheckout`.
  public static let checkout = AdobeMetric("scCheckout", "checkouts")
  /// Something was bought: `purchase`, with units and revenue by the products. It counts once by
  /// ``AdobeVariable/purchaseID``.
  public static let purchase = AdobeMetric("purchase", "purchases")

  /// The custom event of that number, 1 to 1,000.
  ///
  /// - Parameters:
  ///   - number: The number of the event in the report suite.
  ///   - value: The property that says how much is counted, for numeric and currency events of the
  ///     report suite's settings, and to count a counter event several times; nil for one.
  public static func event(_ number: Int, value: String? = nil) -> AdobeMetric {
    AdobeMetric("event\(number)", nil, number, value)
  }

  private init(
    _ name: String, _ commerce: String?, _ number: Int? = nil, _ value: String? = nil
  ) {
    self.name = name
    self.commerce = commerce
    self.number = number
    self.value = value
  }

  /// The same, counted once for each value of that property; nil for once for each event that was
  /// tracked, however often it is sent ("event serialization").
  ///
  /// It needs the setting *Use Event ID* of the report suite, and is for all visitors and for ever.
  /// The value is 20 letters and digits; what is none becomes 20 hexadecimal digits that are made
  /// of it.
  ///
  /// - Parameter property: The property whose values are counted once; nil for each event once.
  public func once(per property: String? = nil) -> AdobeMetric {
    var result = self
    result.key = property.map { .property($0) } ?? .event
    return result
  }

  /// - Throws: ``CollectorError`` if there is no such event.
  func check() throws(CollectorError) {
    guard let number else { return }
    try AdobeVariable.check(number, in: AdobeRules.customEvents, "event")
  }
}
