public import Ambient

/// What an event is called and carries at a destination, if that differs from what was tracked.
///
/// ```swift
/// let mapping = EventMapping.renaming(
///   events: ["order placed": "purchase"], properties: ["order": "transaction_id"])
/// ```
public struct EventMapping: Sendable {
  private let body: @Sendable (Event) -> Event

  /// A mapping that makes of each event what `body` returns. It is called when events are sent.
  ///
  /// - Parameter body: Makes the event to send of the tracked one; called for each.
  public init(_ body: @escaping @Sendable (Event) -> Event) { self.body = body }

  /// The event as the destination is to have it.
  ///
  /// - Parameter event: The event as it was tracked.
  public func callAsFunction(_ event: Event) -> Event { body(event) }

  /// This mapping, and `next` for what it makes.
  ///
  /// - Parameter next: The mapping that gets what this one has made.
  public func then(_ next: EventMapping) -> EventMapping { EventMapping { next(body($0)) } }

  /// Each event as it is.
  public static let none = EventMapping { $0 }

  /// Other names for some events, and for some properties of any; values stay.
  ///
  /// A property whose new name another one of the event has keeps its own.
  ///
  /// - Parameters:
  ///   - events: The new names of events by their old ones; others keep theirs.
  ///   - properties: The new names of properties by their old ones, in any event.
  public static func renaming(
    events: [String: String] = [:], properties: [String: String] = [:]
  ) -> EventMapping {
    EventMapping { event in
      var result = event
      result.name = events[event.name] ?? event.name
      guard event.properties.contains(where: { properties[$0.name] != nil }) else { return result }
      let names = names(of: event.properties, properties)
      let fields = event.properties.map {
        AmbientFields.Field(name: names[$0.name] ?? $0.name, value: $0.value)
      }
      result.properties = AmbientFields(list: fields)
      return result
    }
  }

  /// The new names that leave each field one of its own: who keeps its name may take that of
  /// another, so this goes on until nobody has to.
  private static func names(
    of fields: AmbientFields, _ wanted: [String: String]
  ) -> [String: String] {
    let all = fields.map(\.name)
    var names = wanted
    while true {
      var taken = Set(all.filter { names[$0] == nil })
      let refused = all.filter { name in names[name].map { !taken.insert($0).inserted } ?? false }
      if refused.isEmpty { return names }
      for name in refused { names[name] = nil }
    }
  }

  /// For a shop that tracks what is paid, as Checkout does, at a destination whose `value` has no
  /// tax and no shipping: where an event has `tax` or `shipping`, those are taken off it. Nothing
  /// else is changed, and nothing where they are more than it or of another sign: no part of it.
  static let withoutTaxAndShipping = EventMapping { event in
    let value = event.properties["value"]
    guard let paid = value?.amount else { return event }
    let extras = ["tax", "shipping"].reduce(0.0) { $0 + (event.properties[$1]?.amount ?? 0) }
    guard extras != 0, extras / paid > 0, extras / paid <= 1 else { return event }
    let rest = (paid - extras).withoutNoise
    var event = event
    // A text stays one, so that the rule of numbers finds it.
    if case .string = value {
      event.properties["value"] = .string("\(rest)")
    } else {
      event.properties["value"] = .double(rest)
    }
    return event
  }
}

extension AmbientValue {
  /// The number that it is, or that its text is; no infinity, and not NaN.
  var amount: Double? {
    let number: Double? =
      switch self {
      case .integer(let value): Double(value)
      case .unsigned(let value): Double(value)
      case .double(let value): value
      case .string(let text): Double(text)
      default: nil
      }
    return number.flatMap { $0.isFinite ? $0 : nil }
  }
}

extension Double {
  /// An amount without the noise of fractions: no currency has a smaller part than a
  /// ten-thousandth.
  var withoutNoise: Double { abs(self) < 1e11 ? (self * 10_000).rounded() / 10_000 : self }
}
