import Ambient
import Checkout
import Foundation

/// The options of the checkout, and what their values mean.
enum CheckoutOptions {
  static let item = Option(
    "--item", .text("SKU[:QUANTITY]"), repeatable: true,
    help: "A product to put in the basket, and how many of it; one if not said.")
  static let coupon = Option("--coupon", .text("CODE"), help: "A coupon to use.")
  static let at = Option(
    "--at", .text("INSTANT"),
    help: "The instant at which time is to stand still, as 2026-11-27T00:00:00-05:00.")
  static let born = Option(
    "--born", .text("DATE"),
    help: "When the buyer was born, as 1990-05-17, for products with an age limit.")
  static let shop = Option(
    "--shop", .text("FILE"), help: "The shop, as a file of JSON; the example shop if not said.")
  static let store = Option(
    "--store", .text("DIR"),
    help: """
      The folder that keeps the basket. What is in it already counts too; what fails leaves it \
      as it was.
      """)
  static let wiring = Option(
    "--wiring", .wordNamed("STYLE", WiringStyle.allCases.map(\.rawValue)),
    help: "How the services are connected, which changes no result; initializer if not said.")
  static let json = Option("--json", help: "Write the result as one line of JSON.")

  static let all = [item, coupon, at, born, shop, store]

  static func lines(_ arguments: Arguments) throws -> [BasketLine] {
    try arguments.all(item).map { try BasketLine(argument: $0, of: item) }
  }

  /// The services that the options ask for.
  static func services(_ arguments: Arguments) throws -> Services {
    Services(
      time: try time(arguments), log: try ServiceOptions.log(arguments),
      analytics: try ServiceOptions.analytics(arguments))
  }

  /// Time stands still at the instant that was said; else it is the system's.
  private static func time(_ arguments: Arguments) throws(UsageError) -> Time {
    guard let text = arguments[at] else { return DefaultTime() }
    do throws(ISO8601Error) { return try FixedTime(at: text) } catch {
      throw .invalidValue(at.name, reason: error.description)
    }
  }

  static func wiring(_ arguments: Arguments) -> WiringStyle {
    arguments[wiring].flatMap(WiringStyle.init) ?? .initializer
  }

  static func born(_ arguments: Arguments) throws(UsageError) -> LocalDate? {
    guard let text = arguments[born] else { return nil }
    do throws(CalendarError) { return try LocalDate(text) } catch {
      throw .invalidValue(born.name, reason: error.description)
    }
  }

  static func shop(_ arguments: Arguments) throws(ShopFileError) -> Shop {
    if let path = arguments[shop] { try Shop(contentsOf: path) } else { try Shop.example() }
  }

  static func store(_ arguments: Arguments) throws(BasketStoreError) -> FileBasketStore? {
    if let folder = arguments[store] { try FileBasketStore(folder: folder) } else { nil }
  }
}
