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
    return Self.escaped(String(decoding: try encoder.encode(self), as: UTF8.self)) + "\n"
  }

  /// The JSON, with escapes for characters that steer a terminal or are invisible. In JSON, they
  /// occur only in strings.
  private static func escaped(_ json: String) -> String {
    var text = ""
    for scalar in json.unicodeScalars {
      if (0x20..<0x7F).contains(scalar.value) || String(scalar).escaped == String(scalar) {
        text.unicodeScalars.append(scalar)
      } else {
        text += String(scalar).utf16.map { String(format: "\\u%04x", $0) }.joined()
      }
    }
    return text
  }
}

extension Output {
  /// Writes the result as a text in the style of this output, or as one line of JSON.
  func write(_ result: some CommandResult, asJSON: Bool) throws {
    try write(asJSON ? result.json() : result.text(style: style))
  }
}
