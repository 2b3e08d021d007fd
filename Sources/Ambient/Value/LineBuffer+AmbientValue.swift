// SPDX-License-Identifier: Apache-2.0

/// Values in JSON.
extension LineBuffer {
  /// Appends the fields as an object.
  mutating func append(json fields: FieldReader) {
    var reader = fields
    var separator = UInt8(ascii: "{")
    while let field = reader.next() {
      if field.isNamePlain, let isQuoted = field.isQuotedInJSON {
        append(separator, key: field.name, value: field.text, isQuoted: isQuoted)
      } else {
        append(separator)
        append(quoted: field.name)
        append(UInt8(ascii: ":"))
        append(json: field)
      }
      separator = UInt8(ascii: ",")
    }
    if fields.isAtEnd { append(UInt8(ascii: "{")) }
    append(UInt8(ascii: "}"))
  }

  /// Appends the value of the field.
  mutating func append(json field: FieldReader.Field) {
    if let isQuoted = field.isQuotedInJSON {
      return isQuoted ? appendPlain(quoted: field.text) : appendPlain(field.text)
    }
    switch field.kind {
    case .fields: append(json: field.inner)
    case .array: append(array: field.inner)
    default: append(quoted: field.text)
    }
  }

  private mutating func append(array values: FieldReader) {
    var reader = values
    append(UInt8(ascii: "["))
    var isFirst = true
    while let value = reader.next() {
      if !isFirst { append(UInt8(ascii: ",")) }
      isFirst = false
      append(json: value)
    }
    append(UInt8(ascii: "]"))
  }

  /// Appends the text between quotation marks, escaped.
  mutating func append(quoted text: UnsafeRawBufferPointer) {
    append(0x22)
    append(escaping: text, .quoted)
    append(0x22)
  }

  mutating func append(json text: String) {
    text.withBytes { text in
      if EscapeScan.isPlain(text) { appendPlain(quoted: text) } else { append(quoted: text) }
    }
  }

  /// Appends plain text, which needs no escapes.
  @inline(__always)
  mutating func appendPlain(_ text: UnsafeRawBufferPointer) {
    append(capacity: text.count) { target in
      guard let start = target.baseAddress else { return 0 }
      ShortCopy.copy(text, to: start)
      return text.count
    }
  }

  /// Appends the separator and `"name":value`; name and value must be plain.
  @inline(__always)
  private mutating func append(
    _ separator: UInt8, key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer, isQuoted: Bool
  ) {
    append(capacity: key.count &+ value.count &+ 6) { target in
      guard let start = target.baseAddress else { return 0 }
      // Valid: there is room for the name, the value and six bytes.
      start.storeBytes(of: separator, as: UInt8.self)
      start.storeBytes(of: 0x22, toByteOffset: 1, as: UInt8.self)
      var end = ShortCopy.copy(key, to: start + 2)
      end.storeBytes(of: 0x22, as: UInt8.self)
      end.storeBytes(of: UInt8(ascii: ":"), toByteOffset: 1, as: UInt8.self)
      guard isQuoted else { return ShortCopy.copy(value, to: end + 2) - start }
      end.storeBytes(of: 0x22, toByteOffset: 2, as: UInt8.self)
      end = ShortCopy.copy(value, to: end + 3)
      end.storeBytes(of: 0x22, as: UInt8.self)
      return end - start + 1
    }
  }

  /// Appends plain text between quotation marks.
  @inline(__always)
  private mutating func appendPlain(quoted text: UnsafeRawBufferPointer) {
    append(capacity: text.count &+ 2) { target in
      guard let start = target.baseAddress else { return 0 }
      // Valid: there is room for the text and two bytes.
      start.storeBytes(of: 0x22, as: UInt8.self)
      ShortCopy.copy(text, to: start + 1).storeBytes(of: 0x22, as: UInt8.self)
      return text.count &+ 2
    }
  }
}

/// Writes names and values for human readers: bare where their end is unambiguous, otherwise
/// quoted.
extension LineBuffer {
  /// Appends ` name=value` for each field.
  mutating func append(pairs fields: FieldReader) {
    var reader = fields
    while let field = reader.next() {
      if field.isNamePlain, field.form == .plain {
        appendPlain(key: field.name, value: field.text)
        continue
      }
      append(key: field)
      append(bareOrQuoted: field)
    }
  }

  /// Appends ` name=`.
  @inline(__always)
  mutating func append(key field: FieldReader.Field) {
    append(UInt8(ascii: " "))
    if field.isNamePlain { appendPlain(field.name) } else { append(key: field.name) }
    append(UInt8(ascii: "="))
  }

  /// Appends ` name=value`. Neither the name nor the value may need escapes or quotation marks.
  @inline(__always)
  mutating func appendPlain(key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
    let size = key.count &+ value.count &+ 2
    append(capacity: size) { target in
      guard let start = target.baseAddress else { return 0 }
      // Valid: there is room for the name, the value and two bytes.
      start.storeBytes(of: UInt8(ascii: " "), as: UInt8.self)
      let end = ShortCopy.copy(key, to: start + 1)
      end.storeBytes(of: UInt8(ascii: "="), as: UInt8.self)
      ShortCopy.copy(value, to: end + 1)
      return size
    }
  }

  /// Appends a name, or `_` if the name is empty. Each character that would make the end of the
  /// name ambiguous becomes `_`.
  ///
  /// U+FFFD also becomes `_`, because readers of logfmt take a name with U+FFFD for invalid UTF-8.
  @inline(never)
  mutating func append(key: UnsafeRawBufferPointer) {
    if key.isEmpty { return append(UInt8(ascii: "_")) }
    var place = 0
    while place < key.count {
      let byte = key[place]
      if byte < 0x80 {
        append(EscapeScan.isBare(byte) ? byte : UInt8(ascii: "_"))
        place += 1
      } else if let (scalar, _) = UTF8Reader.scalar(key, at: place), !Self.isBlank(scalar) {
        place += append(special: key, at: place, quoted: false)
      } else {
        append(UInt8(ascii: "_"))
        place += UTF8Reader.scalar(key, at: place)?.length ?? 1
      }
    }
  }

  /// Whether the character looks like a gap between two names, or like invalid UTF-8.
  private static func isBlank(_ scalar: UInt32) -> Bool {
    scalar == 0xFFFD || scalar == 0x2800
      || Unicode.Scalar(scalar)?.properties.generalCategory == .spaceSeparator
  }

  /// Appends the value, bare if its end is unambiguous, else between quotation marks.
  @inline(__always)
  mutating func append(bareOrQuoted field: FieldReader.Field) {
    switch field.form {
    case .plain: appendPlain(field.text)
    // Infinity and NaN are quoted in JSON only; here they are written bare.
    case .quotable where field.kind == .double: appendPlain(field.text)
    case .quotable: appendPlain(quoted: field.text)
    case .special: append(special: field)
    }
  }

  @inline(never)
  private mutating func append(special field: FieldReader.Field) {
    switch field.kind {
    case .array, .fields: append(json: field)
    case .string: append(bareOrQuoted: field.value)
    default: append(quoted: field.text)
    }
  }

  mutating func append(bareOrQuoted text: UnsafeRawBufferPointer) {
    if EscapeScan.isBareWord(text) { append(text) } else { append(quoted: text) }
  }
}
