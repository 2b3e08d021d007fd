/// Interpolations that append a number and have no parameter for a field name.
extension LogInterpolation {
  // The generic methods for an integer are inlinable, so that the conversion to 64 bits is
  // specialised for the caller's type.

  /// Appends an integer.
  ///
  /// - Parameters:
  ///   - value: The value to append.
  ///   - privacy: Whether the value is shown, or replaced by a mark or by its hash.
  @inlinable
  public mutating func appendInterpolation(
    _ value: some FixedWidthInteger, privacy: AmbientPrivacy = .public
  ) {
    appendInterpolation(value, format: .decimal, privacy: privacy)
  }

  /// Appends an integer in the given format.
  ///
  /// - Parameters:
  ///   - value: The value to append.
  ///   - format: The format of the value in the text.
  ///   - privacy: Whether the value is shown, or replaced by a mark or by its hash.
  @inlinable
  public mutating func appendInterpolation(
    _ value: some FixedWidthInteger, format: LogIntegerFormat, privacy: AmbientPrivacy = .public
  ) {
    if let magnitude = UInt64(exactly: value.magnitude) {
      append(magnitude: magnitude, isNegative: value < 0, format, privacy)
    } else {
      append(
        wide: String(value.magnitude, radix: format.radix), isNegative: value < 0, format, privacy)
    }
  }

  @usableFromInline
  mutating func append(
    magnitude: UInt64, isNegative: Bool, _ format: LogIntegerFormat, _ privacy: AmbientPrivacy
  ) {
    if case .public = privacy, format.isDefault {
      text.append(magnitude: magnitude, radix: 10, minDigits: 1, isNegative: isNegative)
    } else {
      append(magnitude: magnitude, isNegative: isNegative, formatted: format, privacy)
    }
  }

  @inline(never)
  private mutating func append(
    magnitude: UInt64, isNegative: Bool, formatted format: LogIntegerFormat,
    _ privacy: AmbientPrivacy
  ) {
    append(privacy, .string("\(isNegative ? "-" : "")\(magnitude)")) { text in
      format.start(&text, isNegative: isNegative)
      text.append(
        magnitude: magnitude, radix: UInt64(format.radix), minDigits: format.minDigits)
    }
  }

  /// Appends an integer of more than 64 bits through a String: such integers are too rare for a
  /// writer of their own.
  @usableFromInline
  mutating func append(
    wide digits: String, isNegative: Bool, _ format: LogIntegerFormat, _ privacy: AmbientPrivacy
  ) {
    append(privacy, .string("\(isNegative ? "-" : "")\(digits)")) { text in
      format.start(&text, isNegative: isNegative)
      for _ in digits.utf8.count..<max(digits.utf8.count, min(format.minDigits, 64)) {
        text.append(UInt8(ascii: "0"))
      }
      text.append(digits)
    }
  }

  /// Appends a number.
  ///
  /// - Parameters:
  ///   - value: The value to append.
  ///   - privacy: Whether the value is shown, or replaced by a mark or by its hash.
  public mutating func appendInterpolation(_ value: Double, privacy: AmbientPrivacy = .public) {
    append(privacy, .double(value)) { value.withOneNaN.write(to: &$0) }
  }

  /// Appends a number in the given format.
  ///
  /// - Parameters:
  ///   - value: The value to append.
  ///   - format: The format of the value in the text.
  ///   - privacy: Whether the value is shown, or replaced by a mark or by its hash.
  public mutating func appendInterpolation(
    _ value: Double, format: LogFloatFormat, privacy: AmbientPrivacy = .public
  ) {
    append(privacy, .double(value)) { format.write(value, to: &$0) }
  }

  /// Appends a number.
  ///
  /// - Parameters:
  ///   - value: The value to append.
  ///   - privacy: Whether the value is shown, or replaced by a mark or by its hash.
  public mutating func appendInterpolation(_ value: Float, privacy: AmbientPrivacy = .public) {
    append(privacy, value.ambientValue) { value.withOneNaN.write(to: &$0) }
  }

  /// Appends a number in the given format.
  ///
  /// - Parameters:
  ///   - value: The value to append.
  ///   - format: The format of the value in the text.
  ///   - privacy: Whether the value is shown, or replaced by a mark or by its hash.
  public mutating func appendInterpolation(
    _ value: Float, format: LogFloatFormat, privacy: AmbientPrivacy = .public
  ) {
    append(privacy, value.ambientValue) { text in
      if format == .shortest {
        value.withOneNaN.write(to: &text)
      } else {
        format.write(Double(value), to: &text)
      }
    }
  }

  /// Appends a number in the given format, or `nil` if the number is nil.
  ///
  /// - Parameters:
  ///   - value: The value to append.
  ///   - format: The format of the value in the text.
  ///   - privacy: Whether the value is shown, or replaced by a mark or by its hash.
  public mutating func appendInterpolation(
    _ value: Double?, format: LogFloatFormat, privacy: AmbientPrivacy = .public
  ) {
    guard let value else { return appendNil(privacy) }
    appendInterpolation(value, format: format, privacy: privacy)
  }

  /// Appends a number in the given format, or `nil` if the number is nil.
  ///
  /// - Parameters:
  ///   - value: The value to append.
  ///   - format: The format of the value in the text.
  ///   - privacy: Whether the value is shown, or replaced by a mark or by its hash.
  public mutating func appendInterpolation(
    _ value: Float?, format: LogFloatFormat, privacy: AmbientPrivacy = .public
  ) {
    guard let value else { return appendNil(privacy) }
    appendInterpolation(value, format: format, privacy: privacy)
  }

  /// Appends an integer in the given format, or `nil` if the integer is nil.
  ///
  /// - Parameters:
  ///   - value: The value to append.
  ///   - format: The format of the value in the text.
  ///   - privacy: Whether the value is shown, or replaced by a mark or by its hash.
  public mutating func appendInterpolation<Value: FixedWidthInteger>(
    _ value: Value?, format: LogIntegerFormat, privacy: AmbientPrivacy = .public
  ) {
    guard let value else { return appendNil(privacy) }
    appendInterpolation(value, format: format, privacy: privacy)
  }

  private mutating func appendNil(_ privacy: AmbientPrivacy) {
    append(privacy, .null) { $0.append("nil") }
  }
}
