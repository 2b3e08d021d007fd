// SPDX-License-Identifier: Apache-2.0

/// Reads fixed-width numbers from text, for dates and times.
struct DigitReader {
  private var rest: Substring.UTF8View

  init(_ text: String) { rest = text[...].utf8 }

  var isAtEnd: Bool { rest.isEmpty }

  /// Reads a number of exactly `digits` digits; returns nil if there are fewer digits, or if the
  /// number is outside the range.
  mutating func number(_ digits: Int, in range: ClosedRange<Int>) -> Int? {
    var value = 0
    for _ in 0..<digits {
      guard let byte = rest.popFirst(), (48...57).contains(byte) else { return nil }
      value = value * 10 + Int(byte - 48)
    }
    return range.contains(value) ? value : nil
  }

  /// Skips the next character and returns true if it is `character`. Otherwise returns false.
  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest.removeFirst()
    return true
  }
}
