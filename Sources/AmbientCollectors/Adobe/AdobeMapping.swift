// SPDX-License-Identifier: Apache-2.0

/// A mapping of properties to the report suite's variables, and of events to the metrics that the
/// events raise.
///
/// ```swift
/// let mapping = try AdobeMapping(
///   events: ["sign_up": [.event(7).once()]],
///   variables: ["method": [.eVar(12), .prop(3)], "page": [.pageName], "user.plan": [.eVar(13)]])
/// ```
///
/// A key of `variables` is the name of a property, `user.id` for the user's id, or `user.` and the
/// name of a trait, such as `user.plan`. Unmapped values become context data under their own names,
/// so that processing rules can use them; identities, objects, arrays and the list of products do
/// not. A name that Adobe would not accept is changed. Of two names of context data that differ
/// only in case, the second is left out, and so is a property that has the name of the user's id or
/// of a trait. In each of these cases, the event may be refused instead (``AdobeOptions/policy``).
public struct AdobeMapping: Sendable {
  /// The mapping that renames or rewrites each event before the other rules apply.
  let first: EventMapping
  let metrics: [String: [AdobeMetric]]
  let variables: [String: [AdobeVariable]]
  let products: AdobeProducts?

  /// Creates a mapping.
  ///
  /// - Parameters:
  ///   - first: The mapping that renames or rewrites each event before the other rules apply.
  ///   - events: The metrics that an event counts, by the event's name.
  ///   - variables: The variables that a value goes into, by the name of the property or trait. If
  ///     an event has two values for one variable, the second is left out, or the event is refused
  ///     (``AdobeOptions/policy``).
  ///   - products: The names of the property with the list of products, and of the members of a
  ///     product; nil for none.
  /// - Throws: ``CollectorError`` if a variable or event does not exist, such as `eVar251`, if the
  ///   delimiter of a list or the name of context data is invalid, or if a value goes into one
  ///   variable twice.
  public init(
    first: EventMapping = .none, events: [String: [AdobeMetric]] = [:],
    variables: [String: [AdobeVariable]] = [:], products: AdobeProducts? = nil
  ) throws(CollectorError) {
    self.init(unchecked: first, events, variables, products)
    for metric in events.values.joined() { try metric.check() }
    for (source, variables) in variables.sorted(by: { $0.key < $1.key }) {
      for (place, variable) in variables.enumerated() {
        try variable.check()
        guard !variables[..<place].contains(where: variable.isSame) else {
          throw .invalidSetting(
            name: variable.name,
            reason: "“\(EventProblem.shown(source))” is mapped to it twice; map it once")
        }
      }
    }
    try products?.check()
  }

  private init(
    unchecked first: EventMapping, _ metrics: [String: [AdobeMetric]],
    _ variables: [String: [AdobeVariable]], _ products: AdobeProducts?
  ) {
    self.first = first
    self.metrics = metrics
    self.variables = variables
    self.products = products
  }

  /// A mapping without rules, so that values become context data (``AdobeAnalytics``).
  public static let none = AdobeMapping(unchecked: .none, [:], [:], nil)

  /// This mapping combined with `other`, whose rules take precedence where both have a rule for the
  /// same name.
  ///
  /// If `other` has products, they replace those of this mapping. Of the mappings `first`, that of
  /// this mapping applies first, then that of `other`.
  ///
  /// - Parameter other: The mapping that takes precedence.
  /// - Returns: The combined mapping; neither of the two is changed.
  public func adding(_ other: AdobeMapping) -> AdobeMapping {
    AdobeMapping(
      unchecked: first.then(other.first), metrics.merging(other.metrics) { $1 },
      variables.merging(other.variables) { $1 }, other.products ?? products)
  }
}

extension AdobeMapping {
  /// The mapping for shops with the events of Checkout, with the custom events `event1` and
  /// `event2`.
  ///
  /// In the report suite, `event1` must be a counter event, which counts chosen payment methods,
  /// and `event2` a currency event, which adds up refunds. ``shop(paymentInfo:refund:)`` makes the
  /// same mapping with other numbers.
  public static let shop = AdobeMapping.shop(unchecked: 1, 2)

  /// Returns the mapping for shops with the events of Checkout, with two custom events.
  ///
  /// The events are `view_item`, `add_to_cart`, `remove_from_cart`, `begin_checkout`,
  /// `add_payment_info`, `purchase` and `refund`, and also `view_cart`, which Checkout does not
  /// track. Adobe has no metric of its own for chosen payment methods and refunds. The mapping
  /// subtracts an event's `tax` and `shipping` from its `value`, for an event of any name. If both
  /// together exceed the value, or have another sign, the value stays unchanged. The prices of a
  /// purchase are scaled to the result (``AdobeProducts/total``).
  ///
  /// - Parameters:
  ///   - paymentInfo: The number, from 1 to 1,000, of a counter event, which counts chosen payment
  ///     methods.
  ///   - refund: The number, from 1 to 1,000, of a currency event, which adds up refunds.
  /// - Throws: ``CollectorError`` if one of the numbers is not from 1 to 1,000, or if they are
  ///   equal.
  public static func shop(paymentInfo: Int, refund: Int) throws(CollectorError) -> AdobeMapping {
    try AdobeMetric.event(paymentInfo).check()
    try AdobeMetric.event(refund).check()
    guard paymentInfo != refund else {
      throw .invalidSetting(
        name: "refund",
        reason: "event\(refund) already counts payment methods; choose another event")
    }
    return shop(unchecked: paymentInfo, refund)
  }

  private static func shop(unchecked paymentInfo: Int, _ refund: Int) -> AdobeMapping {
    var products = AdobeProducts()
    products.total = "value"
    return AdobeMapping(
      unchecked: .withoutTaxAndShipping,
      [
        "view_item": [.productView], "add_to_cart": [.cartAdd], "remove_from_cart": [.cartRemove],
        "view_cart": [.cartView], "begin_checkout": [.checkout],
        "add_payment_info": [.event(paymentInfo)], "purchase": [.purchase],
        "refund": [.event(refund, value: "value")],
      ],
      ["currency": [.currencyCode], "transaction_id": [.purchaseID, .transactionID]],
      products)
  }
}
