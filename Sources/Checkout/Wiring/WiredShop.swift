/// A shop whose services are connected, in whatever style.
///
/// Reading may fail because one style, the locator, finds out only then what is missing. No style
/// wires log, analytics and time: they are universal, so the services reach them as ambient
/// contexts.
public protocol WiredShop: Sendable {
  /// The buyer's basket: one for the shop, as it keeps changes in order.
  var client: BasketClient { get throws(WiringError) }
  /// The middle of the three levels, on top of a customer repository and a password verifier.
  var customers: any CustomerService { get throws(WiringError) }
  /// The highest of the three levels, on top of the customer service.
  var rewards: any RewardsService { get throws(WiringError) }
}
