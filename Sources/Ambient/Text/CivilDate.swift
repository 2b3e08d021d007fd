// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// A date of the proleptic Gregorian calendar and its number of days since 1970-01-01.
///
/// The arithmetic relies on two facts: the calendar repeats every 146,097 days (400 years), and a
/// year that starts in March has its leap day last.
package struct CivilDate: Hashable, Sendable {
  package let year: Int
  package let month: Int
  package let day: Int

  package init(year: Int, month: Int, day: Int) {
    self.year = year
    self.month = month
    self.day = day
  }

  package init(daysSince1970 days: Int) {
    let shifted = days + 719_468  // days since 0000-03-01
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
    month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  package var daysSince1970: Int {
    let marchYear = month <= 2 ? year - 1 : year
    let era = (marchYear >= 0 ? marchYear : marchYear - 399) / 400
    let yearOfEra = marchYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  package static func daysIn(month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

/// The year, month and day of a day that is counted from 0001-01-01. The last result is cached,
/// because successive lines of a log mostly have the same day.
///
/// The cache is one atomic word, so that threads share it without a lock. The upper half is the
/// number of the day; the lower half is the year, month and day.
struct CivilDay {
  private let word: UInt64

  /// The day that was computed last; initially day zero, 0001-01-01. The initial value is a
  /// literal, so that a read needs no initialization.
  private static let latest = Atomic<UInt64>(0x0001_0101)

  /// Returns the day that is `number` days after 0001-01-01. The day must not be after 9999-12-31.
  @inline(__always)
  static func known(number: UInt) -> CivilDay {
    let latest = CivilDay(word: latest.load(ordering: .relaxed))
    if latest.word >> 32 == number { return latest }
    return compute(number)
  }

  @inline(never)
  private static func compute(_ number: UInt) -> CivilDay {
    let day = CivilDay(computed: number)
    latest.store(day.word, ordering: .relaxed)
    return day
  }

  private init(word: UInt64) { self.word = word }

  private init(computed number: UInt) {
    // 719,162 days lie between 0001-01-01 and 1970-01-01.
    let civil = CivilDate(daysSince1970: Int(number) - 719_162)
    word =
      UInt64(number) << 32 | UInt64(civil.year) << 16 | UInt64(civil.month) << 8
      | UInt64(civil.day)
  }

  var year: UInt { UInt(truncatingIfNeeded: word >> 16 & 0xFFFF) }

  var month: UInt { UInt(truncatingIfNeeded: word >> 8 & 0xFF) }

  var day: UInt { UInt(truncatingIfNeeded: word & 0xFF) }
}
