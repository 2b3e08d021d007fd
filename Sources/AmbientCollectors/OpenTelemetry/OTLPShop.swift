internal import Ambient

extension EventMapping {
  /// For a shop whose events are named as Google Analytics names them, as Checkout's are.
  ///
  /// OpenTelemetry has no names for shops, and wants names of one's own to have a namespace: so
  /// `purchase` is `checkout.purchase`, and its property `value` is `checkout.value`. Amounts are
  /// always numbers with a fraction, so that each attribute is of one type. What stands in
  /// `checkout.items` keeps its names, and so do a `traceparent`, properties that have a namespace,
  /// one whose new name another property of the event has, and all other events.
  public static let otlpShop = EventMapping { event in
    guard shopEvents.contains(event.name) else { return event }
    var result = event
    result.name = namespace + event.name
    var properties = AmbientFields()
    for field in event.properties {
      let isPlain = !field.name.contains(".") && field.name != TraceParent.name
      let name = namespace + field.name
      let isRenamed = isPlain && event.properties[name] == nil
      properties[isRenamed ? name : field.name] = field.value.fractional(field.name)
    }
    result.properties = properties
    return result
  }

  private static let namespace = "checkout."
  private static let shopEvents: Set = [
    "view_item", "add_to_cart", "remove_from_cart", "begin_checkout", "add_payment_info",
    "purchase", "refund",
  ]
  fileprivate static let amounts: Set = ["value", "tax", "shipping", "price", "discount"]
}

extension AmbientValue {
  /// The value of a field of that name, with amounts as numbers with a fraction, in lists too.
  fileprivate func fractional(_ name: String) -> AmbientValue {
    switch self {
    case .integer(let value) where EventMapping.amounts.contains(name):
      return .double(Double(value))
    case .array(let values): return .array(values.map { $0.fractional(name) })
    case .fields(let fields):
      var result = fields
      for field in fields {
        // Assigning looks for the name: only what may change is.
        switch field.value {
        case .integer, .array, .fields:
          result[field.name] = field.value.fractional(field.name)
        default: break
        }
      }
      return .fields(result)
    default: return self
    }
  }
}
