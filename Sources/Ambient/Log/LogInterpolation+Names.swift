extension LogInterpolation {
  /// Appends a value to the text, and to the record's fields by that name, with its type.
  ///
  /// The text shows the value as the fields have it. What is not public is replaced by its mark in
  /// both. What is nil is `nil` in the text, and in no field. Of a name that the call's metadata
  /// has, too, that value counts.
  ///
  /// Inlinable, so that the usual types are told apart by the compiler.
  @inlinable
  public mutating func appendInterpolation<Value: AmbientValueConvertible>(
    _ value: Value, name: String, privacy: AmbientPrivacy = .public
  ) {
    if let value = value as? Int {
      append(integer: value, name, privacy)
    } else if let value = value as? String {
      append(text: value, name, privacy)
    } else {
      append(value: value.ambientValue, name, privacy)
    }
  }

  /// Appends a value, by that name, or `nil`, which is in no field.
  @inlinable
  public mutating func appendInterpolation<Value: AmbientValueConvertible>(
    _ value: Value?, name: String, privacy: AmbientPrivacy = .public
  ) {
    if let value {
      appendInterpolation(value, name: name, privacy: privacy)
    } else {
      append(value: .null, name, privacy)
    }
  }

  /// Appends a number, rounded in the text, and as it is in the record's fields.
  public mutating func appendInterpolation(
    _ value: Double, format: LogFloatFormat, name: String, privacy: AmbientPrivacy = .public
  ) {
    appendInterpolation(value, format: format, privacy: privacy)
    note(.double(value), name, privacy)
  }

  /// Appends a whole number in that format, and as it is to the record's fields.
  public mutating func appendInterpolation<Value: FixedWidthInteger & AmbientValueConvertible>(
    _ value: Value, format: LogIntegerFormat, name: String, privacy: AmbientPrivacy = .public
  ) {
    appendInterpolation(value, format: format, privacy: privacy)
    note(value.ambientValue, name, privacy)
  }

  @usableFromInline @inline(never)
  mutating func append(integer value: Int, _ name: String, _ privacy: AmbientPrivacy) {
    guard case .public = privacy else {
      return append(value: .integer(Int64(value)), name, privacy)
    }
    FieldBytes.with(integer: Int64(value)) { digits in
      text.append(digits)
      add(.integer, .plain, name, digits)
    }
  }

  @usableFromInline @inline(never)
  mutating func append(text value: String, _ name: String, _ privacy: AmbientPrivacy) {
    guard case .public = privacy else { return append(value: .string(value), name, privacy) }
    value.withBytes { bytes in
      text.append(bytes)
      add(.string, PlainText.form(of: bytes), name, bytes)
    }
  }

  @usableFromInline @inline(never)
  mutating func append(value: AmbientValue, _ name: String, _ privacy: AmbientPrivacy) {
    append(privacy) { text in
      switch value {
      case .null: text.append("nil" as StaticString)
      case .string(let value): text.append(value)
      case .double(let value): value.write(to: &text)
      case .date(let value): text.append(date: value)
      default: text.append(value.description)
      }
    }
    note(value, name, privacy)
  }

  /// Adds the field, or the mark that stands for it.
  private mutating func note(_ value: AmbientValue, _ name: String, _ privacy: AmbientPrivacy) {
    if value.isAbsent { return }
    var shown = value
    switch privacy {
    case .public: break
    case .private: shown = .private(value)
    case .sensitive(.hash): shown = .sensitive(value)
    }
    FieldBytes.with(shown, depth: 0) { add($0, $1, name, $2) }
  }

  @inline(__always)
  private mutating func add(
    _ kind: FieldKind, _ form: TextForm, _ name: String, _ value: UnsafeRawBufferPointer
  ) {
    name.withBytes { name in
      if fields == nil { fields = FieldBytes(forNames: ()) }
      fields?.add(kind, form, name: name, value: value)
    }
  }
}
