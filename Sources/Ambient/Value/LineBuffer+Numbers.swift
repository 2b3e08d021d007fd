extension LineBuffer {
  mutating func append(integer value: Int64) {
    if value < 0 { append(UInt8(ascii: "-")) }
    append(magnitude: value.magnitude, radix: 10, minDigits: 1)
  }

  /// Appends the digits, with zeros in front up to `minDigits`, which is at most 64.
  mutating func append(magnitude: UInt64, radix: UInt64, minDigits: Int) {
    append(capacity: 64) { bytes in
      DigitWriter.write(magnitude, radix: radix, minDigits: minDigits, to: bytes)
    }
  }

  /// Appends the shortest text that reads back as the same number.
  mutating func append(double value: Double) {
    var text = value.description
    // Valid: the bytes are the text's own, for the time of the closure.
    text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
  }
}

/// Writes whole numbers without allocating.
enum DigitWriter {
  /// Writes the digits to the start of `bytes`, which must have room for 64, and returns their
  /// count.
  static func write(
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
