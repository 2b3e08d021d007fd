#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// An event that was tracked: with an identity and a time, and whose it is.
public struct TrackedEvent: Sendable, Identifiable {
  /// What tells this event from every other, however often it is sent: a UUID of version 7.
  public var id: UUID { UUID(identity) }
  /// When: the caller's ``Time``.
  public let date: Date
  /// What happened, as it was given.
  public var event: Event
  /// Whose it is if the event does not say it itself.
  private var caller: AnalyticsUser?
  // Two numbers, since the compiler moves a UUID byte by byte.
  private let identity: UUIDWords

  /// Whose it is: the event's own user, else the one where it was tracked (``Analytics/user``).
  public var user: AnalyticsUser? {
    get { event.user ?? caller }
    set {
      if event.user != nil { event.user = newValue }
      caller = newValue
    }
  }
}

extension TrackedEvent {
  /// An event that happened at `date`; `user` is whose it is if it does not say it itself.
  public init(_ event: Event, id: UUID, date: Date, user: AnalyticsUser? = nil) {
    self.init(date: date, event: event, caller: user, identity: UUIDWords(id))
  }

  /// An event that is tracked now, by the caller.
  @inline(__always)
  static func tracked(_ event: consuming Event, at date: Date) -> TrackedEvent {
    // Not looked for if the event says whose it is.
    let caller = event.user == nil ? AnalyticsIdentity.current : nil
    return TrackedEvent(
      date: date, event: event, caller: caller, identity: Identifier.words(at: date))
  }

  /// Gives the memory of a literal's properties back to the thread.
  @inline(__always)
  func giveBack() { event.properties.giveBack() }
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
  /// The event as one line of JSON, without its newline:
  /// `{"id":"…","time":"2026-11-27T05:00:00.000Z","event":"purchase","properties":{…}}`, and
  /// `"user":{"id":"ada","traits":{…}}` before the properties if there is a user.
  ///
  /// A mark stands for each private value, also where ``AmbientPrivacy/isRevealing`` shows it.
  public var json: String {
    LineBuffer.with { line in
      redacted.append(to: &line)
      return line.text
    }
  }

  /// Puts the line into the journal, with what is private hidden.
  ///
  /// - Returns: How many bytes it has; nil if the journal has not taken it.
  package func append(to journal: Journal) -> Int? {
    LineBuffer.with { line in
      redacted.append(to: &line)
      return journal.append(line.bytes, at: date) ? line.count : nil
    }
  }

  /// Appends the line, as ``json`` but with what this machine shows.
  func append(to line: inout LineBuffer) {
    line.append("{\"id\":\"")
    line.append(identity)
    line.append("\",\"time\":\"")
    line.append(present: date)
    line.append("\",")
    event.append(to: &line, user)
  }
}
