package import Ambient

/// The problems found while one event is written for a destination.
public struct EventInspection: Sendable {
  /// The event, as it was tracked.
  package let event: TrackedEvent
  /// The problems, in the order in which they were found.
  package private(set) var problems: [EventProblem] = []

  init(_ event: TrackedEvent) { self.event = event }

  /// Notes a problem of a field.
  ///
  /// - Parameters:
  ///   - rule: The rule that the field breaks; problems are counted by rule.
  ///   - field: The path of the field, such as `properties.value`.
  ///   - demand: The rule's demand, with an article: `an event name of at most 40 characters`.
  ///   - found: The value, in a form that reports may show.
  ///   - effect: The effect on the event or field: changed, left out, moved, kept or refused.
  ///   - advice: A correction to make where the event is tracked.
  public mutating func note(
    _ rule: EventRule, at field: String, needs demand: String, found: String,
    _ effect: EventProblem.Effect, _ advice: String
  ) {
    problems.append(
      EventProblem(
        event: event.event.name, id: event.id, field: field, rule: rule, demand: demand,
        found: found, advice: advice, effect: effect))
  }
}
