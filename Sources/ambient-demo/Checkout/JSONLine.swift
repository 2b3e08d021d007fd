import Ambient
import Checkout
import Foundation

/// Results for other programs: one line of JSON.
enum JSONLine {
  /// The value with its fields sorted by name, dates in ISO 8601, and each sum of money as two
  /// fields: the amount and the currency.
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
