// SPDX-License-Identifier: Apache-2.0

public import Ambient
public import Foundation

/// Finds where events break the rules of a destination, field by field, without sending anything.
///
/// ```swift
/// let problems = EventValidator.google().problems(in: recorder.events)
/// #expect(problems.isEmpty)
/// ```
///
/// A validator runs the collector's own code. In tests, compare the `id` of each problem's `rule`
/// instead of the problem's description, which is for people.
public struct EventValidator: Sendable {
  private let format: @Sendable () -> any EventFormat
  private let policy: RulePolicy

  /// Creates a validator for a format.
  ///
  /// - Parameters:
  ///   - policy: Whether the collector changes or refuses an event that breaks a rule.
  ///   - format: Creates the format; called for each list of events, since a format may keep state.
  package init(
    policy: RulePolicy = .lenient, _ format: @escaping @Sendable () -> any EventFormat
  ) {
    self.policy = policy
    self.format = format
  }

  /// Finds the problems of these events, as if the events were sent at `now`.
  ///
  /// Private values are hidden first, as in a collector's queue. An event that is more than a
  /// second older than the latest event before it is also a problem. Later events are then compared
  /// with the older one.
  ///
  /// - Parameters:
  ///   - events: The tracked events, for example those of `AnalyticsRecorder`.
  ///   - now: The time of sending; nil for the current `Time`.
  /// - Returns: The problems in the order of the events; empty if nothing is wrong.
  public func problems(in events: [TrackedEvent], now: Date? = nil) -> [EventProblem] {
    let format = format()
    let now = now ?? Time.now
    var latest: Date?
    return events.flatMap { event in
      // The event is written as JSON and read back before it is checked, as in a collector's queue.
      // This changes some values: for example, a date becomes a text.
      guard let kept = try? TrackedEvent(json: event.redacted.json) else {
        return [Self.unreadable(event)]
      }
      let step = Self.step(back: kept, after: latest)
      latest = step == nil ? max(latest ?? kept.date, kept.date) : kept.date
      return (step.map { [$0] } ?? []) + format.inspected(kept, now, policy).problems
    }
  }

  /// Finds the problems of these events, as if they were tracked and sent now.
  ///
  /// An event has a user only if it names one.
  ///
  /// - Parameter events: The events, in the order in which they would be tracked.
  /// - Returns: The problems of all of them in that order; empty if nothing is wrong.
  public func problems(in events: [Event]) -> [EventProblem] {
    let now = Time.now
    return problems(
      in: events.map { TrackedEvent($0, id: AmbientIdentifier.next(), date: now) }, now: now)
  }

  /// The problem of an event whose line in the queue cannot be read back.
  private static func unreadable(_ event: TrackedEvent) -> EventProblem {
    EventProblem(
      event: event.event.name, id: event.id, field: "time", rule: .unreadable,
      demand: "a time in the years 1 to 9999", found: "\(event.date.timeIntervalSince1970) s",
      advice: "check where the time comes from", effect: .refused)
  }

  /// The problem of an event that is more than a second older than the latest before it, which
  /// means that the clock was set back. Smaller steps are not a problem, since concurrent threads
  /// put events a few milliseconds out of order.
  private static func step(back event: TrackedEvent, after latest: Date?) -> EventProblem? {
    guard let latest, latest.timeIntervalSince(event.date) > 1 else { return nil }
    var inspection = EventInspection(event)
    inspection.note(
      .clockSteppedBack, at: "time", needs: "a time not before the previous event's",
      found: "\(event.date.iso8601()) after \(latest.iso8601())", .kept,
      "check why the clock was set back")
    return inspection.problems.first
  }
}

/// Whether an event that breaks a rule is changed or refused.
public enum RulePolicy: Hashable, Sendable {
  /// The event is changed as little as possible: for example, names are made to fit, long texts are
  /// cut, and fields that are not allowed are left out.
  ///
  /// The event is refused only if such changes do not suffice.
  case lenient
  /// The event is refused if anything would have to be changed or left out; its time may be moved.
  case strict
}
