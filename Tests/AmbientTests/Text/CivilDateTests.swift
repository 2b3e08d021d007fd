// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Ambient

@Suite struct `Civil dates` {
  @Test(arguments: [
    -801, -800, -799, -401, -400, -399, -1, 0, 1, 4, 99, 100, 101, 399, 400, 401, 1600, 1900, 1999,
    2000, 2001, 2024, 2100, 9999,
  ])
  func `consecutive civil dates have consecutive day numbers in every year`(year: Int) {
    var number = CivilDate(year: year, month: 1, day: 1).daysSince1970
    var wrong: [CivilDate] = []
    for month in 1...12 {
      for day in 1...CivilDate.daysIn(month: month, of: year) {
        let date = CivilDate(year: year, month: month, day: day)
        if date.daysSince1970 != number || CivilDate(daysSince1970: number) != date {
          wrong.append(date)
        }
        number += 1
      }
    }
    #expect(wrong == [])
    #expect(CivilDate(year: year + 1, month: 1, day: 1).daysSince1970 == number)
  }

  @Test(arguments: [
    (1970, 1, 1, 0), (1969, 12, 31, -1), (2000, 2, 29, 11_016), (2000, 3, 1, 11_017),
    (9999, 12, 31, 2_932_896), (1, 1, 1, -719_162), (0, 3, 1, -719_468), (0, 2, 29, -719_469),
    (-400, 3, 1, -865_565),
  ])
  func `a civil date's day number counts days since 1970`(
    year: Int, month: Int, day: Int, number: Int
  ) {
    let date = CivilDate(year: year, month: month, day: day)
    #expect(date.daysSince1970 == number)
    #expect(CivilDate(daysSince1970: number) == date)
  }

  @Test(arguments: [(2023, 28), (2024, 29), (1900, 28), (2000, 29), (0, 29)])
  func `each month has the right number of days, also in leap years`(year: Int, february: Int) {
    #expect(
      (1...12).map { CivilDate.daysIn(month: $0, of: year) } == [
        31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31,
      ])
  }
}
