// SPDX-License-Identifier: Apache-2.0

public import Ambient

/// A function that changes events for one destination, for example by renaming events and their
/// properties.
///
/// A collector uses the name and the properties of the result. The user stays the tracked event's.
///
/// ```swift
/// let mapping = EventMapping.renaming(
///   events: ["order placed": "purchase"], properties: ["order": "transaction_id"])
/// ```
public struct EventMapping: _Nonisolated, Sendable {
  private let body: @Sendable (Event) -> Event

  /// Creates a mapping from a closure, which is called when events are prepared or validated.
  ///
  /// - Parameter body: Returns the event to send for a tracked event, in which private values are
  ///   hidden and dates are texts, as in a collector's queue. It is called again for an event that
  ///   is prepared again, for example after a failed upload.
  public init(_ body: @escaping @Sendable (Event) -> Event) { self.body = body }

  /// Returns the event for the destination.
  ///
  /// - Parameter event: The tracked event.
  public func callAsFunction(_ event: Event) -> Event { body(event) }

  /// Returns a mapping that applies this mapping and then `next`.
  ///
  /// - Parameter next: The mapping that receives the events that this mapping returns.
  public func then(_ next: EventMapping) -> EventMapping { EventMapping { next(body($0)) } }

  /// The mapping that changes nothing.
  public static let none = EventMapping { $0 }

  /// Returns a mapping that renames events, and properties of any event, and leaves values
  /// unchanged.
  ///
  /// A property keeps its old name if another property of the event keeps the new name, or if an
  /// earlier property gets it.
  ///
  /// - Parameters:
  ///   - events: The new names of events by their old names; other events keep their names.
  ///   - properties: The new names of properties by their old names, in any event. Names inside
  ///     objects and lists stay unchanged.
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

  /// Returns the new names, chosen so that no two fields have the same name. A field keeps its old
  /// name if its new name is one that another field keeps, or that an earlier field gets. The kept
  /// name may itself be the new name of another field, so the check is repeated until all differ.
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

  /// The mapping from a shop whose `value` is the amount paid, as in Checkout, to a destination
  /// whose `value` excludes tax and shipping. It subtracts an event's `tax` and `shipping` from its
  /// `value`. If their sum exceeds `value` or has the opposite sign, `value` cannot include them,
  /// and the event stays unchanged.
  static let withoutTaxAndShipping = EventMapping { event in
    let value = event.properties["value"]
    guard let paid = value?.amount else { return event }
    let extras = ["tax", "shipping"].reduce(0.0) { $0 + (event.properties[$1]?.amount ?? 0) }
    guard extras != 0, extras / paid > 0, extras / paid <= 1 else { return event }
    let rest = (paid - extras).withoutNoise
    var event = event
    // A value that was tracked as text stays text, so that `ValueRules.number` can still report
    // that it was not tracked as a number.
    if case .string = value {
      event.properties["value"] = .string("\(rest)")
    } else {
      event.properties["value"] = .double(rest)
    }
    return event
  }
}

extension AmbientValue {
  /// The number, or the number that a text spells; nil for infinities, NaN and other values.
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
  /// The amount rounded to ten-thousandths, the smallest unit of any currency, to remove the
  /// rounding errors of binary fractions. An amount of 1e11 or more is not rounded.
  var withoutNoise: Double { abs(self) < 1e11 ? (self * 10_000).rounded() / 10_000 : self }
}
