// SPDX-License-Identifier: Apache-2.0

/// Texts for people, escaped as in a log's lines.
extension String {
  /// The text with escapes for characters that end the line, steer a terminal or are invisible.
  package var escaped: String {
    LineBuffer.with { line in
      line.append(escaping: self, .bare)
      return line.text
    }
  }

  /// The text, or its first characters and an ellipsis if it has more than `longest`.
  package func shortened(to longest: Int) -> String {
    let start = prefix(longest)
    return start.endIndex == endIndex ? self : "\(start)…"
  }
}
