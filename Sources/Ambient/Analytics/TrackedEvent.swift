// SPDX-License-Identifier: Apache-2.0

public import AmbientSystem

/// An event that was tracked, with its identity, time and user.
public struct TrackedEvent: _Nonisolated, Sendable, Identifiable {
  /// The event's identity, which stays the same however often the event is sent.
  ///
  /// `track` makes a UUID of version 7; ``init(_:id:date:user:)`` takes any UUID.
  public var id: UUID { UUID(identity) }
  /// The time of tracking, by the caller's ``Time``.
  public let date: Date
  /// The event itself: its name, its properties and the user that it names.
  public var event: Event
  /// The user that was current where the event was tracked. This user counts only if the event
  /// itself names none.
  private var caller: AnalyticsUser?
  private var anonymity: Anonymity
  // The identity is stored as two integers, because the compiler moves a UUID byte by byte.
  private let identity: UUIDWords

  /// The user that the event names, or else the user that was current where it was tracked.
  ///
  /// The current user is ``Analytics/user``. If you set a user with another `id`, or remove
  /// the user, the event loses its ``anonymousID``, and gets none later.
  public var user: AnalyticsUser? {
    get { event.user ?? caller }
    set {
      // Only a different `id` means a different user, and ends the anonymous identity. Different
      // traits do not mean a different user, because traits may have been redacted.
      if newValue?.id != user?.id { anonymity = .none }
      if event.user != nil { event.user = newValue }
      caller = newValue
    }
  }

  /// The anonymous identity of the program's user in the collector that recorded the event, whether
  /// the user is known or not.
  ///
  /// It is nil until a collector has recorded the event, and if the collector's queue has no
  /// anonymous identity. It is also nil if the event was tracked with a user of its own or from
  /// `Analytics.withUser`, if a stage gave it another ``user``, or if it was created by
  /// ``init(_:id:date:user:)``.
  public var anonymousID: String? {
    if case .id(let id) = anonymity { id } else { nil }
  }

  /// Whether the event belongs to the program's user, known or not, and has no anonymous identity
  /// yet.
  package var isAnonymousOfProgram: Bool {
    if case .ofProgram = anonymity { event.user == nil } else { false }
  }

  /// The state of an event's anonymous identity. In the state `ofProgram`, the event belongs to the
  /// program's user, and the collector's queue may still set an `id`.
  private enum Anonymity: Sendable {
    case none, ofProgram
    case id(String)
  }

  /// Returns the event with that anonymous identity, or without one if `anonymousID` is nil.
  package func with(anonymousID: String?) -> TrackedEvent {
    var event = self
    event.anonymity = anonymousID.map { .id($0) } ?? .none
    return event
  }
}

extension TrackedEvent {
  /// Creates an event that was tracked at `date` by `user`, unless the event names another user.
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

  /// Returns the event with a new identity and the time `date`. If the event names no user, it gets
  /// the currently assigned user, or else the user that `analytics` has stored.
  @inline(__always)
  static func tracked(
    _ event: consuming Event, at date: Date, by analytics: Analytics
  ) -> TrackedEvent {
    var caller: AnalyticsUser?
    var anonymity = Anonymity.none
    // The current user is looked up only if the event itself names no user.
    if event.user == nil {
      if let identity = AnalyticsIdentity.context.assigned {
        caller = identity.user
        if !identity.isOfPart { anonymity = .ofProgram }
      } else {
        caller = analytics.storedUser
        anonymity = .ofProgram
      }
    }
    return TrackedEvent(
      date: date, event: event, caller: caller, anonymity: anonymity,
      identity: AmbientIdentifier.words(at: date))
  }

  /// Lets the thread reuse the memory of the properties for the next fields. Has no effect unless
  /// the properties were made from a dictionary literal.
  @inline(__always)
  func giveBack() { event.properties.giveBack() }
}

extension TrackedEvent: Hashable {
  /// Whether both have the same identity, date, name, properties, `user` and `anonymousID`.
  ///
  /// It does not matter whether the event or its caller names the user.
  public static func == (left: TrackedEvent, right: TrackedEvent) -> Bool {
    left.id == right.id && left.date == right.date && left.event.name == right.event.name
      && left.user == right.user && left.anonymousID == right.anonymousID
      && left.event.properties == right.event.properties
  }

  /// Hashes only the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension TrackedEvent {
  /// The event as one line of JSON, without its newline.
  ///
  /// It is `{"id":"…","time":"2026-11-27T05:00:00.000Z","event":"purchase","properties":{…}}`, with
  /// `"user":{"id":"ada","traits":{…}}` before the properties if there is a user, and
  /// `"anonymous_id":"…"` if there is an ``anonymousID``. Private values are marks such as
  /// `<private>`, even while ``AmbientPrivacy/isRevealing`` is true.
  public var json: String {
    LineBuffer.with { line in
      redacted.append(to: &line)
      return line.text
    }
  }

  /// Appends the same line as ``json``, except that a private value is shown if
  /// `AmbientPrivacy.isRevealing` was true when the value was marked as private.
  package func append(to line: inout LineBuffer) {
    line.append("{\"id\":\"")
    line.append(identity)
    line.append("\",\"time\":\"")
    line.append(present: date)
    line.append("\",")
    event.append(to: &line, user, anonymousID: anonymousID)
  }
}
