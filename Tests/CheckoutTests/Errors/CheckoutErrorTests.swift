// SPDX-License-Identifier: Apache-2.0

import Ambient
import Checkout
import Foundation
import Testing

/// Each with its code, on which programs and readers of logs rely, and with its text.
@Suite struct `Checkout errors` {
  private typealias Case = (error: CheckoutError, code: String, text: String)

  private func check(_ cases: [Case]) {
    for (error, code, text) in cases {
      #expect(error.code == code)
      #expect(error.description == text)
    }
  }

  @Test func `product and basket errors have their codes and messages`() throws {
    let hours = try OpeningHours(open: LocalTime("08:00"), close: LocalTime("22:00"))
    let day = try LocalDate("2027-01-02")
    check([
      (.unknownSKU("mog", nearest: nil), "unknown_sku", "there is no product “mog”"),
      (
        .unknownSKU("mog", nearest: "mug"), "unknown_sku",
        "there is no product “mog”; did you mean “mug”?"
      ),
      (
        .quantityNotPositive("mug", -1), "quantity_not_positive",
        "-1 of “mug” cannot be bought; write 1 or more"
      ),
      (
        .quantityTooLarge("mug", limit: 99), "quantity_too_large",
        "that many of “mug” cannot be bought; write at most 99"
      ),
      (
        .mixedCurrencies("mug", .eur, basket: .usd), "mixed_currencies",
        "“mug” costs EUR, and the basket is in USD; buy it by itself"
      ),
      (.emptyBasket, "empty_basket", "the basket is empty; add something first"),
      (
        .insufficientStock("mug", wanted: 3, available: 0), "insufficient_stock",
        "“mug” is sold out; buy without it"
      ),
      (
        .insufficientStock("mug", wanted: 3, available: 2), "insufficient_stock",
        "3 of “mug” are wanted, and 2 available; write fewer"
      ),
      (
        .outsideSaleHours("rum", hours), "outside_sale_hours",
        "“rum” may be sold from 08:00 to 22:00 only; come back then"
      ),
      (
        .underAge("rum", years: 21), "under_age",
        "“rum” may be sold to people of 21 years or more only; buy without it"
      ),
      (
        .unknownAge("rum", years: 21), "unknown_age",
        "“rum” may be sold to people of 21 years or more only; say when you were born"
      ),
      (
        .notYetBorn(day), "not_yet_born",
        "2027-01-02 is still to come; write the date of your birth"
      ),
    ])
  }

  @Test func `coupon errors have their codes and messages`() throws {
    let day = try LocalDate("2027-01-02")
    check([
      (.unknownCoupon("A", nearest: nil), "unknown_coupon", "there is no coupon “A”"),
      (
        .unknownCoupon("A", nearest: "B"), "unknown_coupon",
        "there is no coupon “A”; did you mean “B”?"
      ),
      (
        .lapsedCoupon("A", lastDay: day), "lapsed_coupon",
        "the coupon “A” was valid through 2027-01-02"
      ),
      (
        .earlyCoupon("A", firstDay: day), "early_coupon",
        "the coupon “A” is valid from 2027-01-02 on"
      ),
      (
        .couponCurrency("A", .eur, basket: .usd), "coupon_currency",
        "the coupon “A” is in EUR, and the basket is in USD"
      ),
      (
        .couponMinimum("A", try Money("20.00 USD")), "coupon_minimum",
        "the coupon “A” wants a basket of 20.00 USD or more"
      ),
    ])
  }

