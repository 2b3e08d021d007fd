// SPDX-License-Identifier: Apache-2.0

package import Ambient
internal import Foundation

/// The problems found while one event is written for a destination.
package struct EventInspection: Sendable {
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
  package mutating func note(
    _ rule: EventRule, at field: String, needs demand: String, found: String,
    _ effect: EventProblem.Effect, _ advice: String
  ) {
    problems.append(
      EventProblem(
        event: event.event.name, id: event.id, field: field, rule: rule, demand: demand,
        found: found, advice: advice, effect: effect))
  }
}

/// The checks of whole events that several collectors share.
extension EventInspection {
  /// Returns the value called `name`, with its path. The value is the event's property or, if there
  /// is none, the user's trait.
  static func own(
    _ name: String, _ event: Event, _ user: AnalyticsUser?
  ) -> (AmbientValue, path: String)? {
    if let value = event.properties[name] { return (value, "properties.\(name)") }
    return user?.traits[name].map { ($0, "user.traits.\(name)") }
  }

  /// Returns the event's time. If the time is in the future, adds a problem and returns `now`.
  mutating func settleTime(of date: Date, now: Date) -> Date {
    guard date > now else { return date }
    note(
      .inFuture, at: "time", needs: "a time before the sending at \(now.iso8601())",
      found: date.iso8601(), .moved(to: now),
      "check whether the clock was set back, or the time is from another clock")
    return now
  }

  /// Returns whether there is a name. If the name is empty, adds a problem.
  mutating func isNamed(_ name: String, at path: String) -> Bool {
    guard name.isEmpty else { return true }
    note(.nameMalformed, at: path, needs: "a name", found: "none", .leftOut, "give it a name")
    return false
  }

  /// Returns true if the name is free. If another field has the name (`isTaken`), adds a problem
  /// and returns false.
  mutating func isFree(_ name: String, unless isTaken: Bool, at path: String) -> Bool {
    guard isTaken else { return true }
    note(
      .nameTaken, at: path, needs: "a unique name",
      found: "a second \(EventProblem.shown(name, quoted: true))", .leftOut, "rename one of them")
    return false
  }

  /// Returns the user's id. If the id is empty or too long, adds a problem and returns nil. The id
  /// is never cut, since its beginning could be the id of another user.
  mutating func settleUser(_ id: String, atMost longest: Int) -> String? {
    guard !id.isEmpty else {
      note(
        .identityMalformed, at: "user.id", needs: "a text", found: "none", .leftOut,
        "identify users by a non-empty id")
      return nil
    }
    guard id.unicodeScalars.count > longest else { return id }
    note(
      .textTooLong, at: "user.id", needs: "at most \(longest) characters",
      found: "\(id.unicodeScalars.count)", .leftOut, "use shorter user ids")
    return nil
  }

  /// Returns whether the event alone fits into a request. If the event is too large, adds a problem
  /// whose effect is `refused`.
  mutating func isSmallEnough(_ size: Int, below limit: Int) -> Bool {
    guard size >= limit else { return true }
    note(
      .tooLarge, at: "event", needs: "fewer than \(limit) bytes", found: "\(size)", .refused,
      "track fewer properties or items")
    return false
  }
}
