import Foundation

/// Emphasis for terminals; plain text for everything else.
struct Style: Sendable, Hashable {
  static let plain = Style(isColored: false)

  let isColored: Bool

  /// Colour only for a terminal that can show it, and only if `NO_COLOR` is unset.
  static func fitting(descriptor: Int32, environment: [String: String]) -> Style {
    Style(
      isColored: isatty(descriptor) == 1 && environment["NO_COLOR"] == nil
        && environment["TERM"] != "dumb")
  }

  func bold(_ text: String) -> String { wrap(text, "1") }
  func dim(_ text: String) -> String { wrap(text, "2") }
  func red(_ text: String) -> String { wrap(text, "31") }
  func green(_ text: String) -> String { wrap(text, "32") }

  private func wrap(_ text: String, _ code: String) -> String {
    isColored ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
