// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientTesting
import Checkout
import Foundation
import Testing

@Suite(.frozen(at: "2027-02-28T12:00:00Z")) struct `Rule limits` {
  @Test func `in a common year, a birthday on 29 February follows the age limit's leapDay policy`()
    throws
  {
    let born = try LocalDate("2008-02-29")
    #expect(try !AgeLimit(years: 19).admits(born: born, in: .utc))
    #expect(try AgeLimit(years: 19, leapDay: .lastOfFebruary).admits(born: born, in: .utc))
  }

  @Test func `an age limit with the default leap day policy is encoded as a plain number`()
    throws
  {
    for (limit, text) in [
      (try AgeLimit(years: 18), "18"),
      (
        try AgeLimit(years: 18, leapDay: .lastOfFebruary),
        #"{"leapDay":"lastOfFebruary","years":18}"#
      ),
    ] {
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      #expect(try String(decoding: encoder.encode(limit), as: UTF8.self) == text)
      #expect(try JSONDecoder().decode(AgeLimit.self, from: Data(text.utf8)) == limit)
    }
    let years = try JSONDecoder().decode(AgeLimit.self, from: Data(#"{"years":18}"#.utf8))
    #expect(try years == AgeLimit(years: 18))
  }

  @Test(arguments: [
    (#"{"years":18,"leapDay":"never"}"#, "leapDay", "“firstOfMarch” or “lastOfFebruary”"),
    (#"{"years":151}"#, "years", "0 to 150"), (#"151"#, "", "0 to 150"),
    (#"{"years":18,"leapday":1}"#, "leapday", "leapDay"),
  ])
  func `an error about an age limit in JSON names the wrong field`(
    json: String, field: String, text: String
  ) throws {
    let error = try #require(throws: DecodingError.self) {
      try JSONDecoder().decode(AgeLimit.self, from: Data(json.utf8))
    }
    guard case .dataCorrupted(let context) = error else { return #expect(Bool(false), "\(error)") }
    #expect(context.codingPath.map(\.stringValue).joined() == field)
    #expect(context.debugDescription.contains(text), "\(context.debugDescription)")
  }

  @Test(arguments: [-1, 151, .max, .min])
  func `an age limit below 0 or above 150 is refused`(years: Int) {
    #expect(throws: CalendarError.outOfRange(years, 0...150)) { try AgeLimit(years: years) }
  }

  @Test func `shipping days and billing months out of range are refused`() throws {
    let calendar = try BusinessCalendar()
    let shipping = ShippingCalendar(
      cutoff: try LocalTime("14:00"), calendar: calendar, zone: .utc)
    let anchor = try LocalDate("2026-01-31")
    #expect(throws: CalendarError.outOfRange(366, 0...365)) {
      try Delivery(shipping: shipping, processingDays: 366, transitDays: 0...1)
    }
    #expect(throws: CalendarError.outOfRange(.max, 0...365)) {
      try Delivery(shipping: shipping, processingDays: 1, transitDays: 0...Int.max)
    }
    #expect(throws: CalendarError.outOfRange(.max, 0...365)) {
      try WithdrawalRight(days: .max, calendar: calendar, zone: .utc)
    }
    #expect(throws: CalendarError.outOfRange(0, 1...120)) {
      try BillingSchedule(anchor: anchor, stepMonths: 0)
    }
    for count in [-1, 1_201, Int.max] {
      #expect(throws: CalendarError.outOfRange(count, 0...1_200)) {
        try BillingSchedule(anchor: anchor).dates(count)
      }
    }
    #expect(throws: CalendarError.outOfRange(-1, 0...365)) {
      try Delivery(shipping: shipping, processingDays: -1, transitDays: 0...1)
    }
    for days in [-1, 366] {
      #expect(throws: CalendarError.outOfRange(days, 0...365)) {
        try WithdrawalRight(days: days, calendar: calendar, zone: .utc)
      }
    }
    #expect(throws: CalendarError.outOfRange(121, 1...120)) {
      try BillingSchedule(anchor: anchor, stepMonths: 121)
    }
  }

  @Test func `shipping days, billing months and age limits at their bounds are accepted`() throws {
    let calendar = try BusinessCalendar()
    let shipping = ShippingCalendar(
      cutoff: try LocalTime("14:00"), calendar: calendar, zone: .utc)
    for days in [0, 365] {
      let delivery = try Delivery(
        shipping: shipping, processingDays: days, transitDays: days...days)
      #expect(delivery.processingDays == days && delivery.transitDays == days...days)
      #expect(try WithdrawalRight(days: days, calendar: calendar, zone: .utc).days == days)
    }
    let anchor = try LocalDate("2026-01-31")
    for step in [1, 120] {
      #expect(try BillingSchedule(anchor: anchor, stepMonths: step).stepMonths == step)
    }
    let monthly = try BillingSchedule(anchor: anchor)
    #expect(try monthly.dates(0).isEmpty && monthly.dates(1_200).count == 1_200)
    #expect(try monthly.dates(2) == [LocalDate("2026-02-28"), LocalDate("2026-03-31")])
    for years in [0, 150] { #expect(try AgeLimit(years: years).years == years) }
  }
}
