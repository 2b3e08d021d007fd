// SPDX-License-Identifier: Apache-2.0

import Ambient
import Foundation
import TestSupport
import Testing

@testable import Checkout

@Suite struct `Checkout messages` {
  private func two(_ text: String) throws -> Money { try Money(text) }

  @Test
  func `the shop's messages about products, coupons and sessions equal those in messages.txt`()
    throws
  {
    let hours = try OpeningHours(open: LocalTime("08:00"), close: LocalTime("22:00"))
    let day = try LocalDate("2027-01-02")
    let end = try Date(iso8601: "2027-01-02T03:04:05Z")
    let errors: [(String, CheckoutError)] = [
      ("An unknown product", .unknownSKU("mog", nearest: nil)),
      ("A mistyped product", .unknownSKU("mog", nearest: "mug")),
      ("No quantity", .quantityNotPositive("mug", -1)),
      ("A quantity that is too large", .quantityTooLarge("mug", limit: 99)),
      ("Two currencies", .mixedCurrencies("mug", .eur, basket: .usd)),
      ("An empty basket", .emptyBasket),
      ("A product that is sold out", .insufficientStock("mug", wanted: 3, available: 0)),
      ("A product that is scarce", .insufficientStock("mug", wanted: 3, available: 2)),
      ("A product outside its hours", .outsideSaleHours("rum", hours)),
      ("A young buyer", .underAge("rum", years: 21)),
      ("A buyer of unknown age", .unknownAge("rum", years: 21)),
      ("A date of birth in the future", .notYetBorn(day)),
      ("An unknown coupon", .unknownCoupon("A", nearest: nil)),
      ("A mistyped coupon", .unknownCoupon("A", nearest: "B")),
      ("A late coupon", .lapsedCoupon("A", lastDay: day)),
      ("An early coupon", .earlyCoupon("A", firstDay: day)),
      ("A coupon in another currency", .couponCurrency("A", .eur, basket: .usd)),
      ("A coupon for larger baskets", .couponMinimum("A", try two("20.00 USD"))),
      ("A late quote", .lapsedQuote(until: end)),
      ("Another total", .otherTotal(try two("2.00 USD"), seen: try two("1.00 USD"))),
      ("A late reservation", .lapsedReservation(after: .seconds(900))),
      ("A late session", .lapsedSession(until: end)),
      ("A session that is too short", .sessionLength(.seconds(60))),
      ("A lifetime that is too short", .lifetime(.zero)),
    ]
    try expect("Checkout, products and sessions", errors)
  }

  @Test func `the shop's messages about orders and payments equal those in messages.txt`() throws {
    let id = try #require(UUID(uuidString: "01939C1F-4A00-7000-8000-000000000001"))
    let day = try LocalDate("2027-01-02")
    let errors: [(String, CheckoutError)] = [
      ("A key of another order", .keyReused("k")), ("A malformed key", .badKey),
      ("A payment without an outcome", .paymentPending("k")),
      ("An unknown order", .unknownOrder(id)),
      ("Goods that were not bought", .notInOrder("mug", 3, left: 2)),
      ("A shop without returns", .noWithdrawal),
      ("A late return", .lapsedWithdrawal(lastDay: day)),
      (
        "A refund that is too large",
        .refundTooLarge(try two("3.00 USD"), left: try two("2.00 USD"))
      ),
      (
        "A refund of a refunded order",
        .refundTooLarge(try two("3.00 USD"), left: try two("0.00 USD"))
      ),
      ("A declined payment", .payment(.declined)),
      ("An unknown payment", .payment(.unknownPayment("p"))),
      ("A reference of another payment", .payment(.referenceReused)),
      ("An amount that cannot be refunded", .payment(.badAmount(try two("3.00 USD")))),
      (
        "Another amount",
        .payment(.otherAmount(try two("3.00 USD"), asked: try two("2.00 USD")))
      ),
      ("No payment service", .payment(.unavailable("the connection was refused"))),
    ]
    try expect("Checkout, orders and payments", errors)
  }

