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
