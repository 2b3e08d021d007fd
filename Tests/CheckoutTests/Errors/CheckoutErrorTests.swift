// SPDX-License-Identifier: Apache-2.0

import Ambient
import Checkout
import Foundation
import Testing

/// Each with its code, on which programs and readers of logs rely.
@Suite struct `Checkout errors` {
  private typealias Case = (error: CheckoutError, code: String)

  private func check(_ cases: [Case]) {
    for (error, code) in cases {
      #expect(error.code == code)
      #expect(!error.description.isEmpty && !error.description.contains("\n"))
    }
  }

  @Test func `product and basket errors have a stable code and a one-line message`() throws {
    let hours = try OpeningHours(open: LocalTime("08:00"), close: LocalTime("22:00"))
    let day = try LocalDate("2027-01-02")
    check([
      (.unknownSKU("mog", nearest: nil), "unknown_sku"),
      (.unknownSKU("mog", nearest: "mug"), "unknown_sku"),
      (.quantityNotPositive("mug", -1), "quantity_not_positive"),
      (.quantityTooLarge("mug", limit: 99), "quantity_too_large"),
      (.mixedCurrencies("mug", .eur, basket: .usd), "mixed_currencies"),
      (.emptyBasket, "empty_basket"),
      (.insufficientStock("mug", wanted: 3, available: 0), "insufficient_stock"),
      (.insufficientStock("mug", wanted: 3, available: 2), "insufficient_stock"),
      (.outsideSaleHours("rum", hours), "outside_sale_hours"),
      (.underAge("rum", years: 21), "under_age"),
      (.unknownAge("rum", years: 21), "unknown_age"),
      (.notYetBorn(day), "not_yet_born"),
    ])
  }

  @Test func `coupon errors have a stable code and a one-line message`() throws {
    let day = try LocalDate("2027-01-02")
    check([
      (.unknownCoupon("A", nearest: nil), "unknown_coupon"),
      (.unknownCoupon("A", nearest: "B"), "unknown_coupon"),
      (.lapsedCoupon("A", lastDay: day), "lapsed_coupon"),
      (.earlyCoupon("A", firstDay: day), "early_coupon"),
      (.couponCurrency("A", .eur, basket: .usd), "coupon_currency"),
      (.couponMinimum("A", try Money("20.00 USD")), "coupon_minimum"),
    ])
  }

  @Test func `lapse and duration errors have a stable code and a one-line message`() throws {
    let end = try Date(iso8601: "2027-01-02T03:04:05Z")
    check([
      (.lapsedQuote(until: end), "lapsed_quote"),
      (.otherTotal(try Money("2.00 USD"), seen: try Money("1.00 USD")), "other_total"),
      (.lapsedReservation(after: .seconds(900)), "lapsed_reservation"),
      (.lapsedSession(until: end), "lapsed_session"),
      (.sessionLength(.seconds(60)), "session_length"),
      (.lifetime(.zero), "lifetime"),
    ])
  }

  @Test func `order, payment and refund errors have a stable code and a one-line message`() throws {
    let id = UUID()
    let day = try LocalDate("2027-01-02")
    check([
      (.keyReused("k"), "key_reused"),
      (.badKey, "bad_key"),
      (.paymentPending("k"), "payment_pending"),
      (.unknownOrder(id), "unknown_order"),
      (.notInOrder("mug", 3, left: 2), "not_in_order"),
      (.noWithdrawal, "no_withdrawal"),
      (.lapsedWithdrawal(lastDay: day), "lapsed_withdrawal"),
      (.refundTooLarge(try Money("3.00 USD"), left: try Money("2.00 USD")), "refund_too_large"),
      (.refundTooLarge(try Money("3.00 USD"), left: try Money("0.00 USD")), "refund_too_large"),
    ])
  }

  @Test func `a CheckoutError with a cause has its own code and a one-line message`() throws {
    check([
      (.money(.overflow), "money"),
      (.store(.inUse(path: "/b/basket")), "store"),
      (.payment(.declined), "payment"),
      (.payment(.unknownPayment("p")), "payment"),
      (.payment(.referenceReused), "payment"),
      (.payment(.badAmount(try Money("3.00 USD"))), "payment"),
      (.payment(.otherAmount(try Money("3.00 USD"), asked: try Money("2.00 USD"))), "payment"),
      (.payment(.unavailable("it is night")), "payment"),
      (.books(.unusable(path: "/s", reason: "it burns")), "books"),
      (.books(.inUse(path: "/s")), "books"),
      (.books(.otherShop(path: "/s", name: "Teas")), "books"),
      (.books(.newer(path: "/s", version: 9)), "books"),
      (.books(.notWritten(path: "/s", reason: "it is full")), "books"),
    ])
  }
}
