// SPDX-License-Identifier: Apache-2.0

/// Interpolations with a name, which also add the value to the record's fields.
extension LogInterpolation {
  /// Appends a value to the text, and adds it with its type to the record's fields, under a literal
  /// name.
  ///
  /// The text shows the value as the field does. A value that is not public is replaced by a mark,
  /// in the text and in the field, unless ``AmbientPrivacy/isRevealing`` is true. A nil is `nil` in
  /// the text. A nil or an empty group gets no field; but if `privacy` hides the value, it gets a
  /// mark like any other value. A repeated name keeps its first position and takes the last value.
  /// A field of the call's metadata wins over a named value, and keeps its position in the
  /// metadata.
  ///
  /// The method is inlinable, so that the compiler chooses the branch for the value's type.
  ///
  /// - Parameters:
  ///   - value: The value to append.
  ///   - name: The name of the field that holds the value with its type.
  ///   - privacy: Whether the value is shown, or replaced by the mark `<private>` or a hash.
  @inlinable
  public mutating func appendInterpolation<Value: AmbientValueConvertible>(
    _ value: Value, name: StaticString, privacy: AmbientPrivacy = .public
  ) {
    if let value = value as? Int {
      append(integer: value, name, privacy)
    } else if let value = value as? String {
      append(text: value, name, privacy)
    } else {
      append(value: value.ambientValue, name, privacy)
    }
  }

  /// Appends a value, and adds it as a field called `name`.
  ///
  /// A nil appends `nil`. A nil or an empty group adds no field; but if `privacy` hides the value,
  /// it gets a mark like any other value.
  ///
  /// - Parameters:
  ///   - value: The value to append.
  ///   - name: The name of the field that holds the value with its type.
  ///   - privacy: Whether the value is shown, or replaced by the mark `<private>` or a hash.
  @inlinable
  public mutating func appendInterpolation<Value: AmbientValueConvertible>(
    _ value: Value?, name: StaticString, privacy: AmbientPrivacy = .public
  ) {
    if let value {
      appendInterpolation(value, name: name, privacy: privacy)
    } else {
      append(value: .null, name, privacy)
    }
  }

  /// Appends a number in the given format and, if there is a name, adds the number itself to the
  /// record's fields.
  ///
  /// A nil is `nil` in the text, and adds no field. If `privacy` hides the value, a mark is written
  /// instead, in the text and in the fields, even for nil.
  ///
  /// - Parameters:
  ///   - value: The value to append.
  ///   - format: The format of the value in the text.
  ///   - name: The name of the field that holds the number; nil for no field.
  ///   - privacy: Whether the value is shown, or replaced by a mark or by its hash.
  public mutating func appendInterpolation(
    _ value: Double?, format: LogFloatFormat, name: StaticString? = nil,
    privacy: AmbientPrivacy = .public
  ) {
    append(value.ambientValue, name, privacy) { format.write(value ?? 0, to: &$0) }
  }

  /// Appends a number in the given format and, if there is a name, adds the number itself to the
  /// record's fields.
  ///
  /// A nil is `nil` in the text, and adds no field. If `privacy` hides the value, a mark is written
  /// instead, in the text and in the fields, even for nil.
  ///
  /// - Parameters:
  ///   - value: The value to append.
  ///   - format: The format of the value in the text.
  ///   - name: The name of the field that holds the number; nil for no field.
  ///   - privacy: Whether the value is shown, or replaced by a mark or by its hash.
  public mutating func appendInterpolation(
    _ value: Float?, format: LogFloatFormat, name: StaticString? = nil,
    privacy: AmbientPrivacy = .public
  ) {
    append(value.ambientValue, name, privacy) { text in
      if let value, format.isShortest(for: Double(value)) {
        value.withOneNaN.write(to: &text)
      } else {
        format.write(Double(value ?? 0), to: &text)
      }
    }
  }

  /// Appends a number, written by `write` unless it is null or hidden.
  private mutating func append(
    _ value: AmbientValue, _ name: StaticString?, _ privacy: AmbientPrivacy,
    _ write: (inout MessageText) -> Void
  ) {
    let isNull = if case .null = value { true } else { false }
    guard let name else {
      return append(privacy, value) { isNull ? $0.append("nil") : write(&$0) }
    }
    if isNull { return append(value: value, name, privacy) }
    guard privacy.isShown else { return append(markOf: value, privacy, name) }
    write(&text)
    note(value, name, privacy)
  }

  @usableFromInline @inline(never)
  mutating func append(integer value: Int, _ name: StaticString, _ privacy: AmbientPrivacy) {
    guard case .public = privacy else {
      return append(value: .integer(Int64(value)), name, privacy)
    }
    let start = text.count
    text.append(magnitude: UInt64(value.magnitude), radix: 10, minDigits: 1, isNegative: value < 0)
    refer(.integer, name, from: start)
  }

  @usableFromInline @inline(never)
  mutating func append(text value: String, _ name: StaticString, _ privacy: AmbientPrivacy) {
    guard case .public = privacy else { return append(value: .string(value), name, privacy) }
    let start = text.count
    text.append(value)
    refer(.string, name, from: start)
  }