  @Test func `the shop's messages about stores equal those in messages.txt`() throws {
    let id = try #require(UUID(uuidString: "01939C1F-4A00-7000-8000-000000000001"))
    let errors: [(String, any Error)] = [
      ("A folder of baskets", BasketStoreError.folderNotWritable(path: "/b", reason: "denied")),
      ("A basket that cannot be read", BasketStoreError.unreadable(path: "/b", reason: "denied")),
      (
        "A file that isn't a basket",
        BasketStoreError.notABasket(path: "/b", field: "lines[0]", reason: "must be an object")
      ),
      ("A basket in use", BasketStoreError.inUse(path: "/b")),
      (
        "A basket at a path with control characters",
        BasketStoreError.inUse(path: "/корзина\n\u{1B}[31m“b”\"")
      ),
      ("A store that cannot be used", ShopStoreError.unusable(path: "/s", reason: "denied")),
      ("A store in use", ShopStoreError.inUse(path: "/s")),
      ("A store of another shop", ShopStoreError.otherShop(path: "/s", name: "Teas")),
      ("A store of a newer program", ShopStoreError.newer(path: "/s", version: 9)),
      ("A full disk", ShopStoreError.notWritten(path: "/s", reason: "No space left on device")),
      ("A basket service that rejects", BasketServiceError.unavailable("down")),
      ("A basket service that is late", BasketServiceError.late(limit: .seconds(10))),
      ("A basket service with another basket", BasketServiceError.otherBasket(id)),
    ]
    try expect("Checkout, stores", errors)
  }

  @Test func `the shop's messages about its file equal those in messages.txt`() throws {
    let instant = try Date(iso8601: "2026-11-27T09:30:00Z")
    let (first, last) = (try LocalDate("2026-11-27"), try LocalDate("2026-11-26"))
    let problems: [(String, ShopProblem)] = [
      ("A file that cannot be read", .unreadable("it is not a regular file")),
      ("A file that isn't JSON", .notJSON("unexpected end of file")),
      ("A missing field", .missingField), ("An unknown field", .unknownField(nearest: nil)),
      ("A mistyped field", .unknownField(nearest: "sku")),
      ("A value of another type", .wrongType(expected: "a day of the week, such as monday")),
      ("A name that occurs twice", .duplicate("mug")),
      ("An unknown class of taxes", .unknownTaxClass(nearest: nil)),
      ("A mistyped class of taxes", .unknownTaxClass(nearest: "food")),
      ("Another currency", .otherCurrency(.eur, products: .usd)), ("An empty text", .empty),
      ("A malformed SKU", .unwritableSKU), ("A negative number", .negative),
      ("Rates that are not in order", .unordered), ("Two discounts", .ambiguousDiscount),
      ("A malformed date", .calendar(.impossibleDate("x"))),
      ("A malformed time", .calendar(.impossibleTime("x"))),
      ("A malformed moment", .calendar(.impossibleMoment("x"))),
      ("An unknown zone", .calendar(.unknownZone("x"))),
      (
        "A window that ends before it starts",
        .calendar(.endsBeforeItStarts(start: instant.addingTimeInterval(1), end: instant))
      ),
      ("An empty window", .calendar(.emptyWindow(instant))),
      (
        "A last day before the first",
        .calendar(.lastDayBeforeFirst(first: first, last: last))
      ),
      ("Empty hours", .calendar(.emptyHours(try LocalTime("09:30")))),
      ("No business day", .calendar(.noBusinessDay)),
      ("A number out of range", .calendar(.outOfRange(9, 1...7))),
      ("An amount that is too large", .money(.overflow)),
      ("Amounts of two currencies", .money(.differentCurrencies(.usd, .eur))),
      ("An unknown currency", .money(.unknownCurrency("x"))),
      ("A malformed amount", .money(.unreadableAmount("x"))),
      ("A malformed percentage", .money(.unreadablePercentage("x"))),
      ("A text with control characters", .money(.unreadableAmount("“4,50”\n\u{1B}[31mруб\""))),
    ]
    try expect("Checkout, shop files", problems.map { ($0, $1 as any Error) })
    let file = ShopFileError(file: "shop.json", field: "products[0].sku", problem: .missingField)
    #expect(file.description == "shop.json: products[0].sku: \(ShopProblem.missingField)")
    let fault = FieldFault.unknown(nearest: nil)
    try MessageCatalog.expect(
      "Checkout, fields",
      ["An unknown field": "\(fault)", "A mistyped field": "\(FieldFault.unknown(nearest: "sku"))"])
  }

  private func expect(_ section: String, _ errors: [(String, any Error)]) throws {
    try MessageCatalog.expect(
      section, ["Texts": errors.map { "\($0): \($1)" }.joined(separator: "\n")])
  }
}
