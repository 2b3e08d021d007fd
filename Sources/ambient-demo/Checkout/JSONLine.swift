import Ambient
import Checkout
import Foundation

/// The encoding of results as one line of JSON, for other programs.
enum JSONLine {
  /// Encodes the value. Fields are sorted by name, dates have the form of ISO 8601, and each sum of
  /// money has two fields: the amount and the currency.
  static func of(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    if let key = Money.inFields { encoder.userInfo[key] = true }
    encoder.dateEncodingStrategy = .custom { date, encoder in
      var container = encoder.singleValueContainer()
      try container.encode(date.iso8601())
    }
    return String(decoding: try encoder.encode(value), as: UTF8.self) + "\n"
  }
}