  @usableFromInline @inline(never)
  mutating func append(value: AmbientValue, _ name: StaticString, _ privacy: AmbientPrivacy) {
    guard privacy.isShown else { return append(markOf: value, privacy, name) }
    let start = text.count
    append(shown: value)
    if case .public = privacy, let kind = value.kindOfText {
      refer(kind, name, from: start)
    } else {
      note(value, name, privacy)
    }
  }

  /// Appends a value as a field shows it. Calls `noteRevealed` if the value is not public, or
  /// contains a value that is not public.
  mutating func append(shown value: AmbientValue) {
    switch value {
    case .null: text.append("nil")
    case .boolean(let value): text.append(value ? "true" as StaticString : "false")
    case .integer(let value): text.append(integer: value)
    case .unsigned(let value): text.append(magnitude: value, radix: 10, minDigits: 1)
    case .double(let value): value.withOneNaN.write(to: &text)
    case .string(let value): text.append(value)
    case .date(let value): text.append(date: value)
    case .array, .fields:
      if value.isRevealed { noteRevealed() }
      text.append(value.shown)
    case .revealed(let value, _):
      noteRevealed()
      append(shown: value)
    }
  }

  /// Appends the mark that hides a value, and makes the mark the field's value. A nil is hidden,
  /// too.
  private mutating func append(
    markOf value: AmbientValue, _ privacy: AmbientPrivacy, _ name: StaticString
  ) {
    let start = text.count
    append(markOf: value, privacy)
    refer(.string, name, from: start)
  }

  /// Adds a field whose value is the text from `start` on.
  @inline(__always)
  private mutating func refer(_ kind: FieldKind, _ name: StaticString, from start: Int) {
    let form = kind.form(of: text, from: start)
    // A StaticString of a single Unicode scalar has no bytes in memory to refer to.
    if fields == nil, name.hasPointerRepresentation {
      // Valid: a literal's bytes live as long as the program.
      let bytes = UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
      if text.refer(kind, form, name: bytes, from: start) { return }
    }
    add(kind, form, name, from: start)
  }

  @inline(never)
  private mutating func add(
    _ kind: FieldKind, _ form: TextForm, _ name: StaticString, from start: Int
  ) {
    text.withBytes { text in
      let value = UnsafeRawBufferPointer(rebasing: text[start...])
      name.withUTF8Buffer { add(kind, form, UnsafeRawBufferPointer($0), value) }
    }
  }

  /// Adds a field whose value differs from the text or is not public. Marks the field with the
  /// call's privacy and with each privacy that the value itself has.
  private mutating func note(
    _ value: AmbientValue, _ name: StaticString, _ privacy: AmbientPrivacy
  ) {
    if value.isAbsent { return }
    name.withUTF8Buffer { name in
      let name = UnsafeRawBufferPointer(name)
      FieldBytes.with(value) { add($0.kind, $0.form, name, $0.value) }
      mark(name, privacy)
      var value = value
      while case .revealed(let inner, let privacy) = value {
        mark(name, privacy)
        value = inner
      }
    }
  }

  /// Marks the field called `name` as not public, unless `privacy` is public.
  private mutating func mark(_ name: UnsafeRawBufferPointer, _ privacy: AmbientPrivacy) {
    if case .public = privacy { return }
    noteRevealed()
    if let place = fields?.place(of: name) { fields?.mark(privacy, at: place.offset) }
  }

  /// Adds the named values of another message. Each value keeps its own privacy, and is also marked
  /// with `privacy`, which is that of the whole message.
  mutating func addNames(of message: LogMessage, _ privacy: AmbientPrivacy) {
    message.readNames { reader in
      var reader = reader
      while let field = reader.next() {
        add(field.kind, field.form, field.name, field.value)
        mark(field.name, privacy)
        if let privacy = field.revealed { mark(field.name, privacy) }
      }
    }
  }

  @inline(never)
  private mutating func add(
    _ kind: FieldKind, _ form: TextForm, _ name: UnsafeRawBufferPointer,
    _ value: UnsafeRawBufferPointer
  ) {
    if fields == nil { fields = text.takeReferences() }
    fields?.add(kind, form, name: name, value: value)
  }
}

extension AmbientValue {
  /// The kind of a field with this value, if the field's bytes equal the value's text in a message;
  /// else nil.
  fileprivate var kindOfText: FieldKind? {
    switch self {
    case .boolean: .boolean
    case .integer: .integer
    case .unsigned: .unsigned
    case .double: .double
    case .string: .string
    case .null, .date, .array, .fields, .revealed: nil
    }
  }
}

extension FieldKind {
  /// Returns the form of a value of this kind: whether the value can be copied into lines without
  /// escaping. The value is the part of `text` from `start` on.
  @inline(__always)
  fileprivate func form(of text: MessageText, from start: Int) -> TextForm {
    switch self {
    case .string:
      text.withBytes { EscapeScan.form(of: UnsafeRawBufferPointer(rebasing: $0[start...])) }
    case .double:
      // Infinities and NaN end with a letter; JSON has no form for them, so they become texts.
      text.withBytes { $0[$0.count &- 1] &- UInt8(ascii: "0") < 10 } ? .plain : .quotable
    default: .plain
    }
  }
}
