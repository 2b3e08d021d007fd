// SPDX-License-Identifier: Apache-2.0

internal import AmbientSystem

/// The day or hour, in a time zone, that a log's file belongs to.
struct RotationPeriod: Hashable {
  let unit: FileRotation.Period
  /// The time at which the period begins, in seconds since 1970: by the local clock for a day, and
  /// in UTC for an hour. A later period of the same unit has a greater number.
  let number: Int
  /// The period as written in file names: `2026-11-26` for a day, `2026-11-26T13` for an hour.
  let name: String

  /// Two days, in seconds. If the clock shows a time at most two days before the file's period, the
  /// rotation waits until the clock has passed the end of that period. If the clock shows a still
  /// earlier time, it is wrong now, or was wrong when the period began. A rotation that waited for
  /// the end of the period might then never happen, so it waits only until the clock has advanced
  /// from one period to the next.
  static let patience = 2 * 86_400

  /// Whether a file of this period must be rotated: the period `number`, which the clock shows, is
  /// later than this period.
  ///
  /// The result is false while a clock that was set back shows a time before this period.
  func ends(before number: Int) -> Bool { number > self.number }

  /// Whether this period is so much later than the period `number`, which the clock shows, that the
  /// clock is wrong now, or was wrong when this period began.
  func isImplausible(at number: Int) -> Bool { self.number - number > Self.patience }
}

/// The calendar that divides time into periods.
struct RotationCalendar {
  let unit: FileRotation.Period
  private let offset: ZoneOffset

  init(_ unit: FileRotation.Period, _ zone: LogZone) {
    self.unit = unit
    offset = ZoneOffset(zone)
  }

  /// The number of the period in which the date lies.
  ///
  /// All times of a date have the same number, even if the date has 23 or 25 hours. An hour's
  /// number is the time at which the hour began. If a clock that is set back in autumn shows the
  /// same hour twice, the two hours therefore have different numbers.
  func number(at date: Date) -> Int {
    let (second, ahead) = parts(of: date)
    switch unit {
    case .day: return (second + ahead).floored(to: 86_400)
    case .hour: return (second + ahead).floored(to: 3_600) - ahead
    }
  }

  func period(at date: Date) -> RotationPeriod {
    let (second, ahead) = parts(of: date)
    let text = LineBuffer.with { line in
      line.append(date: Date(timeIntervalSince1970: Double(second + ahead)))
      return line.text
    }
    let name = text.prefix(unit == .hour ? 13 : 10)
    return RotationPeriod(unit: unit, number: number(at: date), name: String(name))
  }

  private func parts(of date: Date) -> (second: Int, ahead: Int) {
    // The date is clamped to the years 5 to 9987, because a name has four digits for the year. A
    // date of NaN fails the comparison, and counts as the year 5.
    let since = date.timeIntervalSince1970
    let second = since > -62_000_000_000 ? min(since, 253_000_000_000) : -62_000_000_000
    return (Int(second.rounded(.down)), offset.seconds(at: date))
  }
}

extension Int {
  fileprivate func floored(to unit: Int) -> Int {
    let rest = self % unit
    return self - (rest < 0 ? rest + unit : rest)
  }
}
