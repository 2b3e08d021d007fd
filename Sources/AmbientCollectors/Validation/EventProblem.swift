// SPDX-License-Identifier: Apache-2.0

public import Ambient
public import Foundation

/// A violation of a destination's rule by an event.
public struct EventProblem: Hashable, Sendable, CustomStringConvertible {
  /// The effect of a problem on the event or field.
  @nonexhaustive
  public enum Effect: Hashable, Sendable, CustomStringConvertible {
    /// The event is not sent.
    case refused
    /// The field is not sent.
    case leftOut
    /// The destination gets a changed name or value, which `to` shows or describes.
    case changed(to: String)
    /// The event is sent with this time instead of its own.
    case moved(to: Date)
    /// Nothing is changed, but the destination may ignore the field, or count or use the event
    /// otherwise.
    case kept

    /// The effect in words.
    public var description: String {
      switch self {
      case .refused: "the event is not sent"
      case .leftOut: "left out"
      case .changed(let text): "sent as \(text)"
      case .moved(let date): "sent as \(date.iso8601())"
      case .kept: "sent unchanged"
      }
    }
  }

  /// The name of the event, as it was tracked.
  public let event: String
  /// The event's identity.
  public let id: TrackedEvent.ID
  /// The path of the field, such as `properties.items[2].price`, with the names that the
  /// destination's ``EventMapping``, if it has one, gives.
  ///
  /// `event` means the event's name or the whole event, `time` its date.
  public let field: String
  /// The rule that the event breaks.
  public let rule: EventRule
  /// The rule's demand, such as `at most 100 characters`.
  public let demand: String
  /// The shortened value, or a description of it, such as its size.
  public let found: String
  /// A correction, such as of the tracked event or the collector's settings, or a consequence of
  /// the problem.
  public let advice: String
  /// The effect on the event or field.
  public let effect: Effect

  /// The event, the field, the demand, the value, the effect and the advice.
  public var description: String {
    words(", found \(found)", "\(effect)")
  }

  /// The description without the value, unless the value is a name: reports of a running program
  /// show names, but no other values, which may be personal data.
  var withoutValues: String {
    if rule.id.hasPrefix("name-") { return description }
    let effect =
      if case .changed = self.effect { "sent with a changed value" } else { "\(self.effect)" }
    return words("", effect)
  }

  private func words(_ found: String, _ effect: String) -> String {
    "\(Self.shown(event)), \(shownField): expected \(demand)\(found); \(effect); \(advice)"
  }

  /// The rule, the event and the field of the problem, as a text of bounded length. Problems of one
  /// kind are reported once. For the field `time`, the event's name is left out, because a wrong
  /// clock concerns events of all names.
  var kind: String {
    field == "time" ? "\(rule.id) time" : "\(rule.id) \(Self.shown(event)) \(fieldOfAny)"
  }

  /// The field's path with `[]` in place of an item's number, so that the same problem of several
  /// items counts as one.
  var fieldOfAny: String { shownField.replacing(/\[[0-9]+\]/, with: "[]") }

  /// The field's path, escaped and shortened for reports: a name may contain any characters.
  var shownField: String { Self.shown(field, atMost: 100) }

  /// The beginning of a text, escaped as in a log. It is in quotation marks if `quoted` is true or
  /// the text is empty.
  static func shown(_ text: String, quoted: Bool = false, atMost longest: Int = 48) -> String {
    let start = String(text.unicodeScalars.prefix(longest))
    let isCut = text.unicodeScalars.dropFirst(longest).first != nil
    let result = start.escaped + (isCut ? "…" : "")
    return quoted || result.isEmpty ? "“\(result)”" : result
  }
}
