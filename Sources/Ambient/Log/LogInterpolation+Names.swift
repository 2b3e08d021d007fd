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
    let start = text.count
    text.append(integer: Int64(value))
    note(.integer, isPlain: true, from: start, name)
  }

  @usableFromInline @inline(never)
  mutating func append(text value: String, _ name: String, _ privacy: AmbientPrivacy) {
    guard case .public = privacy else { return append(value: .string(value), name, privacy) }
    let start = text.count
    text.append(value)
    note(.string, isPlain: nil, from: start, name)
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
    FieldBytes.with(shown, depth: 0) { note($0, isPlain: $1, name, $2) }
  }

  /// Adds a field whose value is the end of the text.
  @inline(__always)
  private mutating func note(_ kind: FieldKind, isPlain: Bool?, from start: Int, _ name: String) {
    text.withBytes { bytes in
      let value = UnsafeRawBufferPointer(rebasing: bytes[start...])
      note(kind, isPlain: isPlain ?? PlainText.isPlainWord(value), name, value)
    }
  }

  @inline(__always)
  private mutating func note(
    _ kind: FieldKind, isPlain: Bool, _ name: String, _ value: UnsafeRawBufferPointer
  ) {
    var name = name
    // Valid: the bytes are the name's own, for the time of the closure.
    name.withUTF8 { bytes in
      let name = UnsafeRawBufferPointer(bytes)
      if fields == nil { fields = FieldBytes(forNames: ()) }
      fields?.add(kind, isPlain: isPlain, name: name, value: value)
    }
  }
}
