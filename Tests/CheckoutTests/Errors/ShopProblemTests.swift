// SPDX-License-Identifier: Apache-2.0

import Checkout
import Testing

@Suite struct `Shop file problems` {
  @Test func `a shop file problem describes the error and the expected format`() {
    let texts: [(ShopProblem, String)] = [
      (.unreadable("it burns"), "cannot be read: it burns"),
      (.notJSON("it ends"), "is no JSON: it ends"),
      (.missingField, "is missing; add this field"),
      (.unknownField(nearest: nil), "is no field of a shop; remove it"),
      (.unknownField(nearest: "sku"), "is no field of a shop; did you mean “sku”?"),
      (.wrongType(expected: "a text"), "must be a text"),
      (.calendar(.noBusinessDay), CalendarError.noBusinessDay.description),
      (.money(.overflow), MoneyError.overflow.description),
      (.checkout(.emptyBasket), CheckoutError.emptyBasket.description),
      (.duplicate("mug"), "“mug” stands there twice; rename or remove one"),
      (
        .unknownTaxClass(nearest: nil),
        "is no class of tax.classes; add it there, or leave it out"
      ),
      (.unknownTaxClass(nearest: "food"), "is no class of tax.classes; did you mean “food”?"),
      (
        .otherCurrency(.eur, products: .usd),
        "is in EUR, but the products cost USD; write it in USD"
      ),
      (.empty, "is empty; write a text"),
      (
        .unwritableSKU,
        "is empty, or has a space, a colon, or a control or format character; write it without"
      ),
      (.negative, "is less than nothing; write 0 or more"),
      (.unordered, "starts no later than the rate before it; put the dates in order"),
      (.ambiguousDiscount, "must have either percentOff or amountOff"),
    ]
    for (problem, text) in texts { #expect(problem.description == text) }
  }
}
