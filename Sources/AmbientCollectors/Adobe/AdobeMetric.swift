// SPDX-License-Identifier: Apache-2.0

/// A metric that a tracked event raises at Adobe Analytics: a predefined metric of shops, or a
/// custom event of the report suite.
///
/// ```swift
/// let signUps = AdobeMetric.event(7).once()
/// let revenueBack = AdobeMetric.event(8, value: "amount")
/// ```
public struct AdobeMetric: Hashable, Sendable {
  /// The key by which Adobe counts an event once, however often it is sent.
  enum Key: Hashable, Sendable {
    case event
    case property(String)
  }

  /// The metric's name in Adobe's variable `events`.
  let name: String
  /// The metric's name in XDM's object `commerce`; nil for custom events.
  let commerce: String?
  /// The number of a custom event.
  private let number: Int?
  /// The property with the amount to count; nil to count one.
  let value: String?
  private(set) var key: Key?

  var isPurchase: Bool { commerce == Self.purchase.commerce }

  /// A product was viewed: `prodView`.
  public static let productView = AdobeMetric("prodView", "productViews")
  /// A cart was opened: `scOpen`.
  public static let cartOpen = AdobeMetric("scOpen", "productListOpens")
  /// A product was put into a cart: `scAdd`.
  public static let cartAdd = AdobeMetric("scAdd", "productListAdds")
  /// A product was taken out of a cart: `scRemove`.
  public static let cartRemove = AdobeMetric("scRemove", "productListRemovals")
  /// A cart was viewed: `scView`.
  public static let cartView = AdobeMetric("scView", "productListViews")
  /// A checkout began: `scCheckout`.
  public static let checkout = AdobeMetric("scCheckout", "checkouts")
  /// A purchase was made: `purchase`, with the units and the revenue of its products.
  ///
  /// Adobe counts a purchase once, by its ``AdobeVariable/purchaseID``. Without one, it counts each
  /// time that it arrives.
  public static let purchase = AdobeMetric("purchase", "purchases")

  /// The custom event with a number from 1 to 1,000.
  ///
  /// With any other number, the initializer of ``AdobeMapping`` throws ``CollectorError``.
  ///
  /// - Parameters:
  ///   - number: The number of the event in the report suite.
  ///   - value: The property with the amount to count; nil to count one. A property is meant for
  ///     custom events that the report suite defines as numeric or currency, and for counters that
  ///     a single tracked event raises by more than one. An event without the property counts one.
  ///     So does an event whose property is not a number, unless ``AdobeOptions/policy`` refuses
  ///     it.
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

  /// This metric, counted once for each value of a property, or once for each tracked event,
  /// however often the event is sent ("event serialization").
  ///
  /// The report suite needs the setting *Use Event ID*. Adobe never forgets a value, and does not
  /// tell visitors apart: a value that one visitor has sent is not counted again for any visitor.
  /// A value of up to 20 letters and digits of ASCII is sent unchanged; any other value becomes 20
  /// hexadecimal digits of its digest. A sensitive value has another mark in each process.
  ///
  /// - Parameter property: The property whose values count once; nil to count each event once. An
  ///   event without the property, or with an empty text or a private value, counts each time that
  ///   it arrives.
  public func once(per property: String? = nil) -> AdobeMetric {
    var result = self
    result.key = property.map { .property($0) } ?? .event
    return result
  }

  /// Checks the number of a custom event.
  ///
  /// - Throws: ``CollectorError`` if Adobe has no custom event of that number.
  func check() throws(CollectorError) {
    guard let number else { return }
    try AdobeVariable.check(number, in: AdobeRules.customEvents, "event")
  }
}
