// SPDX-License-Identifier: Apache-2.0

import Ambient
import Checkout
import Foundation

/// The result of a command: a text for people, or one line of JSON for other programs.
protocol CommandResult: Encodable {
  func text(style: Style) throws -> String
}

extension CommandResult {
  /// The result as one line of JSON. Fields are sorted by name, dates have the form of ISO 8601,
  /// and each sum of money has two fields: the amount and the currency.
  func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    if let key = Money.inFields { encoder.userInfo[key] = true }
    encoder.dateEncodingStrategy = .custom { date, encoder in
      var container = encoder.singleValueContainer()
      try container.encode(date.iso8601())
    }
    return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
  }
}

extension Output {
  /// Writes the result as a text in the style of this output, or as one line of JSON.
  func write(_ result: some CommandResult, asJSON: Bool) throws {
    try write(asJSON ? result.json() : result.text(style: style))
  }
}
