internal import Ambient

extension EventMapping {
  /// For a shop that tracks what was paid, as Checkout does: Google's `value` of a purchase is
  /// without tax and shipping, so those are taken off it.
  ///
  /// Events that have Google's names keep them, and nothing else is changed. A refund says no tax:
  /// its value stays.
  public static let googleShop = EventMapping { event in
    guard event.name == "purchase", let paid = event.properties["value"]?.amount else {
      return event
    }
    let extras = ["tax", "shipping"].reduce(0.0) { $0 + (event.properties[$1]?.amount ?? 0) }
    guard extras != 0, abs(paid) < 1e11 else { return event }
    var event = event
    // Without the noise of fractions: no currency has a smaller part than a ten-thousandth.
    event.properties["value"] = .double(((paid - extras) * 10_000).rounded() / 10_000)
    return event
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
