import Ambient
import Foundation

/// Results for other programs: one line of JSON.
enum JSONLine {
  /// The value with its fields in order, and instants in ISO 8601.
  static func of(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .custom { date, encoder in
      var container = encoder.singleValueContainer()
      try container.encode(date.iso8601())
    }
    return String(decoding: try encoder.encode(value), as: UTF8.self) + "\n"
  }
}
