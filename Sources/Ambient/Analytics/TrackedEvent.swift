#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A tracked event: with an identity, a time and its user.
public struct TrackedEvent: Sendable, Identifiable {
  /// The event's identity, the same however often it is sent: a UUID of version 7.
  public var id: UUID { UUID(identity) }
  /// The time of tracking, by the caller's ``Time``.
  public let date: Date
  /// The event as it was given.
  public var event: Event
  /// The user where the event was tracked; used if the event names none.
  private var caller: AnalyticsUser?
  private var anonymity: Anonymity
  // Two integers, since the compiler moves a UUID byte by byte.
  private let identity: UUIDWords

  /// The user: the event's own, else the one where it was tracked (``Analytics/user``).
  public var user: AnalyticsUser? {
    get { event.user ?? caller }
    set {
      // The same user with other traits, for example hidden ones, is no other user.
      if newValue?.id != user?.id { anonymity = .none }
      if event.user != nil { event.user = newValue }
      caller = newValue
    }
  }

  /// The anonymous identity that the program's user, known or not, has in the collector that took
  /// the event; nil unless the collector's queue keeps one, and for events of other users.
  public var anonymousID: String? {
    if case .id(let id) = anonymity { id } else { nil }
  }

  /// Whether the event belongs to the program's user, known or not, and has no anonymous identity
  /// yet.
  package var isAnonymousOfProgram: Bool {
    if case .ofProgram = anonymity { true } else { false }
  }

  /// The anonymous identity that the event belongs to.
  private enum Anonymity: Sendable {
    case none, ofProgram
    case id(String)
  }

  /// The event with an anonymous identity.
  package func with(anonymousID: String?) -> TrackedEvent {
    var event = self
    event.anonymity = anonymousID.map { .id($0) } ?? .none
    return event
  }
}

extension TrackedEvent {
  /// An event that happened at `date`; `user` counts if the event names none.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - id: The event's identity, by which a server recognises an event that arrives twice.
  ///   - date: The time of tracking.
  ///   - user: The user of an event that names none.
  public init(_ event: Event, id: UUID, date: Date, user: AnalyticsUser? = nil) {
    self.init(
      date: date, event: event, caller: user, anonymity: .none, identity: UUIDWords(id))
  }

  /// An event tracked by the caller, at `date`, with these analytics.
  @inline(__always)
  static func tracked(
    _ event: consuming Event, at date: Date, by analytics: Analytics
  ) -> TrackedEvent {
    var caller: AnalyticsUser?
    var anonymity = Anonymity.none
    // Looked up only if the event names no user.
    if event.user == nil {
      if let identity = AnalyticsIdentity.context.assigned {
        caller = identity.user
        if !identity.isOfPart { anonymity = .ofProgram }
      } else {
        caller = analytics.keptUser
        anonymity = .ofProgram
      }
    }
    return TrackedEvent(
      date: date, event: event, caller: caller, anonymity: anonymity,
      identity: Identifier.words(at: date))
  }

  /// Gives the memory of a literal's properties back to the thread.
  @inline(__always)
  func giveBack() { event.properties.giveBack() }
}

extension TrackedEvent: Hashable {
  /// Whether both are the same event of the same user, whether the event or its caller names the
  /// user.
  public static func == (left: TrackedEvent, right: TrackedEvent) -> Bool {
    left.id == right.id && left.date == right.date && left.event.name == right.event.name
      && left.user == right.user && left.anonymousID == right.anonymousID
      && left.event.properties == right.event.properties
  }

  /// Hashes the identity alone: it is unique.
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension TrackedEvent {
  /// The event as one line of JSON, without its newline.
  ///
  /// It is `{"id":"…","time":"2026-11-27T05:00:00.000Z","event":"purchase","properties":{…}}`, with
  /// `"user":{"id":"ada","traits":{…}}` before the properties if there is a user, and
  /// `"anonymous_id":"…"` if there is an ``anonymousID``. Private values are marks, also
  /// where ``AmbientPrivacy/isRevealing`` shows them.
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
    event.append(to: &line, user, anonymousID: anonymousID)
  }
}
