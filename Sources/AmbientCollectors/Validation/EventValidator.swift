public import Ambient
public import Foundation

/// Says what a destination would not take as it is, field by field, without sending anything.
///
/// ```swift
/// let problems = EventValidator.google().problems(in: recorder.events)
/// #expect(problems.isEmpty)
/// ```
///
/// It asks what the collector itself asks. A problem's description is for people.
public struct EventValidator: Sendable {
  private let format: @Sendable () -> any EventFormat
  private let policy: RulePolicy

  /// A validator by a format.
  ///
  /// - Parameters:
  ///   - policy: What the collector does with what breaks a rule.
  ///   - format: Makes the format, anew for each list of events: it may remember some.
  public init(
    policy: RulePolicy = .lenient, _ format: @escaping @Sendable () -> any EventFormat
  ) {
    self.policy = policy
    self.format = format
  }

  /// What is wrong with these events, in their order, if they were sent at `now`.
  ///
  /// - Parameters:
  ///   - events: The events, as `AnalyticsRecorder` has them, for example.
  ///   - now: When they are sent; nil for the present `Time`.
  public func problems(in events: [TrackedEvent], now: Date? = nil) -> [EventProblem] {
    let format = format()
    let now = now ?? Time.now
    var latest: Date?
    return events.flatMap { event in
      // As it comes out of a queue: dates are text by then, for example.
      guard let kept = try? TrackedEvent(json: event.redacted.json) else {
        return [Self.unreadable(event)]
      }
      let step = Self.step(back: kept, after: latest)
      latest = step == nil ? max(latest ?? kept.date, kept.date) : kept.date
      return (step.map { [$0] } ?? []) + format.inspected(kept, now, policy).problems
    }
  }

  /// What is wrong with these events, as if they were tracked and sent now.
  ///
  /// - Parameter events: The events, in the order in which they would be tracked.
  /// - Returns: The problems of all of them in that order; empty if nothing is wrong.
  public func problems(in events: [Event]) -> [EventProblem] {
    let now = Time.now
    return problems(in: events.map { TrackedEvent($0, id: Identifier.next(), date: now) }, now: now)
  }

  /// The problem that an event cannot be read back from the line that a queue has.
  private static func unreadable(_ event: TrackedEvent) -> EventProblem {
    EventProblem(
      event: event.event.name, id: event.id, field: "time", rule: .unreadable,
      demand: "a time of the years 1 to 9999", found: "\(event.date.timeIntervalSince1970) s",
      advice: "see where the time comes from", effect: .refused)
  }

  /// The problem that an event is older than the one before it, if the clock was set back between
  /// them: threads that track at once may be some milliseconds out of order.
  private static func step(back event: TrackedEvent, after latest: Date?) -> EventProblem? {
    guard let latest, latest.timeIntervalSince(event.date) > 1 else { return nil }
    var inspection = EventInspection(event)
    inspection.note(
      .clockSteppedBack, at: "time", needs: "a time not before that of the last event",
      found: "\(event.date.iso8601()) after \(latest.iso8601())", .kept,
      "see why the clock was set back")
    return inspection.problems.first
  }
}
