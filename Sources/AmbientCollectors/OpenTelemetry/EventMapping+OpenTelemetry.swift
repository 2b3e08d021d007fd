// SPDX-License-Identifier: Apache-2.0

internal import Ambient

extension EventMapping {
  /// The mapping for a shop whose events have the names of Google Analytics, such as the events of
  /// Checkout.
  ///
  /// OpenTelemetry defines no names for shops, and demands a namespace for names that it does not
  /// define. So `purchase` becomes `checkout.purchase`, and its property `value` becomes
  /// `checkout.value`. Integers among the amounts (`value`, `tax`, `shipping`, `price` and
  /// `discount`) become floating-point numbers, so that an attribute has one type of number. These
  /// properties keep their names: `traceparent`, properties with a namespace, the members of lists
  /// and objects, such as `checkout.items`, and a property whose new name another property already
  /// has. The mapping changes `view_item`, `add_to_cart`, `remove_from_cart`, `begin_checkout`,
  /// `add_payment_info`, `purchase` and `refund`. Other events, such as `view_cart`, stay
  /// unchanged.
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
  /// Returns this value, which belongs to the property `name`, with all amounts as floating-point
  /// numbers. An integer is an amount if `EventMapping.amounts` contains the name of its property.
  /// Integers inside lists and objects are converted, too.
  fileprivate func fractional(_ name: String) -> AmbientValue {
    switch self {
    case .integer(let value) where EventMapping.amounts.contains(name):
      return .double(Double(value))
    case .unsigned(let value) where EventMapping.amounts.contains(name):
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
