#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

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
