// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientTesting
import Checkout
import Foundation
import TestSupport
import Testing

/// Each rule of time beside a slow and obvious statement of it, at random instants and zones.
@Suite struct `Time rules at random instants` {
  /// Compares what a rule says with what the wall says, in a frozen time; a rule that has nothing
  /// to say of what was drawn returns nil, and is drawn once more.
  private func compare(
    _ seed: Int, _ rule: (Wall, Zone, Date, inout SeededNumbers) throws -> Bool?
  ) throws {
    let zones = try Wall.all.map { try Zone($0.identifier) }
    var numbers = SeededNumbers(seed)
    var judged = 0
    while judged < TestRun.rounds(1_500, all: 10_000) {
      let index = Int.random(in: 0..<zones.count, using: &numbers)
      let (wall, zone) = (Wall.all[index], zones[index])
      let now = wall.instant(&numbers)
      let isRight = try Time.freeze(at: now) { try rule(wall, zone, now, &numbers) }
      if isRight != nil { judged += 1 }
      guard isRight != false else {
        Issue.record("\(now.iso8601()) in \(wall.identifier)")
        return
      }
    }
  }

  private func prices(
    _ zone: Zone, promotions: [Promotion] = [], coupons: [Coupon] = []
  ) throws -> PriceList {
    try PriceList(
      catalogue: Catalogue([]), promotions: promotions, coupons: coupons,
      tax: TaxSchedule(rates: []), zone: zone)
  }

  private func clock(_ minutes: Int) throws -> LocalTime {
    try LocalTime(String(format: "%02d:%02d", minutes / 60, minutes % 60))
  }

  @Test func `a promotion between two days applies from the first and ends as the second begins`()
    throws
  {
    let ten = Discount.percentage(try Percentage(10))
    try compare(1) { wall, zone, now, numbers in
      let today = wall.day(now)
      let start = Wall.day(.random(in: -3...3, using: &numbers), after: today)
      let end = Wall.day(.random(in: 1...4, using: &numbers), after: start)
      // A day that the zone has skipped is empty.
      let (begin, finish) = (wall.instant(start, 0), wall.instant(end, 0))
      guard begin < finish else { return nil }
      let promotion = Promotion(
        name: "x", discount: ten, start: .day(try LocalDate(start)), end: .day(try LocalDate(end)))
      let isOn = try !prices(zone, promotions: [promotion]).currentPromotions.isEmpty
      guard isOn == (begin <= now && now < finish) else { return false }
      return wall.hasShownTomorrow(now) || isOn == (start <= today && today < end)
    }
  }

  @Test func `a promotion between two local times applies from the first and ends at the second`()
    throws
  {
    let ten = Discount.percentage(try Percentage(10))
    try compare(11) { wall, zone, now, numbers in
      let today = wall.day(now)
      let near = wall.time(now) / 60_000
      let from = min(max(0, near + Int.random(in: -90...90, using: &numbers)), 1_439)
      let last = Wall.day(.random(in: 0...2, using: &numbers), after: today)
      let to = Int.random(in: 0..<1_440, using: &numbers)
      let (begin, finish) = (wall.instant(today, from), wall.instant(last, to))
      guard begin < finish else { return nil }
      let promotion = Promotion(
        name: "x", discount: ten,
        start: .local(LocalDateTime(try LocalDate(today), try clock(from))),
        end: .local(LocalDateTime(try LocalDate(last), try clock(to))))
      let isOn = try !prices(zone, promotions: [promotion]).currentPromotions.isEmpty
      return isOn == (begin <= now && now < finish)
    }
  }

  @Test func `a promotion between two instants applies from the first and ends at the second`()
    throws
  {
    let ten = Discount.percentage(try Percentage(10))
    try compare(2) { _, zone, now, numbers in
      let begun = Int.random(in: -5...5, using: &numbers)
      let left = Int.random(in: max(-begun + 1, -5)...12, using: &numbers)
      let promotion = Promotion(
        name: "x", discount: ten,
        start: .instant(now.addingTimeInterval(-Double(begun))),
        end: .instant(now.addingTimeInterval(Double(left))))
      let isOn = try !prices(zone, promotions: [promotion]).currentPromotions.isEmpty
      return isOn == (begun >= 0 && left > 0)
    }
  }

