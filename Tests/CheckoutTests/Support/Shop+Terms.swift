// SPDX-License-Identifier: Apache-2.0

import Checkout
import Foundation

extension Shop {
  /// The example shop with other terms, as its file would say them.
  static func example(terms: String, withdrawal: String = "14") throws -> Shop {
    let own = #"{ "quoteSeconds": 900, "reservationSeconds": 900 }"#
    let text = exampleJSON.replacing(own, with: terms)
      .replacing("\"withdrawalDays\": 14", with: "\"withdrawalDays\": \(withdrawal)")
    return try Shop(json: Data(text.utf8), file: "the example shop")
  }
}
