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

  /// The name of a field, in quotation marks if it is empty or contains characters that need them.
  package var escapedAsName: String {
    withBytes { bytes in
      LineBuffer.with { line in
        let isBare = !bytes.isEmpty && bytes.allSatisfy(EscapeScan.isBare)
        if isBare { line.append(bytes) } else { line.append(quoted: bytes) }
        return line.text
      }
    }
  }
}
