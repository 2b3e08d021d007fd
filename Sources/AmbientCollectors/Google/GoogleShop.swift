internal import Ambient
internal import Foundation

extension EventMapping {
  /// The standard events of a shop as Google defines them.
  ///
  /// Events that have Google's names already keep them. Google's `value` of a purchase is that of
  /// its items, without tax and shipping: where `value` is that of the items and those two, it is
  /// made the items' alone.
  public static let googleShop = EventMapping { event in
    guard event.name == "purchase", let value = event.properties["value"]?.amount,
      let goods = goods(of: event)
    else { return event }
    let extras = ["tax", "shipping"].reduce(0.0) { $0 + (event.properties[$1]?.amount ?? 0) }
    // To less than the smallest unit of any currency, a ten-thousandth.
    guard extras > 0, abs(value - goods - extras) < 0.000_05 else { return event }
    var event = event
    event.properties["value"] = .double((goods * 10_000).rounded() / 10_000)
    return event
  }

  /// What the items cost together; nil if one does not say.
  private static func goods(of event: Event) -> Double? {
    guard case .array(let items)? = event.properties["items"], !items.isEmpty else { return nil }
    var sum = 0.0
    for item in items {
      guard case .fields(let item) = item, let price = item["price"]?.amount else { return nil }
      sum += price * (item["quantity"]?.amount ?? 1)
    }
    return sum
  }
}

extension AmbientValue {
  /// The number that it is.
  fileprivate var amount: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .unsigned(let value): Double(value)
    case .double(let value): value
    default: nil
    }
  }
}
