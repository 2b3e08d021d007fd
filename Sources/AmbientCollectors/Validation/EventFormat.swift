// SPDX-License-Identifier: Apache-2.0

package import Ambient
package import Foundation

/// Writes events in a destination's format, and notes their problems.
///
/// The collector and an ``EventValidator`` both call the format, so that the entries sent and the
/// problems found cannot differ.
package protocol EventFormat: Sendable {
  /// Writes the entry for an event; returns nil if the event cannot be sent. The method is called
  /// for one event after another, in the order of the collector's queue or of the validator's list.
  ///
  /// An implementation must note each difference from the tracked event. Under the lenient policy,
  /// the reason why an event cannot be sent is the first problem noted as refused or, if there is
  /// none, the last problem.
  ///
  /// - Parameters:
  ///   - event: The event as it was tracked.
  ///   - now: The time, within the years 1 to 9999.
  ///   - inspection: The list of the event's problems, to which this function adds.
  func write(_ event: TrackedEvent, now: Date, _ inspection: inout EventInspection) -> EventEntry?
}

extension EventFormat {
  /// The entry for a record of a queue; an ``EventDestination`` returns it from
  /// `entry(for:at:now:)`.
  ///
  /// - Parameters:
  ///   - record: The record, a line of JSON (`TrackedEvent.json`).
  ///   - now: The time of sending, for a format that refuses old events.
  ///   - policy: Whether an event that breaks a rule is changed or refused.
  ///   - amendments: The counter of the changes.
  /// - Throws: The reason why the event is not sent.
  package func entry(
    for record: [UInt8], now: Date, policy: RulePolicy, _ amendments: Amendments
  ) throws(EventRefusal) -> EventEntry {
    guard let event = try? TrackedEvent(json: record) else { throw EventRefusal.unreadable }
    return try entry(for: event, now: now, policy: policy, amendments)
  }

  /// The entry for an event that was read from a queue.
  func entry(
    for event: TrackedEvent, now: Date, policy: RulePolicy, _ amendments: Amendments
  ) throws(EventRefusal) -> EventEntry {
    let (entry, problems) = inspected(event, now, policy)
    guard let entry else {
      let cause = problems.first { $0.effect == .refused }
      throw EventRefusal(
        field: cause.map(\.fieldOfAny),
        cause.map { "expected \($0.demand)" } ?? "its format could not write it")
    }
    amendments.note(problems)
    return entry
  }

  /// Returns the event's entry and problems. The entry is nil if the event is refused.
  func inspected(
    _ event: TrackedEvent, _ now: Date, _ policy: RulePolicy
  ) -> (entry: EventEntry?, problems: [EventProblem]) {
    var inspection = EventInspection(event)
    let entry = write(event, now: now.nearestReadable, &inspection)
    var problems = inspection.problems
    if entry == nil, !problems.contains(where: { $0.effect == .refused }),
      let reason = problems.popLast()
    {
      problems.append(reason.refused)
    }
    guard policy == .strict else { return (entry, problems) }
    problems = problems.map(\.strict)
    return (problems.contains { $0.effect == .refused } ? nil : entry, problems)
  }
}

extension EventProblem {
  /// The problem under the strict policy: a change becomes a refusal, except a change of the time.
  fileprivate var strict: EventProblem {
    switch effect {
    case .leftOut, .changed: refused
    case .refused, .moved, .kept: self
    }
  }

  /// The same problem, but with the effect that the event is refused.
  fileprivate var refused: EventProblem {
    EventProblem(
      event: event, id: id, field: field, rule: rule, demand: demand, found: found,
      advice: advice, effect: .refused)
  }
}

extension Date {
  /// The nearest date in the years 1 to 9999: other dates have no ISO text and may overflow an
  /// integer.
  fileprivate var nearestReadable: Date {
    let first = Date(timeIntervalSinceReferenceDate: -63_113_904_000)
    let last = Date(timeIntervalSinceReferenceDate: 252_423_993_599)
    // NaN becomes the first date, because NaN is not greater than any date.
    return self > first ? min(self, last) : first
  }
}
