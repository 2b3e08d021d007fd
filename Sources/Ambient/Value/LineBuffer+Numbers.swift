extension LineBuffer {
  mutating func append(integer value: Int64) {
    append(magnitude: value.magnitude, radix: 10, minDigits: 1, isNegative: value < 0)
  }

  /// Appends the shortest text that reads back as the same number.
  mutating func append(double value: Double) { append(value.description) }
}
