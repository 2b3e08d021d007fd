/// A step between `track` and a destination: it hands an event on, another one, or none.
///
/// ```swift
/// Analytics.instance = analytics.through(
///   .enriching(["app": "shop"]), .redacting("mail"), .filtering { $0.event.name != "heartbeat" })
/// ```
///
/// It runs on the thread of the caller of `track`, who waits.
public struct EventStage: Sendable {
  private let body: @Sendable (TrackedEvent) -> TrackedEvent?

  /// A step that hands on what `body` returns; nil drops the event.
  public init(_ body: @escaping @Sendable (TrackedEvent) -> TrackedEvent?) { self.body = body }

  /// What becomes of the event; nil if it is dropped.
  public func callAsFunction(_ event: TrackedEvent) -> TrackedEvent? { body(event) }

  /// This step, and `next` for what it hands on.
  public func then(_ next: EventStage) -> EventStage {
    EventStage { event in body(event).flatMap { next($0) } }
  }

  /// This step for the events that `condition` holds for; others are handed on as they are.
  public func when(_ condition: @escaping @Sendable (TrackedEvent) -> Bool) -> EventStage {
    EventStage { event in condition(event) ? body(event) : event }
  }
}

extension EventStage {
  /// Adds properties, before those of the event, which win where both have a name.
  public static func enriching(_ properties: AmbientFields) -> EventStage {
    let properties = properties.compact
    return enriching { _ in properties }
  }

  /// Adds what `properties` says of each event, as a time of day or a version.
  public static func enriching(
    _ properties: @escaping @Sendable (TrackedEvent) -> AmbientFields
  ) -> EventStage {
    EventStage { event in
      var event = event
      event.event.properties = event.event.properties.preceded(by: properties(event))
      return event
    }
  }

  /// Adds these fields of the log's metadata where an event is tracked (``Log/metadata``, and what
  /// ``Log/metadataProvider`` says), as the `traceparent` of a request.
  ///
  /// A field that is not there adds nothing.
  public static func enriching(fromLog names: String...) -> EventStage {
    enriching { _ in
      let metadata = LogMetadata.current
      let fields = metadata.fields.merging(metadata.provider?() ?? [:])
      var chosen = AmbientFields()
      for name in names { chosen[name] = fields[name] }
      return chosen
    }
  }

  /// Hands on the events that `condition` holds for, and drops the others.
  public static func filtering(
    _ condition: @escaping @Sendable (TrackedEvent) -> Bool
  ) -> EventStage {
    EventStage { event in condition(event) ? event : nil }
  }

  /// Hands events on while the consent for that purpose is granted, and drops them while it is
  /// denied or pending; what can hold events meanwhile needs no such step.
  public static func granted(_ consent: Consent, for purpose: ConsentPurpose) -> EventStage {
    let toggle = consent.toggle(for: purpose)
    return EventStage { event in toggle.status == .granted ? event : nil }
  }

  /// Hides what is marked private, which is hidden already unless ``AmbientPrivacy/isRevealing``.
  public static var redacting: EventStage { EventStage { $0.redacted } }

  /// Hides what is marked private and what has one of these names, among the properties and the
  /// user's traits, at whatever depth: `<private>` stands in its place.
  ///
  /// Names are compared byte by byte.
  public static func redacting(_ names: String...) -> EventStage {
    let names = Set(names.map { FieldName($0) })
    return EventStage { $0.redacted(names) }
  }
}

extension TrackedEvent {
  /// The event as it may leave the machine: what is marked private is hidden also if
  /// ``AmbientPrivacy/isRevealing`` shows it here.
  ///
  /// Analytics that send events off send this. It costs nothing where nothing was revealed.
  public var redacted: TrackedEvent { AmbientPrivacy.hasRevealed ? redacted([]) : self }

  fileprivate func redacted(_ names: Set<FieldName>) -> TrackedEvent {
    var event = self
    event.event.properties = event.event.properties.redacted(names)
    event.user = event.user?.redacted(names)
    return event
  }
}

extension Event {
  /// The event as it may leave the machine.
  var redacted: Event {
    guard AmbientPrivacy.hasRevealed else { return self }
    return Event(name, properties.redacted([]), user: user?.redacted([]))
  }
}

extension AnalyticsUser {
  fileprivate func redacted(_ names: Set<FieldName>) -> AnalyticsUser {
    AnalyticsUser(id, traits.redacted(names))
  }
}
