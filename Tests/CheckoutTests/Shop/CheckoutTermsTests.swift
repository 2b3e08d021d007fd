import Checkout
import Foundation
import Testing

@Suite struct `The terms of a checkout` {
  @Test func `are read back as they were written`() throws {
    let terms = try CheckoutTerms(
      session: .seconds(3_000), quote: .seconds(60), keys: .seconds(5), payment: .seconds(7))
    let written = try JSONEncoder().encode(terms)
    #expect(try JSONDecoder().decode(CheckoutTerms.self, from: written) == terms)
    #expect(terms.quote == .seconds(60) && terms.reservation == nil)
  }

  @Test func `are not written where a file would lose a part of a second`() throws {
    for terms in [
      try CheckoutTerms(session: .milliseconds(3_000_001)),
      try CheckoutTerms(quote: .milliseconds(1)), try CheckoutTerms(reservation: .seconds(1.5)),
      try CheckoutTerms(keys: .milliseconds(999)), try CheckoutTerms(payment: .seconds(0.25)),
    ] {
      #expect(throws: EncodingError.self) { try JSONEncoder().encode(terms) }
    }
  }
}
