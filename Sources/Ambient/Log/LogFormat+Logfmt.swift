// SPDX-License-Identifier: Apache-2.0

internal import AmbientSystem

extension LogFormat {
  func writeLogfmt(
    _ date: Date, _ level: LogLevel, _ message: LogMessage, _ metadata: FieldBytes?,
    _ source: SourcePlace, to line: inout LineBuffer
  ) {
    line.append("time=")
    line.append(timestamp: date, offset)
    line.append(" level=")
    line.append(level.literal)
    line.append(" msg=\"")
    message.withUTF8 { line.append(escaping: $0, .quoted) }
    line.append(UInt8(ascii: "\""))
    message.read(metadata) { line.append(logfmt: $0) }
    guard showsSource else { return }
    line.append(" source=")
    line.append(bareOrQuotedText: "\(source.fileID):\(source.line)")
    line.append(" function=")
    line.append(bareOrQuotedText: source.function)
  }
}

extension LineBuffer {
  /// Appends ` name=value` for each field; `metadata.` precedes a name that the line itself uses.
  fileprivate mutating func append(logfmt fields: FieldReader) {
    var reader = fields
    while let field = reader.next() {
      let isTaken = Self.isTaken(field.name)
      if field.isNamePlain, field.form == .plain, !isTaken {
        appendPlain(key: field.name, value: field.text)
      } else if !isTaken, field.kind != .fields, field.kind != .array {
        append(key: field)
        append(bareOrQuoted: field)
      } else {
        let name = String(decoding: field.name, as: UTF8.self)
        append(pairs: field, isTaken ? "metadata.\(name)" : name)
      }
    }
  }

  /// Whether the line itself uses the name, such as `msg`; the first byte rules out most names.
  @inline(__always)
  private static func isTaken(_ name: UnsafeRawBufferPointer) -> Bool {
    guard let first = name.first else { return false }
    return switch first {
    case UInt8(ascii: "m"): name.elementsEqual("msg".utf8)
    case UInt8(ascii: "t"): name.elementsEqual("time".utf8)
    case UInt8(ascii: "l"): name.elementsEqual("level".utf8)
    case UInt8(ascii: "s"): name.elementsEqual("source".utf8)
    case UInt8(ascii: "f"): name.elementsEqual("function".utf8)
    default: false
    }
  }

  /// Appends ` name=value`, or a pair for each member of a group, such as ` name.inner=value`.
  private mutating func append(pairs field: FieldReader.Field, _ name: String) {
    if field.kind == .fields, !field.value.isEmpty {
      var reader = field.inner
      while let inner = reader.next() {
        append(pairs: inner, "\(name).\(String(decoding: inner.name, as: UTF8.self))")
      }
      return
    }
    append(UInt8(ascii: " "))
    name.withBytes { append(key: $0) }
    append(UInt8(ascii: "="))
    switch field.kind {
    case .array, .fields:
      // If the JSON is written between quotation marks, its own quotation marks are escaped again.
      LineBuffer.with { inner in
        inner.append(json: field)
        let isBare = inner.bytes.allSatisfy(EscapeScan.isBare)
        if isBare { append(inner.bytes) } else { append(quoted: inner.bytes) }
      }
    default: append(bareOrQuoted: field)
    }
  }

  fileprivate mutating func append(bareOrQuotedText text: String) {
    text.withBytes { append(bareOrQuoted: $0) }
  }
}
