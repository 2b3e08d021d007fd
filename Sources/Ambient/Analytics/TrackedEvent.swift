#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A tracked event: with an identity, a time and its user.
public struct TrackedEvent: Sendable, Identifiable {
  /// The event's identity, the same however often it is sent: a UUID of version 7.
  public var id: UUID { UUID(identity) }
  /// When it was tracked, by the caller's ``Time``.
  public let date: Date
  /// The event as it was given.
  public var event: Event
  /// The user where the event was tracked; used if the event names none.
  private var caller: AnalyticsUser?
  // Two integers, since the compiler moves a UUID byte by byte.
  private let identity: UUIDWords

  /// The user: the event's own, else the one where it was tracked (``Analytics/user``).
  public var user: AnalyticsUser? {
    get { event.user ?? caller }
    set {
      if event.user != nil { event.user = newValue }
      caller = newValue
    }
  }
}

extension TrackedEvent {
  /// An event that happened at `date`; `user` counts if the event names none.
  ///
  /// - Parameters:
  ///   - event: What was tracked.
  ///   - id: Its identity, by which a server knows it when it comes twice.
  ///   - date: When it was tracked.
  ///   - user: Whose it is, if the event names no user.
  public init(_ event: Event, id: UUID, date: Date, user: AnalyticsUser? = nil) {
    self.init(date: date, event: event, caller: user, identity: UUIDWords(id))
  }

  /// An event tracked by the caller, at `date`.
  @inline(__always)
  static func tracked(_ event: consuming Event, at date: Date) -> TrackedEvent {
    // Looked up only if the event names no user.
    let caller = event.user == nil ? AnalyticsIdentity.current : nil
    return TrackedEvent(
      date: date, event: event, caller: caller, identity: Identifier.words(at: date))
  }

  /// Gives the memory of a literal's properties back to the thread.
  @inline(__always)
  func giveBack() { event.properties.giveBack() }
}

extension TrackedEvent: Hashable {
  /// Whether both are the same event of the same user, whether the event or its caller names that.
  public static func == (left: TrackedEvent, right: TrackedEvent) -> Bool {
    left.id == right.id && left.date == right.date && left.event.name == right.event.name
      && left.user == right.user && left.event.properties == right.event.properties
  }

  /// Hashes the identity alone: it is unique.
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension TrackedEvent {
  /// The event as one line of JSON, without its newline.
  ///
  /// It is `{"id":"…","time":"2026-11-27T05:00:00.000Z","event":"purchase","properties":{…}}`, with
  /// `"user":{"id":"ada","traits":{…}}` before the properties if there is a user. Private values
  /// are marks, also where ``AmbientPrivacy/isRevealing`` shows them.
  public var json: String {
    LineBuffer.with { line in
      redacted.append(to: &line)
      return line.text
    }
  }

  /// Appends the line to the journal, with private values hidden.
  ///
  /// - Returns: The line's size in bytes; nil if the journal has not taken it.
  package func append(to journal: Journal) -> Int? {
    LineBuffer.with { line in
      redacted.append(to: &line)
      return journal.append(line.bytes, at: date) ? line.count : nil
    }
  }

  /// Appends the line of ``json``, with revealed values shown.
  func append(to line: inout LineBuffer) {
    line.append("{\"id\":\"")
    line.append(identity)
    line.append("\",\"time\":\"")
    line.append(present: date)
    line.append("\",")
    event.append(to: &line, user)
  }
}
