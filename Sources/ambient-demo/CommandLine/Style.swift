// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The style of text for its destination: whether text is emphasized, and how wide a line may be.
struct Style: Sendable, Hashable {
  let isColored: Bool
  /// The maximum number of cells in a line; nil for no limit, as in output to a file.
  var width: Int?
  /// The width of sentences: at most 80 cells.
  var textWidth: Int { min(width ?? 80, 80) }

  /// Returns the style for text that is written to a descriptor.
  ///
  /// The style is colored if the descriptor is a terminal that can show colors, and `NO_COLOR` is
  /// unset or empty, by the convention of no-color.org. The style is as wide as the terminal, or as
  /// `COLUMNS` says, but at least 60 cells. If neither width is known, the width has no limit.
  static func fitting(descriptor: Int32, environment: [String: String]) -> Style {
    let isTerminal = isatty(descriptor) == 1
    let wantsColor = (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
    let columns = columns(of: descriptor) ?? environment["COLUMNS"].flatMap { Int($0) }
    return Style(isColored: isTerminal && wantsColor, width: columns.map { max($0, 60) })
  }

  /// Returns the width of the terminal, or nil if there is no terminal or it does not report its
  /// width.
  private static func columns(of descriptor: Int32) -> Int? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// The text in bold lines of at most `width` cells.
  func heading(_ text: String) -> String {
    (width.map { text.wrapped(to: $0) } ?? [text]).map(bold).joined(separator: "\n")
  }

  func bold(_ text: String) -> String { wrap(text, "1") }
  func dim(_ text: String) -> String { wrap(text, "2") }
  func red(_ text: String) -> String { wrap(text, "31") }
  func green(_ text: String) -> String { wrap(text, "32") }

  private func wrap(_ text: String, _ code: String) -> String {
    isColored ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
