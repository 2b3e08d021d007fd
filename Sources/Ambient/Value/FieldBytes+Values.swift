internal import AmbientSystem

/// Writing values as bytes.
extension FieldBytes {
  /// Encodes a list of fields; their names must be distinct.
  init(_ fields: [AmbientFields.Field], depth: Int = 0) {
    self.init()
    for field in fields.reversed() { prepend(field.name, field.value, depth: depth) }
  }

  @inline(never)
  mutating func prepend(_ name: String, integer value: Int64) {
    Self.with(integer: value) { digits in
      prepend(name) { $0.prepend(.integer, .plain, name: $1, value: digits) }
    }
  }

  @inline(never)
  mutating func prepend(_ name: String, text value: String) {
    value.withBytes { bytes in
      prepend(name) { $0.prepend(.string, nil, name: $1, value: bytes) }
    }
  }

  @inline(__always)
  mutating func prepend(
    _ name: String, _ body: (inout FieldBytes, UnsafeRawBufferPointer) -> Void
  ) {
    name.withBytes { body(&self, $0) }
  }

  /// Inserts a field before the others. A value deeper than 64 levels becomes null.
  @inline(__always)
  mutating func prepend(_ name: String, _ value: AmbientValue, depth: Int) {
    switch value {
    case _ where depth > Self.deepest: prepend(name, other: .null, depth: depth)
    case .integer(let value): prepend(name, integer: value)
    case .string(let value): prepend(name, text: value)
    case .boolean(let value):
      let text = Self.literal(value ? "true" : "false")
      prepend(name) { $0.prepend(.boolean, .plain, name: $1, value: text) }
    default: prepend(name, other: value, depth: depth)
    }
  }

  @inline(never)
  private mutating func prepend(_ name: String, other value: AmbientValue, depth: Int) {
    if case .revealed(let value, let privacy) = value {
      prepend(name, value, depth: depth)
      return mark(privacy)
    }
    Self.with(value, depth: depth) { kind, form, bytes in
      prepend(name) { $0.prepend(kind, form, name: $1, value: bytes) }
    }
  }

  /// Calls `body` with the decimal digits of `value`, which are valid until `body` returns.
  @inline(__always)
  static func with<R>(integer value: Int64, _ body: (UnsafeRawBufferPointer) -> R) -> R {
    withUnsafeTemporaryAllocation(byteCount: DigitWriter.capacity, alignment: 8) { bytes in
      body(
        DigitWriter.write(
          value.magnitude, radix: 10, minDigits: 1, isNegative: value < 0, to: bytes))
    }
  }

  /// Calls `body` with the kind, the form and the bytes of a value. The bytes are valid until
  /// `body` returns.
  @inline(never)
  static func with<R>(
    _ value: AmbientValue, depth: Int, _ body: (FieldKind, TextForm, UnsafeRawBufferPointer) -> R
  ) -> R {
    switch value {
    case .null: return body(.null, .plain, literal("null"))
    case .boolean(let value): return body(.boolean, .plain, literal(value ? "true" : "false"))
    case .integer(let value): return with(integer: value) { body(.integer, .plain, $0) }
    case .unsigned(let value):
      return LineBuffer.with { line in
        line.append(magnitude: value, radix: 10, minDigits: 1)
        return body(.unsigned, .plain, line.bytes)
      }
    case .double(let value):
      return LineBuffer.with { line in
        NumberText(value).withBytes { line.append($0) }
        return body(.double, value.isFinite ? .plain : .quotable, line.bytes)
      }
    case .string(let text):
      return text.withBytes { body(.string, EscapeScan.form(of: $0), $0) }
    case .date(let date):
      return LineBuffer.with { line in
        withUnsafeBytes(of: date.timeIntervalSinceReferenceDate.bitPattern) { line.append($0) }
        line.append(date: date)
        return body(.date, ISO8601Writer.canShow(date) ? .plain : .quotable, line.bytes)
      }
    case .array(let values):
      var inner = FieldBytes()
      for value in values.reversed() { inner.prepend("", value, depth: depth + 1) }
      return inner.handOver { body(.array, .special, $0) }
    case .fields(let fields):
      let inner = FieldBytes(fields.list, depth: depth + 1)
      return inner.handOver { body(.fields, .special, $0) }
    case .revealed(let value, _): return with(value, depth: depth, body)
    }
  }

  /// The maximum depth of a value. Deeper values are written as null.
  static var deepest: Int { 64 }

  /// Calls `body` with the bytes of all fields, then gives the memory to the thread's
  /// `ThreadMemory` for reuse.
  consuming func handOver<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
    let header = header
    let result = memory.withUnsafeBytes {
      body(UnsafeRawBufferPointer(rebasing: $0[header.start..<header.end]))
    }
    ThreadMemory.keep(fields: memory)
    return result
  }

  private static func literal(_ text: StaticString) -> UnsafeRawBufferPointer {
    // The pointer is valid: a literal's bytes live as long as the program.
    UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
  }
}
