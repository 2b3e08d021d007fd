// SPDX-License-Identifier: Apache-2.0

import Ambient
import Checkout
import Foundation

extension Vector {
  struct UnknownRule: Error { let rule: String }

  /// What the checkout says, now.
  func answer() throws -> JSONValue {
    switch rule {
    case "promo": .boolean(try isPromoted(from: "start", to: "end"))
    case "promoLocal": .boolean(try isPromoted(from: "startLocal", to: "endLocal"))
    case "promoDates": .boolean(try isPromoted(from: "firstDay", to: "lastDay"))
    case "coupon": .boolean(try isCouponValid())
    case "happyHour":
      .boolean(
        try DailyWindow(from: LocalTime(text("from")), to: LocalTime(text("to")))
          .contains(Time.now, in: zone))
    case "ttl":
      .boolean(
        Lifetime(
          since: try Date(iso8601: text("createdAt")), lasting: .seconds(try number("ttlSeconds"))
        ).isAlive)
    case "reservationMonotonic": .boolean(try isReserved())
    case "sessionExpiry": .boolean(try isSessionAccepted())
    case "shipDate": .string("\(try shipping().shipDate(of: Time.now))")
    case "delivery": try delivery()
    case "withdrawal":
      .boolean(
        try WithdrawalRight(calendar: BusinessCalendar(holidays: dates("holidays")), zone: zone)
          .isOpen(delivered: LocalDate(text("delivered")), at: Time.now))
    case "tax": try tax()
    case "saleHours":
      .boolean(
        try OpeningHours(open: LocalTime(text("open")), close: LocalTime(text("close")))
          .contains(Time.now, in: zone))
    case "age":
      .boolean(
        try AgeLimit(years: number("age")).admits(born: LocalDate(text("born")), in: zone))
    case "billingAnchor":
      .texts(
        try BillingSchedule(
          anchor: zone.date(of: Time.now), stepMonths: number("stepMonths")
        ).dates(number("count")))
    case "fiscal": fiscal()
    case "elapsed":
      .number(
        Decimal(Lifetime.elapsed(since: try Date(iso8601: text("since"))).components.seconds))
    default: throw UnknownRule(rule: rule)
    }
  }

  private func isPromoted(from start: String, to end: String) throws -> Bool {
    let promotion = Promotion(
      name: id, discount: .percentage(try Percentage(10)), start: try moment(start),
      end: try moment(end))
    return try prices(promotions: [promotion]).currentPromotions == [promotion]
  }

  private func isCouponValid() throws -> Bool {
    let coupon = Coupon(
      code: id, discount: .percentage(try Percentage(10)),
      lastDay: try LocalDate(text("lastDay")))
    let prices = try prices(coupons: [coupon])
    do throws(CheckoutError) {
      return try prices.coupon(id) == coupon
    } catch .lapsedCoupon {
      return false
    }
  }

  private func prices(
    promotions: [Promotion] = [], coupons: [Coupon] = []
  ) throws -> PriceList {
    try PriceList(
      catalogue: Catalogue([]), promotions: promotions, coupons: coupons,
      tax: try TaxSchedule(rates: []), zone: zone)
  }

  /// Reserves when the wall showed `createdAt`, and looks again when it shows the instant.
  private func isReserved() throws -> Bool {
    let stock = try ShopStore.stocked(["coffee": 1])
    let created = FixedTime(at: try Date(iso8601: text("createdAt")), uptime: .seconds(1_000))
    let length = Duration.seconds(try number("ttlSeconds"))
    let reservation = try Time.withInstance(created) {
      try stock.reserve([BasketLine("coffee")], for: length)
    }
    let elapsed = Duration.seconds(try number("monotonicElapsedSeconds"))
    let later = FixedTime(at: Time.now, uptime: created.uptime + elapsed)
    return Time.withInstance(later) { reservation.isHeld && stock.available("coffee") == 0 }
  }

  private func isSessionAccepted() throws -> Bool {
    let end = try Date(iso8601: text("expiresAt"))
    do throws(CheckoutError) {
      return try CheckoutSession(expiresAt: end).expiresAt == end
    } catch .sessionLength {
      return false
    }
  }

  private func shipping() throws -> ShippingCalendar {
    ShippingCalendar(
      cutoff: try LocalTime(text("cutoff")),
      calendar: try BusinessCalendar(holidays: dates("holidays")), zone: zone)
  }

  private func delivery() throws -> JSONValue {
    guard case .array(let transit)? = input["transit"], transit.count == 2,
      case .number(let low) = transit[0], case .number(let high) = transit[1],
      let low = Int("\(low)"), let high = Int("\(high)")
    else { throw Missing(field: "transit") }
    let dates = try Delivery(
      shipping: shipping(), processingDays: number("processingDays"), transitDays: low...high
    ).dates(of: Time.now)
    return .texts([dates.first, dates.last])
  }

  private func tax() throws -> JSONValue {
    guard case .array(let rates)? = input["rates"] else { throw Missing(field: "rates") }
    let schedule = try TaxSchedule(
      rates: try rates.map {
        guard case .array(let pair) = $0, pair.count == 2, case .string(let from) = pair[0],
          case .number(let percent) = pair[1]
        else { throw Missing(field: "rates") }
        return TaxSchedule.Rate(from: try LocalDate(from), percent: try Percentage(percent))
      })
    return schedule.rate(on: zone.date(of: Time.now)).map { .number($0.percent) } ?? .null
  }

  private func fiscal() -> JSONValue {
    let day = FiscalDay(of: Time.now, in: zone)
    return .object([
      "date": .string("\(day.date)"), "year": .number(Decimal(day.year)),
      "isoWeek": .string("\(day.isoWeek)"),
    ])
  }
}
