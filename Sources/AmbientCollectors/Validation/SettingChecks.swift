// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// Checks of ids and secrets before anything is sent.
enum SettingChecks {
  /// The error for a malformed id. It shows the id only if white space around it is the sole fault:
  /// any other text may be the secret, passed as the id by mistake.
  ///
  /// - Parameters:
  ///   - noun: The expected id, such as `a measurement id`.
  ///   - advice: The form of such an id, and the place to find it.
  static func malformed(
    _ id: String, _ name: String, _ noun: String, isFitting: (String) -> Bool, _ advice: String
  ) -> CollectorError {
    let trimmed = id.trimmingCharacters(in: .whitespacesAndNewlines)
    let reason =
      if trimmed != id, isFitting(trimmed) {
        "“\(shown(whiteSpaceOf: id))” has white space around it; remove it"
      } else if trimmed.isEmpty {
        "it is empty; \(advice)"
      } else {
        "it is not \(noun); \(advice)"
      }
    return .invalidSetting(name: name, reason: reason)
  }

  /// Returns the text with control characters below U+0020, and all white space except spaces,
  /// escaped as in Swift.
  private static func shown(whiteSpaceOf text: String) -> String {
    text.unicodeScalars.map { scalar in
      switch scalar {
      case "\n": "\\n"
      case "\r": "\\r"
      case "\t": "\\t"
      case " ": " "
      case _ where scalar.properties.isWhitespace || scalar.value < 32:
        "\\u{\(String(scalar.value, radix: 16))}"
      default: String(scalar)
      }
    }.joined()
  }

  /// Checks the characters of a secret. An error contains the position and kind of the first
  /// invalid character, never the secret.
  static func check(
    secret: String, _ name: String, advice: String
  ) throws(CollectorError) {
    let scalars = Array(secret.unicodeScalars)
    guard scalars.contains(where: { !$0.properties.isWhitespace }) else {
      throw .invalidSetting(name: name, reason: "it is empty; \(advice)")
    }
    guard let place = scalars.firstIndex(where: { !(33...126).contains($0.value) }) else { return }
    let what =
      switch scalars[place] {
      case "\n", "\r": "a newline"
      case " ": "a space"
      case "\t": "a tab"
      case let other where other.value < 32 || other.value == 127: "a control character"
      default: "a non-ASCII character"
      }
    let isAtEnd = scalars[place...].allSatisfy(\.properties.isWhitespace)
    let wherein =
      place == 0 && scalars[place].properties.isWhitespace
      ? "at its beginning; remove it"
      : isAtEnd
        ? "at its end, as if read from a file; remove it"
        : "as its character \(place + 1), which is not allowed in a secret; copy it again"
    throw .invalidSetting(name: name, reason: "it has \(what) \(wherein)")
  }
}
