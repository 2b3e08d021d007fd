// SPDX-License-Identifier: Apache-2.0

extension AmbientValue {
  /// The value as JSON, for the body of a request.
  ///
  /// Text is escaped as in the lines of ``LogFormat/json``. Dates are the texts of ``date(_:)``,
  /// infinities and NaN are texts, and a whole ``double(_:)`` up to 2^53 is an integer (`12`, not
  /// `12.0`).
  ///
  /// Private values are replaced by marks, even where ``AmbientPrivacy/isRevealing`` shows them.
  public var json: String {
    LineBuffer.with { line in
      line.append(json: sent)
      return line.text
    }
  }

  /// The value as requests send it: private values are redacted, and whole doubles are integers.
  fileprivate var sent: AmbientValue { redacted.withoutFractions }

  /// The value with whole doubles as integers, because some servers read `12.0` as a text.
  private var withoutFractions: AmbientValue {
    switch self {
    // Beyond 2^53, a double is not converted, because its text ends with an exponent, not in `.0`.
    case .double(let value) where value.magnitude <= 9_007_199_254_740_992:
      Int64(exactly: value).map(AmbientValue.integer) ?? self
    case .array(let values): .array(values.map(\.withoutFractions))
    case .fields(let fields):
      .fields(
        AmbientFields(
          list: fields.map { .init(name: $0.name, value: $0.value.withoutFractions) }))
    default: self
    }
  }
}

extension LineBuffer {
  mutating func append(json value: AmbientValue) {
    FieldBytes.with(value) { append(json: $0) }
  }
}

/// Methods that append JSON to the body of a request, which is assembled from pieces.
extension [UInt8] {
  /// Appends the JSON text that ``AmbientValue/json`` returns for the value.
  package mutating func append(json value: AmbientValue) {
    LineBuffer.with { line in
      line.append(json: value.sent)
      self += line.bytes
    }
  }

  /// Appends the text as a JSON string, in quotation marks.
  package mutating func append(json text: String) { text.withBytes { append(quoted: $0) } }

  /// Appends the text as a part of a JSON string, without quotation marks.
  package mutating func append(unquoted text: String) {
    LineBuffer.with { line in
      line.append(escaping: text, .quoted)
      self += line.bytes
    }
  }

  /// Appends the bytes of a text as a JSON string, in quotation marks.
  package mutating func append(json text: ArraySlice<UInt8>) {
    text.withUnsafeBytes { append(quoted: $0) }
  }

  private mutating func append(quoted text: UnsafeRawBufferPointer) {
    LineBuffer.with { line in
      line.append(quoted: text)
      self += line.bytes
    }
  }
}
