/// Writes whole numbers without allocating.
enum DigitWriter {
  /// Writes the digits to the start of `bytes`, which must have room for 64, and returns their
  /// count.
  @inline(__always)
  static func write(
    _ magnitude: UInt64, radix: UInt64, minDigits: Int, to bytes: UnsafeMutableRawBufferPointer
  ) -> Int {
    // Apart, so that the compiler divides by ten with a multiplication.
    radix == 10
      ? writeDigits(magnitude, radix: 10, minDigits: minDigits, to: bytes)
      : writeDigits(magnitude, radix: radix, minDigits: minDigits, to: bytes)
  }

  @inline(__always)
  private static func writeDigits(
    _ magnitude: UInt64, radix: UInt64, minDigits: Int, to bytes: UnsafeMutableRawBufferPointer
  ) -> Int {
    var digits = 1
    var rest = magnitude / radix
    while rest > 0 {
      digits += 1
      rest /= radix
    }
    digits = min(max(digits, minDigits), 64)
    rest = magnitude
    for place in stride(from: digits - 1, through: 0, by: -1) {
      let digit = UInt8(truncatingIfNeeded: rest % radix)
      bytes[place] = digit < 10 ? 48 + digit : 87 + digit
      rest /= radix
    }
    return digits
  }
}