  @Test func `lapse and duration errors have their codes and messages`() throws {
    let end = try Date(iso8601: "2027-01-02T03:04:05Z")
    check([
      (
        .lapsedQuote(until: end), "lapsed_quote",
        "the price was locked until 2027-01-02T03:04:05Z; ask for a new one"
      ),
      (
        .otherTotal(try Money("2.00 USD"), seen: try Money("1.00 USD")), "other_total",
        "the total is 2.00 USD now, and was 1.00 USD when it was seen; look at it and buy again"
      ),
      (
        .lapsedReservation(after: .seconds(900)), "lapsed_reservation",
        "the goods were reserved for 900 seconds; begin the checkout again"
      ),
      (
        .lapsedSession(until: end), "lapsed_session",
        "the session was open until 2027-01-02T03:04:05Z; begin the checkout again"
      ),
      (
        .sessionLength(.seconds(60)), "session_length",
        "a session of 60 seconds is not possible; ask for 30 minutes to 24 hours"
      ),
      (
        .lifetime(.zero), "lifetime",
        "0.0 seconds is no time to keep something for; write a millisecond to 366 days"
      ),
    ])
  }

  @Test func `order, payment and refund errors have their codes and messages`() throws {
    let id = UUID()
    let day = try LocalDate("2027-01-02")
    check([
      (
        .keyReused("k"), "key_reused", "the key “k” was used for another order; take a new one"
      ),
      (
        .badKey, "bad_key",
        "an idempotency key has 1 to 255 bytes; write a shorter text, or any"
      ),
      (
        .paymentPending("k"), "payment_pending",
        """
        it is not known yet whether the payment was made; the goods are kept: ask again with the \
        same key, and nothing is paid twice
        """
      ),
      (.unknownOrder(id), "unknown_order", "the shop has no order \(id)"),
      (
        .notInOrder("mug", 3, left: 2), "not_in_order",
        "3 of “mug” cannot come back; write at most 2"
      ),
      (
        .noWithdrawal, "no_withdrawal", "this shop takes nothing back; ask it for a refund"
      ),
      (
        .lapsedWithdrawal(lastDay: day), "lapsed_withdrawal",
        "the goods could be sent back until 2027-01-02"
      ),
      (
        .refundTooLarge(try Money("3.00 USD"), left: try Money("2.00 USD")), "refund_too_large",
        "3.00 USD cannot be refunded; write more than nothing and at most 2.00 USD"
      ),
      (
        .refundTooLarge(try Money("3.00 USD"), left: try Money("0.00 USD")), "refund_too_large",
        "nothing of the order is left to refund"
      ),
    ])
  }

  @Test func `an error with a cause has its own code and the cause's message`() throws {
    check([
      (
        .money(.overflow), "money",
        "the amount is too large to be counted; use smaller quantities or prices"
      ),
      (
        .store(.inUse(path: "/b/basket")), "store",
        "another process keeps the basket /b/basket locked, and may have been stopped; end it"
      ),
      (
        .payment(.declined), "payment", "the payment was declined; choose another way to pay"
      ),
      (
        .payment(.unknownPayment("p")), "payment", "there is no payment “p” to refund"
      ),
      (
        .payment(.referenceReused), "payment",
        "the payment service knows this reference for another payment; begin the checkout again"
      ),
      (
        .payment(.badAmount(try Money("3.00 USD"))), "payment",
        "3.00 USD cannot be paid; write nothing or more, and no refund of more than is left"
      ),
      (
        .payment(.otherAmount(try Money("3.00 USD"), asked: try Money("2.00 USD"))), "payment",
        "the payment service took 3.00 USD instead of 2.00 USD, which is given back; try again"
      ),
      (
        .payment(.unavailable("it is night")), "payment",
        "the payment service does not answer: it is night; try again"
      ),
      (
        .books(.unusable(path: "/s", reason: "it burns")), "books",
        "the shop's store /s cannot be used: it burns"
      ),
      (
        .books(.inUse(path: "/s")), "books",
        "another process has the shop's store /s open; stop it first"
      ),
      (
        .books(.otherShop(path: "/s", name: "Teas")), "books",
        "the store /s is that of the shop “Teas”; choose another folder"
      ),
      (
        .books(.newer(path: "/s", version: 9)), "books",
        "the shop's store /s has version 9, which is newer than this program; update it"
      ),
      (
        .books(.notWritten(path: "/s", reason: "it is full")), "books",
        "the shop's store /s took no record: it is full; make room, and try again"
      ),
    ])
  }
}
