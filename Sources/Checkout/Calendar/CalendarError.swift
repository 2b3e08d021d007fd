// SPDX-License-Identifier: Apache-2.0

public import Ambient
public import Foundation

/// The error for an invalid date, time, zone, window, calendar or number.
public enum CalendarError: DescribedError, Hashable {
  /// A text that isn't a date of the calendar.
  case impossibleDate(String)
  /// A text that isn't a time of day.
  case impossibleTime(String)
  /// A text that is neither a date, nor a local date and time, nor an instant.
  case impossibleMoment(String)
  /// A text that names no time zone.
  case unknownZone(String)
  /// A window whose end comes before its start.
  case endsBeforeItStarts(start: Date, end: Date)
  /// A window that ends at the instant at which it starts.
  case emptyWindow(Date)
  /// A last day that comes before the first.
  case lastDayBeforeFirst(first: LocalDate, last: LocalDate)
  /// Daily hours whose bounds are equal.
  case emptyHours(LocalTime)
  /// A week without a business day, in which no order could ever be shipped.
  case noBusinessDay
  /// A number outside its allowed range.
  case outOfRange(Int, ClosedRange<Int>)

  /// The fault, and advice.
  public var description: String { text.escaped }

  private var text: String {
    switch self {
    case .impossibleDate(let text): "“\(text)” is not a date; use one such as 2026-11-27"
    case .impossibleTime(let text): "“\(text)” is not a time of day; use one such as 09:30"
    case .impossibleMoment(let text):
      """
      “\(text)” is not a moment; use a date (2026-11-27), a local time (2026-11-27T09:30) or an \
      instant (2026-11-27T09:30:00-05:00)
      """
    case .unknownZone(let text): "“\(text)” is not a time zone; use one such as America/New_York"
    case .endsBeforeItStarts(let start, let end):
      "the window ends (\(end.iso8601(fractionDigits: 0))) before it starts (\(start.iso8601(fractionDigits: 0))); swap the bounds"
    case .emptyWindow(let instant):
      "the window ends when it starts (\(instant.iso8601(fractionDigits: 0))), so it is empty; use a later end"
    case .lastDayBeforeFirst(let first, let last):
      "the last day (\(last)) comes before the first (\(first)); swap the days"
    case .emptyHours(let time):
      "hours from \(time) to \(time) are empty; use 00:00 to 24:00 for the whole day"
    case .noBusinessDay: "every day of the week is a day off; remove one"
    case .outOfRange(let number, let range):
      "\(number) is out of range; use \(range.lowerBound) to \(range.upperBound)"
    }
  }
}
