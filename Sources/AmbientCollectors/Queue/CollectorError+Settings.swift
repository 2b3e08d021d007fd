internal import Foundation

/// What is looked at of ids and secrets before anything is sent.
extension CollectorError {
  /// An id of another form. It is shown only where white space around it is all that is wrong: what
  /// else stands there may be the secret, in the wrong place.
  ///
  /// - Parameters:
  ///   - noun: What it is to be, as `a measurement id`.
  ///   - advice: How one looks, and where it stands.
  static func malformed(
    _ id: String, _ name: String, _ noun: String, isFitting: (String) -> Bool, _ advice: String
  ) -> CollectorError {
    let trimmed = id.trimmingCharacters(in: .whitespacesAndNewlines)
    let reason =
      if trimmed != id, isFitting(trimmed) {
        "“\(shown(whiteSpaceOf: id))” has white space around it; leave that out"
      } else if trimmed.isEmpty {
        "it is empty; \(advice)"
      } else {
        "it is not \(noun); \(advice)"
      }
    return .invalidSetting(name: name, reason: reason)
  }

  /// The text with its white space, but for spaces, escaped as Swift does it.
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

  /// Looks at a secret of that name, and shows nothing of it but where it has what none has.
  package static func check(
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
      default: "what is not a character of ASCII"
      }
    let isAtEnd = scalars[place...].allSatisfy(\.properties.isWhitespace)
    let wherein =
      place == 0 && scalars[place].properties.isWhitespace
      ? "at its beginning; leave it out"
      : isAtEnd
        ? "at its end, as from a file; strip it"
        : "as its character \(place + 1), which no secret has; see whether it was copied as it is"
    throw .invalidSetting(name: name, reason: "it has \(what) \(wherein)")
  }
}