  @Test func `a coupon is valid to the end of its last day`() throws {
    let ten = Discount.percentage(try Percentage(10))
    try compare(3) { wall, zone, now, numbers in
      let today = wall.day(now)
      let first = Wall.day(.random(in: -3...3, using: &numbers), after: today)
      let last = Wall.day(.random(in: 0...3, using: &numbers), after: first)
      let (begin, finish) = (wall.instant(first, 0), wall.instant(Wall.day(1, after: last), 0))
      guard begin < finish else { return nil }
      let coupon = Coupon(
        code: "X", discount: ten, firstDay: try LocalDate(first), lastDay: try LocalDate(last))
      let isValid = (try? prices(zone, coupons: [coupon]).coupon("X")) != nil
      guard isValid == (begin <= now && now < finish) else { return false }
      return wall.hasShownTomorrow(now) || isValid == (first <= today && today <= last)
    }
  }

  @Test func `opening hours and daily windows follow the wall clock`() throws {
    try compare(4) { wall, zone, now, numbers in
      let shown = wall.time(now)
      // Near what is shown, so that bounds are met.
      let from = (shown / 60_000 + Int.random(in: -3...3, using: &numbers) + 1_440) % 1_440
      let to = Int.random(in: 0..<1_440, using: &numbers)
      guard from != to else { return nil }
      let (start, end) = (from * 60_000, to * 60_000)
      let isIn =
        start < end ? start <= shown && shown < end : start <= shown || shown < end
      let daily = try DailyWindow(from: clock(from), to: clock(to)).contains(now, in: zone)
      let open = try OpeningHours(open: clock(from), close: clock(to)).contains(now, in: zone)
      // A daily window lies between two instants, so that a doubled hour makes it longer.
      let today = wall.day(now)
      func lies(from first: String, to last: String) -> Bool {
        wall.instant(first, from) <= now && now < wall.instant(last, to)
      }
      let isBetween =
        from < to
        ? lies(from: today, to: today)
        : lies(from: Wall.day(-1, after: today), to: today)
          || lies(from: today, to: Wall.day(1, after: today))
      return open == isIn && daily == isBetween && (daily == isIn || wall.changes(near: now))
    }
  }

  @Test func `ship dates, delivery dates and the end of withdrawal periods fall on business days`()
    throws
  {
    try compare(5) { wall, zone, now, numbers in
      let today = wall.day(now)
      let cutoff =
        (wall.time(now) / 60_000 + Int.random(in: -3...3, using: &numbers) + 1_440) % 1_440
      let holidays = (0..<3).map { _ in
        Wall.day(.random(in: 0...20, using: &numbers), after: today)
      }
      func isOpen(_ day: String) -> Bool { !Wall.isWeekend(day) && !holidays.contains(day) }
      func next(_ day: String, _ count: Int) -> String {
        var (day, left) = (day, count)
        while left > 0 {
          day = Wall.day(1, after: day)
          if isOpen(day) { left -= 1 }
        }
        return day
      }
      func onOrAfter(_ day: String) -> String { isOpen(day) ? day : next(day, 1) }
      let calendar = try BusinessCalendar(holidays: Set(holidays.map { try LocalDate($0) }))
      let right = try WithdrawalRight(calendar: calendar, zone: zone)
      let delivered = Wall.day(-Int.random(in: 10...20, using: &numbers), after: today)
      let last = onOrAfter(Wall.day(14, after: delivered))
      guard try right.isOpen(delivered: LocalDate(delivered), at: now) == (today <= last) else {
        return false
      }
      let isInTime = isOpen(today) && now < wall.instant(today, cutoff)
      let ships = isInTime ? today : isOpen(today) ? next(today, 1) : onOrAfter(today)
      let (processing, low) = (
        Int.random(in: 0...3, using: &numbers), Int.random(in: 0...3, using: &numbers)
      )
      let shipping = ShippingCalendar(cutoff: try clock(cutoff), calendar: calendar, zone: zone)
      let dates = try Delivery(
        shipping: shipping, processingDays: processing, transitDays: low...(low + 2)
      ).dates(of: now)
      let handOver = next(ships, processing)
      return "\(shipping.shipDate(of: now))" == ships
        && "\(dates.first)" == next(handOver, low) && "\(dates.last)" == next(handOver, low + 2)
    }
  }

