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
    let taken = Set(event.properties.map(\.name))
    let fields = event.properties.map { field in
      let isPlain = !field.name.contains(".") && field.name != TraceParent.name
      let isRenamed = isPlain && !taken.contains(namespace + field.name)
      return AmbientFields.Field(
        name: isRenamed ? namespace + field.name : field.name,
        value: field.value.fractional(field.name))
    }
    result.properties = AmbientFields(list: fields)
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
      let fractional = fields.map {
        AmbientFields.Field(name: $0.name, value: $0.value.fractional($0.name))
      }
      return .fields(AmbientFields(list: fractional))
    default: return self
    }
  }
}
