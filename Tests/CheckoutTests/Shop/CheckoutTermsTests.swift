// SPDX-License-Identifier: Apache-2.0

import Checkout
import Foundation
import Testing

@Suite struct `Checkout terms` {
  @Test func `checkout terms default to 1-hour sessions, 1-day keys and 30-second payments`()
    throws
  {
    let terms = try CheckoutTerms(
      session: .seconds(3_600), quote: nil, reservation: nil, keys: .seconds(86_400),
      payment: .seconds(30))
    let read = try JSONDecoder().decode(CheckoutTerms.self, from: Data("{}".utf8))
    for standard in try [CheckoutTerms.standard, CheckoutTerms(), read] {
      #expect(standard == terms)
    }
  }

  @Test func `each checkout term is read from its own JSON field`() throws {
    let json = """
      { "sessionSeconds": 2000, "quoteSeconds": 61, "reservationSeconds": 62, "keySeconds": 63, \
      "paymentSeconds": 64 }
      """
    let terms = try JSONDecoder().decode(CheckoutTerms.self, from: Data(json.utf8))
    #expect(terms.session == .seconds(2_000))
    #expect(terms.quote == .seconds(61) && terms.reservation == .seconds(62))
    #expect(terms.keys == .seconds(63) && terms.payment == .seconds(64))
  }

  @Test func `checkout sessions may last 30 minutes to 24 hours, and other terms up to 366 days`()
    throws
  {
    let (short, long) = (Duration.microseconds(999), Duration.seconds(31_622_401))
    for session in [Duration.seconds(1_799), .seconds(86_401)] {
      #expect(throws: CheckoutError.sessionLength(session)) {
        try CheckoutTerms(session: session)
      }
    }
    for length in [short, long] {
      let error = CheckoutError.lifetime(length)
      #expect(throws: error) { try CheckoutTerms(quote: length) }
      #expect(throws: error) { try CheckoutTerms(reservation: length) }
      #expect(throws: error) { try CheckoutTerms(keys: length) }
      #expect(throws: error) { try CheckoutTerms(payment: length) }
    }
    for session in [Duration.seconds(1_800), .seconds(86_400)] {
      #expect(try CheckoutTerms(session: session).session == session)
    }
    for length in [Duration.milliseconds(1), .seconds(31_622_400)] {
      let terms = try CheckoutTerms(
        quote: length, reservation: length, keys: length, payment: length)
      #expect(terms.quote == length && terms.reservation == length)
      #expect(terms.keys == length && terms.payment == length)
    }
  }
}
