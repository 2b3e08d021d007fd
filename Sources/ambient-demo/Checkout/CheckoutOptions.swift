// SPDX-License-Identifier: Apache-2.0

import Ambient
import Checkout
import CheckoutWiring
import Foundation

/// The options of the checkout, and the meaning of their values.
enum CheckoutOptions {
  static let item = Option(
    "--item", .text("SKU[:QUANTITY]"), repeatable: true, default: "1",
    help: "A product to put in the basket, and its quantity.")
  static let coupon = Option("--coupon", .text("CODE"), help: "A coupon to use.")
  static let at = Option(
    "--at", .text("MOMENT"), default: "now",
    help: """
      The time at which to freeze the clock: a date, such as 2026-11-27; a local time of the shop, \
      such as 2026-11-27T09:30; or an instant, such as 2026-11-27T00:00:00-05:00.
      """)
  static let born = Option(
    "--born", .text("DATE"),
    help: "The buyer's date of birth, such as 1990-05-17, for products with an age limit.")
  static let shop = Option(
    "--shop", .text("FILE"), default: "the example shop", help: "The shop, as a JSON file.")
  static let store = Option(
    "--store", .text("DIR"),
    help: """
      The folder of the basket, the stock and the orders. The checkout command also buys the goods in \
      this basket, and empties the basket unless the checkout fails.
      """)
  static let remove = Option(
    "--remove", .text("SKU"), repeatable: true,
    help: "A product to remove, even if the shop no longer sells it.")
  static let noCoupon = Option("--no-coupon", help: "Remove the coupon.")
  static let wiring = Option(
    "--wiring", .word(WiringStyle.allCases.map(\.rawValue), named: "STYLE"), default: "initializer",
    help: "The style of connecting the services. The result does not depend on it.")
  static let failPayment = Option(
    "--fail-payment", .word(FailingPayments.Failure.allCases.map(\.rawValue)),
    help: "Let the payment service decline, be unreachable, or lose its answer.")
  static let crashAfter = Option(
    "--crash-after", .word(FailingPayments.Step.allCases.map(\.rawValue)),
    help: "Kill the program after that step, to see how the next run recovers.")
  static let json = Option("--json", help: "Write the result as one line of JSON.")

  static func lines(_ arguments: Arguments) throws -> [BasketLine] {
    try arguments.all(item).map { try BasketLine(argument: $0, of: item) }
  }

  /// Returns the services that the options select for a shop.
  static func services(_ arguments: Arguments, in shop: Shop) throws -> Services {
    let time = try time(arguments, in: shop.zone)
    // The destinations are parsed first, so that an invalid one is reported before `log(_:)` opens
    // a file.
    let destinations = try ServiceOptions.destinations(arguments)
    // The log is created while `time` is the current time, so that its files rotate by the days and
    // hours of `time`.
    let (log, logQueue) = try Time.withInstance(time) { try ServiceOptions.log(arguments) }
    let (analytics, queues) = try ServiceOptions.analytics(
      to: destinations, keptIn: arguments[ServiceOptions.queue])
    return Services(
      time: time, log: log, analytics: analytics, queues: [logQueue].compactMap(\.self) + queues)
  }

  /// Returns a time that is frozen at the instant of `--at`, or the system's time without this
  /// option.
  private static func time(_ arguments: Arguments, in zone: Zone) throws(UsageError) -> Time {
    guard let text = arguments[at] else { return DefaultTime() }
    let time: FixedTime
    do throws(CalendarError) { time = FixedTime(at: try Moment(text).instant(in: zone)) } catch {
      throw .invalidValue(at.name, reason: error.description)
    }
    guard zone.date(of: time.now).isInCalendar else {
      throw .invalidValue(
        at.name,
        reason: "“\(text)” is not in the years 1 to 9999 in \(zone); use another time")
    }
    return time
  }

  /// Returns the buyer's date of birth. Throws if it is after `today`.
  static func born(_ arguments: Arguments, by today: LocalDate) throws(UsageError) -> LocalDate? {
    guard let text = arguments[born] else { return nil }
    let day: LocalDate
    do throws(CalendarError) { day = try LocalDate(text) } catch {
      throw .invalidValue(born.name, reason: error.description)
    }
    guard day <= today else {
      throw .invalidValue(born.name, reason: CheckoutError.notYetBorn(day).description)
    }
    return day
  }

  static func shop(_ arguments: Arguments) throws(ShopFileError) -> Shop {
    if let path = arguments[shop] { try Shop(contentsOf: path) } else { try Shop.example() }
  }
}
