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
  public init(_ body: @escaping @Sendable (Event) -> Event) { self.body = body }

  /// The event as the destination is to have it.
  public func callAsFunction(_ event: Event) -> Event { body(event) }

  /// This mapping, and `next` for what it makes.
  public func then(_ next: EventMapping) -> EventMapping { EventMapping { next(body($0)) } }

  /// Each event as it is.
  public static let none = EventMapping { $0 }

  /// Other names for some events, and for some properties of any; values stay.
  public static func renaming(
    events: [String: String] = [:], properties: [String: String] = [:]
  ) -> EventMapping {
    EventMapping { event in
      var result = event
      result.name = events[event.name] ?? event.name
      guard event.properties.contains(where: { properties[$0.name] != nil }) else { return result }
      var fields = AmbientFields()
      for field in event.properties { fields[properties[field.name] ?? field.name] = field.value }
      result.properties = fields
      return result
    }
  }
}