  @Test func `of all tax rates that have started, the latest applies`() throws {
    try compare(6) { wall, zone, now, numbers in
      let today = wall.day(now)
      let days = Set(
        (0..<4).map { _ in Wall.day(.random(in: -5...5, using: &numbers), after: today) }
      )
      .sorted()
      let schedule = try TaxSchedule(
        rates: try days.enumerated().map {
          TaxSchedule.Rate(
            from: try LocalDate($0.element), percent: try Percentage(Decimal($0.offset)))
        })
      let expected = days.lastIndex { $0 <= today }.map { Decimal($0) }
      return schedule.rate(on: zone.date(of: now))?.percent == expected
    }
  }

  @Test func `an age limit admits a buyer from the day of the required birthday on`() throws {
    try compare(7) { wall, zone, now, numbers in
      let today = wall.day(now)
      let years = Int.random(in: 0...60, using: &numbers)
      let parts = today.split(separator: "-").compactMap { Int($0) }
      // Born about so many years ago, and every third time on 29 February.
      var born = Wall.day(
        .random(in: -2...2, using: &numbers), after: Wall.text(parts[0] - years, parts[1], 1))
      if Int.random(in: 0..<3, using: &numbers) == 0 {
        born = Wall.text((parts[0] - years) / 4 * 4, 2, 29)
      }
      guard let day = try? LocalDate(born) else { return nil }
      let birth = born.split(separator: "-").compactMap { Int($0) }
      // A 29 February that a year has not comes before its 1 March, and after all others.
      let birthday = Wall.text(birth[0] + years, birth[1], birth[2])
      let last = Wall.daysInMonth(birth[0] + years, birth[1])
      let early = Wall.text(birth[0] + years, birth[1], min(birth[2], last))
      return try AgeLimit(years: years).admits(born: day, in: zone) == (birthday <= today)
        && AgeLimit(years: years, leapDay: .lastOfFebruary).admits(born: day, in: zone)
          == (early <= today)
    }
  }

  @Test func `a subscription is billed on its start date's day, or on a shorter month's last day`()
    throws
  {
    try compare(8) { wall, _, now, numbers in
      let anchor = wall.day(now)
      let step = Int.random(in: 1...13, using: &numbers)
      let parts = anchor.split(separator: "-").compactMap { Int($0) }
      let expected = (1...12).map { number in
        let months = parts[1] - 1 + number * step
        let (year, month) = (parts[0] + months / 12, months % 12 + 1)
        return Wall.text(year, month, min(parts[2], Wall.daysInMonth(year, month)))
      }
      let dates = try BillingSchedule(anchor: LocalDate(anchor), stepMonths: step).dates(12)
      return dates.map(\.description) == expected
    }
  }

  @Test func `a FiscalDay has the local date and its ISO week`() throws {
    try compare(9) { wall, zone, now, _ in
      let day = FiscalDay(of: now, in: zone)
      let today = wall.day(now)
      return "\(day.date)" == today && "\(day.isoWeek)" == wall.week(now)
        && String(format: "%04d", day.year) == today.prefix(4)
    }
  }

  @Test func `lifetimes and session limits are exact to the millisecond`() throws {
    try compare(10) { _, _, now, numbers in
      let length = Int.random(in: 1...100_000_000, using: &numbers)
      let age = length + Int.random(in: -2...2, using: &numbers)
      let start = now.addingTimeInterval(-Double(age) / 1_000)
      let lifetime = Lifetime(since: start, lasting: .milliseconds(length))
      let monotonic = Time.withInstance(FixedTime(at: now, uptime: .seconds(5))) {
        MonotonicLifetime(lasting: .milliseconds(length))
      }
      let later = FixedTime(at: now, uptime: .seconds(5) + .milliseconds(age))
      let isKept = Time.withInstance(later) { monotonic.isAlive }
      let bound = Bool.random(using: &numbers) ? 1_800_000 : 86_400_000
      let ahead = bound + Int.random(in: -2...2, using: &numbers)
      let session = try? CheckoutSession(expiresAt: now.addingTimeInterval(Double(ahead) / 1_000))
      return Lifetime.elapsed(since: start) == .milliseconds(age)
        && lifetime.isAlive == (age < length) && isKept == (age < length)
        && (session != nil) == (1_800_000...86_400_000).contains(ahead)
    }
  }
}
