// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A half-open interval of time, which includes its start and excludes its end.
public struct Window: Hashable, Sendable {
  /// The first instant in the window, or nil if the window has no start.
  public let start: Date?
  /// The first instant after the window, or nil if the window has no end.
  public let end: Date?

  /// Creates the window from `start` up to `end`.
  ///
  /// - Parameters:
  ///   - start: The first instant in the window; nil for no start.
  ///   - end: The first instant after the window; nil for no end.
  /// - Throws: ``CalendarError/endsBeforeItStarts(start:end:)`` or
  ///   ``CalendarError/emptyWindow(_:)``.
  public init(start: Date? = nil, end: Date? = nil) throws(CalendarError) {
    if let start, let end {
      guard end >= start else { throw .endsBeforeItStarts(start: start, end: end) }
      guard end > start else { throw .emptyWindow(start) }
    }
    self.start = start
    self.end = end
  }

  /// Creates the window of whole local days from `firstDay` through `lastDay` in the time zone
  /// `zone`.
  ///
  /// - Parameters:
  ///   - firstDay: The first local date in the window; nil for no start.
  ///   - lastDay: The last local date in the window; nil for no end.
  ///   - zone: The zone of these dates.
  /// - Throws: ``CalendarError/lastDayBeforeFirst(first:last:)``.
  public init(
    firstDay: LocalDate? = nil, lastDay: LocalDate? = nil, in zone: Zone
  ) throws(CalendarError) {
    if let firstDay, let lastDay, lastDay < firstDay {
      throw .lastDayBeforeFirst(first: firstDay, last: lastDay)
    }
    try self.init(
      start: firstDay.map(zone.firstInstant),
      end: lastDay.map { zone.firstInstant(of: $0.adding(days: 1)) })
  }

  /// Whether the instant is in the window.
  ///
  /// - Parameter instant: The instant in question.
  public func contains(_ instant: Date) -> Bool {
    if let start, instant < start { return false }
    if let end, instant >= end { return false }
    return true
  }
}
