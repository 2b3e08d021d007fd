public import Ambient
public import Foundation

/// How a destination wants events, and what it finds wrong with them.
///
/// A collector sends what this writes and an ``EventValidator`` shows what it notes, so the two
/// cannot differ.
public protocol EventFormat: Sendable {
  /// What is sent of the event; nil if it cannot be sent at all, which must be noted: what is noted
  /// last is the reason then, unless something is noted as refused.
  ///
  /// Whatever is not sent as it was tracked is noted. Called in the order of the events.
  ///
  /// - Parameters:
  ///   - event: The event as it was tracked.
  ///   - now: The time, within the years 1 to 9999.
  ///   - inspection: Where it is noted what is wrong, and what was done about it.
  func write(_ event: TrackedEvent, now: Date, _ inspection: inout EventInspection) -> Entry?
}

/// What is done with an event that breaks a rule.
public enum RulePolicy: Hashable, Sendable {
  /// It is changed as little as may be, and sent: names are made to fit, what is too long is cut,
  /// and what may not be there is left out.
  case lenient
  /// It is not sent.
  case strict
}

/// What is found while one event is written for a destination.
public struct EventInspection: Sendable {
  /// The event.
  public let event: TrackedEvent
  /// What was found, in the order of the fields.
  public private(set) var problems: [EventProblem] = []

  init(_ event: TrackedEvent) { self.event = event }

  /// Notes what is wrong with a field.
  ///
  /// - Parameters:
  ///   - rule: The rule that the field breaks, by which it is counted.
  ///   - field: The field, as `properties.value`.
  ///   - demand: What the rule wants, with an article: `an event name of at most 40 characters`.
  ///   - found: What is there, shown as a report may show it.
  ///   - effect: What is done: changed, left out, moved, kept or refused.
  ///   - advice: What to do about it where the event is tracked.
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

extension EventFormat {
  /// What a collector sends of a record of its queue: the `entry(for:now:)` of its ``Destination``.
  ///
  /// - Parameters:
  ///   - record: The record, as the line of JSON that `TrackedEvent.json` is.
  ///   - now: The time, for a format that takes no old events.
  ///   - policy: What is done with what breaks a rule.
  ///   - amendments: Where it is counted.
  /// - Throws: Why it is not sent.
  public func entry(
    for record: [UInt8], now: Date, policy: RulePolicy, _ amendments: Amendments
  ) throws(Refusal) -> Entry {
    guard let event = try? TrackedEvent(json: record) else { throw Refusal("no line of JSON") }
    return try entry(for: event, now: now, policy: policy, amendments)
  }

  /// What a collector sends of an event that was read of its queue.
  func entry(
    for event: TrackedEvent, now: Date, policy: RulePolicy, _ amendments: Amendments
  ) throws(Refusal) -> Entry {
    let (entry, problems) = inspected(event, now, policy)
    guard let entry else {
      let cause = problems.first { $0.effect == .refused }
      throw Refusal(
        field: cause.map(\.fieldOfAny),
        cause.map { "expected \($0.demand)" } ?? "it has no form there")
    }
    amendments.note(problems)
    return entry
  }

  /// What is sent of the event, if it is, and what is wrong with it.
  func inspected(
    _ event: TrackedEvent, _ now: Date, _ policy: RulePolicy
  ) -> (entry: Entry?, problems: [EventProblem]) {
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
  /// The same where nothing is changed: what would be is refused.
  fileprivate var strict: EventProblem {
    switch effect {
    case .leftOut, .changed: refused
    case .refused, .moved, .kept: self
    }
  }

  /// The same where the event is not sent for it.
  fileprivate var refused: EventProblem {
    EventProblem(
      event: event, id: id, field: field, rule: rule, demand: demand, found: found,
      advice: advice, effect: .refused)
  }
}

extension Date {
  /// The nearest time of the years 1 to 9999: what is beyond has no text, and no whole number.
  fileprivate var nearestReadable: Date {
    let first = Date(timeIntervalSinceReferenceDate: -63_113_904_000)
    let last = Date(timeIntervalSinceReferenceDate: 252_423_993_599)
    // NaN is not greater than anything.
    return self > first ? min(self, last) : first
  }
}
