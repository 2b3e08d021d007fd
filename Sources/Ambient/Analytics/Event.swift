#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Something that a user did, or that happened: a name and properties.
///
/// Declare your events beside the types that they speak of:
///
/// ```swift
/// extension Event {
///   static func purchase(_ order: Order) -> Event {
///     Event("purchase", ["transaction_id": order.id, "value": order.total])
///   }
/// }
/// ```
public struct Event: Hashable, Sendable {
  /// The name, as `purchase`.
  public let name: String
  /// The properties.
  public let properties: AmbientFields

  /// An event of that name.
  public init(_ name: String, _ properties: AmbientFields = [:]) {
    self.name = name
    self.properties = properties
  }
}

/// An event that was tracked: with an identity and a time.
public struct TrackedEvent: Hashable, Sendable, Identifiable {
  /// What tells this event from every other, however often it is sent: a UUID of version 7.
  public let id: UUID
  /// When: the caller's ``Time``.
  public let date: Date
  /// What happened.
  public let event: Event

  /// An event that happened at `date`.
  public init(_ event: Event, id: UUID, date: Date) {
    self.id = id
    self.date = date
    self.event = event
  }
}

/// One line of JSON for an event: `{"id":…,"time":…,"event":"purchase","properties":{…}}`.
enum EventLine {
  static func json(_ event: TrackedEvent) -> String {
    let fields: AmbientFields = [
      "id": event.id, "time": event.date, "event": event.event.name,
      "properties": event.event.properties,
    ]
    return LineBuffer.with { line in
      line.append(json: .fields(fields))
      line.append("\n")
      return line.text
    }
  }
}
