/// Interpolations of formatted numbers that are optional, or that are also added as a field.
extension LogInterpolation {
  /// Appends a number in the given format, and adds the number itself to the record's fields.
  ///
  /// - Parameters:
  ///   - value: The value to append.
  ///   - format: The format of the value in the text.
  ///   - name: The name of the field that holds the value with its type.
  ///   - privacy: Whether the value is shown, or replaced by a mark or by its hash.
  public mutating func appendInterpolation(
    _ value: Double, format: LogFloatFormat, name: StaticString, privacy: AmbientPrivacy = .public
  ) {
    guard privacy.isShown else { return append(markOf: .double(value), privacy, name) }
    appendInterpolation(value, format: format)
    note(.double(value), name, privacy)
  }

  /// Appends a number in the given format, and adds the number itself to the record's fields.
  ///
  /// - Parameters:
  ///   - value: The value to append.
  ///   - format: The format of the value in the text.
  ///   - name: The name of the field that holds the value with its type.
  ///   - privacy: Whether the value is shown, or replaced by a mark or by its hash.
  public mutating func appendInterpolation(
    _ value: Float, format: LogFloatFormat, name: StaticString, privacy: AmbientPrivacy = .public
  ) {
    guard privacy.isShown else { return append(markOf: value.ambientValue, privacy, name) }
    appendInterpolation(value, format: format)
    note(value.ambientValue, name, privacy)
  }

  /// Appends an integer in the given format, and adds the integer itself to the record's fields.
  ///
  /// - Parameters:
  ///   - value: The value to append.
  ///   - format: The format of the value in the text.
  ///   - name: The name of the field that holds the value with its type.
  ///   - privacy: Whether the value is shown, or replaced by a mark or by its hash.
  public mutating func appendInterpolation<Value: FixedWidthInteger & AmbientValueConvertible>(
    _ value: Value, format: LogIntegerFormat, name: StaticString, privacy: AmbientPrivacy = .public
  ) {
    guard privacy.isShown else { return append(markOf: value.ambientValue, privacy, name) }
    appendInterpolation(value, format: format)
    note(value.ambientValue, name, privacy)
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

  /// Appends a number in the given format, and adds the number itself to the record's fields. If
  /// `privacy` hides the value, a nil gets a mark, like a number. Otherwise, a nil appends `nil`
  /// and adds no field.
  ///
  /// - Parameters:
  ///   - value: The value to append.
  ///   - format: The format of the value in the text.
  ///   - name: The name of the field that holds the value with its type.
  ///   - privacy: Whether the value is shown, or replaced by a mark or by its hash.
  public mutating func appendInterpolation(
    _ value: Double?, format: LogFloatFormat, name: StaticString, privacy: AmbientPrivacy = .public
  ) {
    guard let value else { return append(value: .null, name, privacy) }
    appendInterpolation(value, format: format, name: name, privacy: privacy)
  }

  /// Appends a number in the given format, and adds the number itself to the record's fields. If
  /// `privacy` hides the value, a nil gets a mark, like a number. Otherwise, a nil appends `nil`
  /// and adds no field.
  ///
  /// - Parameters:
  ///   - value: The value to append.
  ///   - format: The format of the value in the text.
  ///   - name: The name of the field that holds the value with its type.
  ///   - privacy: Whether the value is shown, or replaced by a mark or by its hash.
  public mutating func appendInterpolation(
    _ value: Float?, format: LogFloatFormat, name: StaticString, privacy: AmbientPrivacy = .public
  ) {
    guard let value else { return append(value: .null, name, privacy) }
    appendInterpolation(value, format: format, name: name, privacy: privacy)
  }

  /// Appends an integer in the given format, and adds the integer itself to the record's fields.
  /// If `privacy` hides the value, a nil gets a mark, like an integer. Otherwise, a nil appends
  /// `nil` and adds no field.
  ///
  /// - Parameters:
  ///   - value: The value to append.
  ///   - format: The format of the value in the text.
  ///   - name: The name of the field that holds the value with its type.
  ///   - privacy: Whether the value is shown, or replaced by a mark or by its hash.
  public mutating func appendInterpolation<Value: FixedWidthInteger & AmbientValueConvertible>(
    _ value: Value?, format: LogIntegerFormat, name: StaticString,
    privacy: AmbientPrivacy = .public
  ) {
    guard let value else { return append(value: .null, name, privacy) }
    appendInterpolation(value, format: format, name: name, privacy: privacy)
  }

  private mutating func appendNil(_ privacy: AmbientPrivacy) {
    append(privacy, .null) { $0.append("nil") }
  }
}
