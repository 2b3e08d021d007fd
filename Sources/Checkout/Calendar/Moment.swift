// SPDX-License-Identifier: Apache-2.0

internal import Ambient
public import Foundation

/// A point in time, such as the start or the end of a promotion, in a form that people write: a
/// date, a local time, or an instant.
public enum Moment: Hashable, Sendable, CustomStringConvertible {
  /// The first instant of a date in the shop's zone: `2026-11-27`.
  case day(LocalDate)
  /// A local time in the shop's zone: `2026-11-27T09:30`.
  case local(LocalDateTime)
  /// An instant: `2026-11-27T09:30:00-05:00`.
  case instant(Date)

  /// Creates a moment from any of the three text forms.
  ///
  /// - Parameter text: A date, a date with a time, or an instant with its offset.
  /// - Throws: ``CalendarError/impossibleMoment(_:)`` if the text has none of these forms, or if
  ///   there is no such day or time.
  public init(_ text: String) throws(CalendarError) {
    do {
      let parts = text.split(separator: "T", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count < 2 {
        self = .day(try LocalDate(text))
      } else if parts[1].contains(where: { "Zz+-".contains($0) }) {
        self = .instant(try Date(iso8601: text))
      } else {
        self = .local(try LocalDateTime(text))
      }
    } catch {
      throw .impossibleMoment(text)
    }
  }

  /// The instant that this moment denotes in that zone.
  ///
  /// - Parameter zone: The zone of the shop; it has no effect on a moment that is an instant.
  public func instant(in zone: Zone) -> Date {
    switch self {
    case .day(let day): zone.firstInstant(of: day)
    case .local(let local): zone.instant(of: local)
    case .instant(let date): date
    }
  }

  /// The moment as text; reading the text gives the same moment, to the millisecond.
  public var description: String {
    switch self {
    case .day(let day): day.description
    case .local(let local): local.description
    case .instant(let date): date.iso8601()
    }
  }
}

extension Moment: Decodable {
  /// Decodes a moment from any of the three text forms.
  public init(from decoder: any Decoder) throws {
    self = try decoder.value { (text: String) throws(CalendarError) in try Moment(text) }
  }
}
