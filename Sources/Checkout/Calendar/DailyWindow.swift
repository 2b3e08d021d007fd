// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A window that opens every day, for example a happy hour; its bounds are wall times in a zone.
///
/// The window is half-open. A bound that the clocks skip moves forward by the length of the gap. If
/// the clocks show a bound twice, the window opens or closes the first time. A window from the
/// start to the end of a repeated hour thus contains that hour both times. A window whose end is
/// before its start lasts past midnight.
public struct DailyWindow: Hashable, Sendable, Decodable {
  /// The time at which the window opens.
  public let from: LocalTime
  /// The time at which the window closes.
  public let to: LocalTime

  /// Creates the window between two times of day.
  ///
  /// - Parameters:
  ///   - from: The first time in the window.
  ///   - to: The first time after the window; if it is before `from`, the window closes on the next
  ///     day.
  /// - Throws: ``CalendarError/emptyHours(_:)`` if both times are the same, or 24:00 and 00:00.
  public init(from: LocalTime, to: LocalTime) throws(CalendarError) {
    guard !from.isEmptyWindow(to: to) else { throw .emptyHours(from) }
    self.from = from
    self.to = to
  }

  /// Whether the instant is in the window that opens on the instant's local date, or in the window
  /// that opens on the day before.
  ///
  /// - Parameters:
  ///   - instant: The instant in question.
  ///   - zone: The zone whose wall clock opens and closes the window.
  public func contains(_ instant: Date, in zone: Zone) -> Bool {
    let today = zone.date(of: instant)
    if from < to { return opens(on: today, closes: today, zone, instant) }
    let yesterday = today.adding(days: -1)
    return opens(on: yesterday, closes: today, zone, instant)
      || opens(on: today, closes: today.adding(days: 1), zone, instant)
  }

  private func opens(
    on first: LocalDate, closes last: LocalDate, _ zone: Zone, _ instant: Date
  ) -> Bool {
    instant >= zone.instant(of: LocalDateTime(first, from))
      && instant < zone.instant(of: LocalDateTime(last, to))
  }

  private enum CodingKeys: String, CodingKey, CaseIterable { case from, to }

  /// Reads the two times.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.fields(CodingKeys.self)
    let from = try fields.decode(LocalTime.self, forKey: .from)
    let to = try fields.decode(LocalTime.self, forKey: .to)
    do throws(CalendarError) { try self.init(from: from, to: to) } catch {
      throw decoder.fault(error)
    }
  }
}
