extension LineBuffer {
  mutating func append(integer value: Int64) {
    append(magnitude: value.magnitude, radix: 10, minDigits: 1, isNegative: value < 0)
  }

  /// Appends the shortest text that reads back as the same number.
  mutating func append(double value: Double) {
    var text = value.description
    // Valid: the bytes are the text's own, for the time of the closure.
    text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
  }
}
