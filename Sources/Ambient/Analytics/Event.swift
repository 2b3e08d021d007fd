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

extension Event {
  /// The event as one line of JSON, without its newline: `{"event":"purchase","properties":{…}}`.
  public var json: String {
    LineBuffer.with { line in
      line.append("{")
      append(to: &line)
      return line.text
    }
  }

  /// Appends what follows in the object, and its end.
  fileprivate func append(to line: inout LineBuffer) {
    line.append("\"event\":")
    line.append(json: name)
    line.append(",\"properties\":")
    properties.read { line.append(json: $0) }
    line.append("}")
  }
}

extension TrackedEvent {
  /// The event as one line of JSON, without its newline, as ``FileAnalytics`` writes it:
  /// `{"id":"…","time":"2026-11-27T05:00:00.000Z","event":"purchase","properties":{…}}`.
  public var json: String {
    LineBuffer.with { line in
      append(to: &line)
      return line.text
    }
  }

  func append(to line: inout LineBuffer) {
    line.append("{\"id\":")
    line.append(json: id.uuidString)
    line.append(",\"time\":\"")
    line.append(date: date)
    line.append("\",")
    event.append(to: &line)
  }
}
