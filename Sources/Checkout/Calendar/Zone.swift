// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The time zone of a shop, which converts instants to the shop's local time and back.
public struct Zone: Hashable, Sendable, CustomStringConvertible {
  /// Coordinated universal time.
  public static let utc = Zone(.gmt)

  /// The Foundation time zone behind this zone.
  public let timeZone: TimeZone

  /// Creates a zone from a Foundation time zone.
  ///
  /// - Parameter timeZone: The Foundation time zone, with its history of offsets.
  public init(_ timeZone: TimeZone) { self.timeZone = timeZone }

  /// Creates the zone of that name, such as `America/New_York`.
  ///
  /// - Parameter identifier: The name in the system's zone data; whether case matters depends on
  ///   the system.
  /// - Throws: ``CalendarError/unknownZone(_:)`` if the system has no zone of that name.
  public init(_ identifier: String) throws(CalendarError) {
    guard let timeZone = TimeZone(identifier: identifier) else { throw .unknownZone(identifier) }
    self.timeZone = timeZone
  }

  /// The name of the zone.
  public var description: String { timeZone.identifier }

  /// The local time at that instant, in whole seconds.
  ///
  /// - Parameter instant: The instant; a fraction of a second is cut off.
  /// - Returns: The date and the time that a wall clock in the zone shows.
  public func local(_ instant: Date) -> LocalDateTime {
    // The number of seconds is clamped, because `Int` would trap on a huge value; the years 1 to
    // 9999 lie well within the limits. The lower limit is the first argument of `max`, because
    // `max` returns its first argument if the second is NaN.
    let utc = Int(min(max(-1e12, instant.timeIntervalSince1970.rounded(.down)), 1e12))
    let seconds = utc + offset(at: utc)
    let days = (seconds >= 0 ? seconds : seconds - 86_399) / 86_400
    return LocalDateTime(
      LocalDate(daysSince1970: days), LocalTime(secondOfDay: seconds - days * 86_400))
  }

  /// The local date at that instant.
  ///
  /// - Parameter instant: The instant.
  /// - Returns: The date in the zone at that instant.
  public func date(of instant: Date) -> LocalDate { local(instant).date }

  /// The instant at which a wall clock in the zone shows that date and time.
  ///
  /// A time that the clocks skip is moved forward by the length of the gap; for a time that they
  /// repeat, the result is the first occurrence.
  ///
  /// - Parameter local: The date and the time; 24:00 is midnight of the next date.
  public func instant(of local: LocalDateTime) -> Date {
    switch search(local) {
    case .found(let seconds): date(seconds)
    case .gap(_, let after): date(after)
    }
  }

  /// The first instant of that date: midnight, or later if the clocks skip midnight.
  ///
  /// - Parameter day: The local date.
  public func firstInstant(of day: LocalDate) -> Date {
    switch search(LocalDateTime(day, .midnight)) {
    case .found(let seconds): return date(seconds)
    case .gap(var low, var high):
      // Binary search for the first instant that has the new offset. This instant is after `low`,
      // and at most `high`.
      let before = offset(at: low)
      while high - low > 1 {
        let middle = low + (high - low) / 2
        if offset(at: middle) == before { low = middle } else { high = middle }
      }
      return date(high)
    }
  }

  private enum Search {
    case found(Int)
    case gap(Int, Int)
  }

  /// Tries the zone's offset a day before the wall time, then its offset a day after the wall time.
  /// If neither yields the wall time, the clocks skip that time: `gap` then holds an instant before
  /// the change of the offset and an instant after the change.
  private func search(_ local: LocalDateTime) -> Search {
    let wall = local.secondsAsUTC
    let early = wall - offset(at: wall - 86_400)
    let late = wall - offset(at: wall + 86_400)
    if early + offset(at: early) == wall { return .found(early) }
    if late + offset(at: late) == wall { return .found(late) }
    return .gap(late, early)
  }

  private func offset(at seconds: Int) -> Int { timeZone.secondsFromGMT(for: date(seconds)) }

  private func date(_ seconds: Int) -> Date { Date(timeIntervalSince1970: Double(seconds)) }
}

extension Zone: Codable {
  /// Reads the name of a zone.
  public init(from decoder: any Decoder) throws {
    self = try decoder.value { (text: String) throws(CalendarError) in try Zone(text) }
  }

  /// Writes the name of the zone.
  public func encode(to encoder: any Encoder) throws { try encoder.encode(text: description) }
}
