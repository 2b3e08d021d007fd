/// Which variables of a report suite the properties go into, and what events count: said once.
///
/// ```swift
/// let mapping = try AdobeMapping(
///   events: ["sign_up": [.event(7).once()]],
///   variables: ["method": [.eVar(12), .prop(3)], "page": [.pageName], "user.plan": [.eVar(13)]])
/// ```
///
/// A name of a variable's source is that of a property; `user.` and the name of a trait is a
/// trait of the user, and `user.id` the user's identity. What is not mapped becomes context data of
/// that name, for processing rules.
public struct AdobeMapping: Sendable {
  /// What becomes of an event before anything else.
  let first: EventMapping
  let metrics: [String: [AdobeMetric]]
  let variables: [String: [AdobeVariable]]
  let products: AdobeProducts?

  /// A mapping.
  ///
  /// - Parameters:
  ///   - first: What becomes of an event before anything else.
  ///   - events: What events count, by their names.
  ///   - variables: Where values go, by the names of properties and traits.
  ///   - products: Where the products stand; nil for none.
  /// - Throws: ``CollectorError`` if there is no such variable or event, as `eVar251`, or a value
  ///   goes into one variable twice.
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
            reason: "“\(EventProblem.shown(source))” goes into it twice; say it once")
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

  /// Everything is context data.
  public static let none = AdobeMapping(unchecked: .none, [:], [:], nil)

  /// This mapping, and `other`, which wins where both say something of the same name.
  ///
  /// - Parameter other: The mapping that wins.
  /// - Returns: Both in one; neither is changed.
  public func adding(_ other: AdobeMapping) -> AdobeMapping {
    AdobeMapping(
      unchecked: first.then(other.first), metrics.merging(other.metrics) { $1 },
      variables.merging(other.variables) { $1 }, other.products ?? products)
  }
}

extension AdobeMapping {
  /// For a shop whose events are those of Checkout, and a report suite in which `event1` counts
  /// chosen payments, and `event2`, a currency event, what was paid back.
  public static let shop = AdobeMapping.shop(unchecked: 1, 2)

  /// For a shop whose events are those of Checkout: `view_item`, `add_to_cart`, `remove_from_cart`,
  /// `view_cart`, `begin_checkout`, `add_payment_info`, `purchase` and `refund`.
  ///
  /// Adobe has no metric of its own for chosen payments and refunds. Where an event has `tax` or
  /// `shipping`, they are taken off its `value`: of one that is added to this mapping, too.
  ///
  /// - Parameters:
  ///   - paymentInfo: The custom event that counts chosen payments, a counter.
  ///   - refund: The custom event that adds up what was paid back, of the type currency.
  /// - Throws: ``CollectorError`` if there are no such events.
  public static func shop(paymentInfo: Int, refund: Int) throws(CollectorError) -> AdobeMapping {
    try AdobeMetric.event(paymentInfo).check()
    try AdobeMetric.event(refund).check()
    return shop(unchecked: paymentInfo, refund)
  }

  private static func shop(unchecked paymentInfo: Int, _ refund: Int) -> AdobeMapping {
    AdobeMapping(
      unchecked: .withoutTaxAndShipping,
      [
        "view_item": [.productView], "add_to_cart": [.cartAdd], "remove_from_cart": [.cartRemove],
        "view_cart": [.cartView], "begin_checkout": [.checkout],
        "add_payment_info": [.event(paymentInfo)], "purchase": [.purchase],
        "refund": [.event(refund, value: "value")],
      ],
      ["currency": [.currencyCode], "transaction_id": [.purchaseID, .transactionID]],
      AdobeProducts(total: "value"))
  }
}
