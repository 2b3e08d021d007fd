#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// An event that was tracked: with an identity and a time, and whose it is.
public struct TrackedEvent: Sendable, Identifiable {
  /// What tells this event from every other, however often it is sent: a UUID of version 7.
  public let id: UUID
  /// When: the caller's ``Time``.
  public let date: Date
  /// What happened, as it was given.
  public var event: Event
  /// Whose it is if the event does not say it itself.
  private var caller: AnalyticsUser?

  /// Whose it is: the event's own user, else the one where it was tracked (``Analytics/user``).
  public var user: AnalyticsUser? {
    get { event.user ?? caller }
    set {
      if event.user != nil { event.user = newValue }
      caller = newValue
    }
  }

  /// An event that happened at `date`; `user` is whose it is if it does not say it itself.
  public init(_ event: Event, id: UUID, date: Date, user: AnalyticsUser? = nil) {
    self.id = id
    self.date = date
    self.event = event
    caller = user
  }
}

extension TrackedEvent: Hashable {
  /// Whether both are the same event of the same user, whoever said which user that is.
  public static func == (left: TrackedEvent, right: TrackedEvent) -> Bool {
    left.id == right.id && left.date == right.date && left.event.name == right.event.name
      && left.user == right.user && left.event.properties == right.event.properties
  }

  /// Hashes the identity, which tells events apart.
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension TrackedEvent {
  /// The event as one line of JSON, without its newline, as ``FileAnalytics`` writes it:
  /// `{"id":"…","time":"2026-11-27T05:00:00.000Z","event":"purchase","properties":{…}}`, and
  /// `"user":{"id":"ada","traits":{…}}` before the properties if there is a user.
  public var json: String {
    LineBuffer.with { line in
      append(to: &line)
      return line.text
    }
  }

  /// Calls `body` with the bytes of ``json``, which are valid until it returns.
  package func withLine<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
    LineBuffer.with { line in
      append(to: &line)
      return body(line.bytes)
    }
  }

  func append(to line: inout LineBuffer) {
    line.append("{\"id\":\"")
    line.append(id)
    line.append("\",\"time\":\"")
    line.append(date: date)
    line.append("\",")
    event.append(to: &line, user)
  }
}
