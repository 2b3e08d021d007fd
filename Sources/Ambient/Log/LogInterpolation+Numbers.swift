extension LogInterpolation {
  /// Appends a whole number.
  public mutating func appendInterpolation(
    _ value: some FixedWidthInteger, format: LogIntegerFormat = .decimal,
    privacy: AmbientPrivacy = .public
  ) {
    guard let magnitude = UInt64(exactly: value.magnitude) else {
      // More than 64 bits, which is too rare to have a writer of its own.
      append(privacy) { $0.append(String(value, radix: Int(format.radix))) }
      return
    }
    append(privacy) { text in
      if value < 0 { text.append("-" as StaticString) }
      text.append(format.prefix)
      text.append(
        magnitude: magnitude, radix: format.radix, minDigits: format.minDigits)
    }
  }

  /// Appends a number.
  public mutating func appendInterpolation(
    _ value: Double, format: LogFloatFormat = .shortest, privacy: AmbientPrivacy = .public
  ) {
    append(privacy) { format.write(value, to: &$0) }
  }

  /// Appends a number.
  public mutating func appendInterpolation(
    _ value: Float, format: LogFloatFormat = .shortest, privacy: AmbientPrivacy = .public
  ) {
    append(privacy) { text in
      switch format {
      case .shortest: text.append(value.description)
      default: format.write(Double(value), to: &text)
      }
    }
  }
}

extension InlineText {
  mutating func append(magnitude: UInt64, radix: UInt64, minDigits: Int) {
    withUnsafeTemporaryAllocation(byteCount: 64, alignment: 8) { bytes in
      let count = DigitWriter.write(magnitude, radix: radix, minDigits: minDigits, to: bytes)
      append(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
    }
  }
}
