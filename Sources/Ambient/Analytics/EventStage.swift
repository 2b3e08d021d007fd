// SPDX-License-Identifier: Apache-2.0

/// A step between `track` and a destination: it passes an event on, replaces it, or drops it.
///
/// ```swift
/// Analytics.instance = analytics.through(
///   .enriching(["app": "shop"]), .redacting("mail"), .filtering { $0.event.name != "heartbeat" })
/// ```
///
/// The step runs synchronously, on the thread that calls `track`.
public struct EventStage: _Nonisolated, Sendable {
  private let body: @Sendable (TrackedEvent) -> TrackedEvent?

  /// Creates a step that passes on the result of `body`, or drops the event if the result is nil.
  ///
  /// - Parameter body: Returns the event to pass on; called on the thread that tracks.
  public init(_ body: @escaping @Sendable (TrackedEvent) -> TrackedEvent?) { self.body = body }

  /// The step's result for the event; nil if the step drops the event.
  ///
  /// - Parameter event: The event before the step.
  public func callAsFunction(_ event: TrackedEvent) -> TrackedEvent? { body(event) }

  /// Returns a step that applies this step and then `next`.
  ///
  /// - Parameter next: The step that gets the events that this step passes on.
  public func then(_ next: EventStage) -> EventStage {
    EventStage { event in body(event).flatMap { next($0) } }
  }

  /// Returns a step that applies this step to the events that meet the condition, and passes other
  /// events on unchanged.
  ///
  /// - Parameter condition: Returns whether this step applies to the event.
  public func when(_ condition: @escaping @Sendable (TrackedEvent) -> Bool) -> EventStage {
    EventStage { event in condition(event) ? body(event) : event }
  }
}

extension EventStage {
  /// Adds properties before the event's own.
  ///
  /// If both have a property of the same name, the event's own wins.
  ///
  /// - Parameter properties: The properties that each event gets.
  public static func enriching(_ properties: AmbientFields) -> EventStage {
    let properties = properties.compact
    return enriching { _ in properties }
  }

  /// Adds computed properties, such as a time of day or a version, before the event's own.
  ///
  /// If both have a property of the same name, the event's own wins.
  ///
  /// - Parameter properties: Returns an event's properties; called on the thread that tracks.
  public static func enriching(
    _ properties: @escaping @Sendable (TrackedEvent) -> AmbientFields
  ) -> EventStage {
    EventStage { event in
      var event = event
      event.event.properties = event.event.properties.preceded(by: properties(event))
      return event
    }
  }

  /// Adds fields of the log metadata that is current where an event is tracked, such as a request's
  /// `traceparent`.
  ///
  /// The fields come from ``Log/metadata`` and from ``Log/metadataProvider``, which is called for
  /// each event, on the thread that tracks. The provider's fields win over the metadata, and the
  /// event's own properties win over both. A missing field adds nothing.
  ///
  /// - Parameter names: The names of the log's fields; the properties get the same names.
  public static func enriching(fromLog names: String...) -> EventStage {
    enriching { _ in
      let metadata = LogMetadata.current
      let fields = metadata.fields.merging(metadata.provider?() ?? [:])
      var chosen = AmbientFields()
      for name in names { chosen[name] = fields[name] }
      return chosen
    }
  }

  /// Passes on the events that meet the condition, and drops the others.
  ///
  /// - Parameter condition: Returns whether the event is passed on; called on the thread that
  ///   tracks.
  public static func filtering(
    _ condition: @escaping @Sendable (TrackedEvent) -> Bool
  ) -> EventStage {
    EventStage { event in condition(event) ? event : nil }
  }

  /// Passes events on while consent for `purpose` is granted; drops them while it is denied or
  /// pending.
  ///
  /// Collectors whose queue has the consent do not need this step: they hold events while consent
  /// is pending.
  ///
  /// - Parameters:
  ///   - consent: The user's answers.
  ///   - purpose: The purpose of these events.
  public static func granted(_ consent: Consent, for purpose: ConsentPurpose) -> EventStage {
    let toggle = consent.toggle(for: purpose)
    return EventStage { event in toggle.status == .granted ? event : nil }
  }

  /// Hides the private values that ``AmbientPrivacy/isRevealing`` shows.
  ///
  /// Values that are marked as private while `isRevealing` is false are hidden without this step.
  public static var redacting: EventStage { EventStage { $0.redacted } }

  /// Hides private values, and the values of all fields that have one of these names.
  ///
  /// A mark such as `<private>` replaces each hidden value. The step applies to properties and the
  /// user's traits, at every depth. Names are compared by bytes.
  ///
  /// - Parameter names: The names of the properties and traits to hide.
  public static func redacting(_ names: String...) -> EventStage {
    let names = Set(names.map { FieldName($0) })
    return EventStage { $0.redacted(names) }
  }
}

extension TrackedEvent {
  /// The event in the form that may leave the machine: private values are hidden, even those that
  /// ``AmbientPrivacy/isRevealing`` shows on this machine.
  ///
  /// Collectors send this form; analytics of your own that send events must ask for it. It costs
  /// nothing if no private value was ever revealed in this process.
  public var redacted: TrackedEvent { AmbientPrivacy.hasRevealed ? redacted([]) : self }

  fileprivate func redacted(_ names: Set<FieldName>) -> TrackedEvent {
    var event = self
    event.event.properties = event.event.properties.redacted(names)
    event.user = event.user?.redacted(names)
    return event
  }
}

extension Event {
  /// The event in the form that may leave the machine, with all private values hidden.
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
