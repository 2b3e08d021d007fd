// SPDX-License-Identifier: Apache-2.0

/// Interpolations that append a number and have no parameter for a field name.
extension LogInterpolation {
  /// Appends an integer.
  ///
  /// The method is inlinable, so that the conversion to 64 bits is specialized for the caller's
  /// type.
  ///
  /// - Parameters:
  ///   - value: The value to append.
  ///   - privacy: Whether the value is shown, or replaced by the mark `<private>` or a hash.
  @inlinable
  public mutating func appendInterpolation(
    _ value: some FixedWidthInteger, privacy: AmbientPrivacy = .public
  ) {
    if let magnitude = UInt64(exactly: value.magnitude) {
      append(magnitude: magnitude, isNegative: value < 0, privacy)
    } else {
      append(wide: String(value), privacy)
    }
  }

  @usableFromInline
  mutating func append(magnitude: UInt64, isNegative: Bool, _ privacy: AmbientPrivacy) {
    if case .public = privacy {
      text.append(magnitude: magnitude, radix: 10, minDigits: 1, isNegative: isNegative)
    } else {
      append(wide: "\(isNegative ? "-" : "")\(magnitude)", privacy)
    }
  }

  /// Appends an integer that is hidden, or too wide for 64 bits, in its decimal digits.
  @inline(never) @usableFromInline
  mutating func append(wide digits: String, _ privacy: AmbientPrivacy) {
    append(privacy, .string(digits)) { $0.append(digits) }
  }

  /// Appends a number.
  ///
  /// - Parameters:
  ///   - value: The value to append.
  ///   - privacy: Whether the value is shown, or replaced by a mark or by its hash.
  public mutating func appendInterpolation(_ value: Double, privacy: AmbientPrivacy = .public) {
    append(privacy, .double(value)) { value.withOneNaN.write(to: &$0) }
  }

  /// Appends a number.
  ///
  /// - Parameters:
  ///   - value: The value to append.
  ///   - privacy: Whether the value is shown, or replaced by a mark or by its hash.
  public mutating func appendInterpolation(_ value: Float, privacy: AmbientPrivacy = .public) {
    append(privacy, value.ambientValue) { value.withOneNaN.write(to: &$0) }
  }
}
