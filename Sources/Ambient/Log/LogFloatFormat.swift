// SPDX-License-Identifier: Apache-2.0

/// The format of a floating-point number in a message.
@nonexhaustive
public enum LogFloatFormat: Hashable, Sendable {
  /// The shortest text that reads back as the same number: `0.1`.
  case shortest
  /// The given number of digits after the decimal point, from 0 to 15: `.fixed(2)` writes 12.5 as
  /// `12.50`.
  ///
  /// A number of digits outside this range counts as 0 or 15. The exact value is rounded, with ties
  /// to even. For a magnitude of 2^64 or more, an infinity or NaN, the shortest text is written.
  case fixed(Int)

  /// Whether the number is written in the shortest form. A number of fixed digits is if it is NaN,
  /// or from 2^64 on, where it has no fraction and does not fit a UInt64.
  func isShortest(for value: Double) -> Bool {
    if case .fixed = self { !(value.magnitude < 0x1p64) } else { true }
  }

  func write(_ value: Double, to text: inout MessageText) {
    guard case .fixed(let wanted) = self, !isShortest(for: value) else {
      return value.withOneNaN.write(to: &text)
    }
    var scale: UInt64 = 1
    let digits = min(max(wanted, 0), 15)
    for _ in 0..<digits { scale *= 10 }
    let floor = value.magnitude.rounded(.down)
    var whole = UInt64(floor)
    var part = Self.rounded(value.magnitude - floor, times: scale)
    if digits == 0, value.magnitude - floor == 0.5 { part = whole & 1 }
    if part == scale {
      whole += 1
      part = 0
    }
    if value.sign == .minus { text.append("-") }
    text.append(magnitude: whole, radix: 10, minDigits: 1)
    guard digits > 0 else { return }
    text.append(".")
    text.append(magnitude: part, radix: 10, minDigits: digits)
  }

  /// `fraction * scale`, rounded as if the product were exact.
  private static func rounded(_ fraction: Double, times scale: UInt64) -> UInt64 {
    let factor = Double(scale)  // exact: at most 10^15
    let product = fraction * factor
    let error = (-product).addingProduct(fraction, factor)  // the rounding error, exactly
    let floor = product.rounded(.down)
    let rest = product - floor
    let result = UInt64(floor)
    if rest != 0.5 { return rest > 0.5 ? result + 1 : result }
    if error != 0 { return error > 0 ? result + 1 : result }
    return result.isMultiple(of: 2) ? result : result + 1
  }
}
