// SPDX-License-Identifier: Apache-2.0

internal import AmbientSystem

/// Writing values as bytes.
extension FieldBytes {
  /// Encodes a list of fields; their names must be distinct.
  init(_ fields: [AmbientFields.Field], depth: Int = 0) {
    self.init()
    for field in fields.reversed() { prepend(field.name, field.value, depth: depth) }
  }

  /// Inserts a field before the others. A value deeper than 64 levels becomes null.
  @inline(__always)
  mutating func prepend(_ name: String, _ value: AmbientValue, depth: Int) {
    switch value {
    case _ where depth > Self.deepest: prepend(name, other: .null, depth: depth)
    case .integer(let value): prepend(name, integer: value)
    case .string(let value): prepend(name, text: value)
    default: prepend(name, other: value, depth: depth)
    }
  }

  @inline(never)
  private mutating func prepend(_ name: String, integer value: Int64) {
    withUnsafeTemporaryAllocation(byteCount: DigitWriter.capacity, alignment: 8) { bytes in
      let digits = DigitWriter.write(
        value.magnitude, radix: 10, minDigits: 1, isNegative: value < 0, to: bytes)
      prepend(name, .integer, .plain, digits)
    }
  }

  @inline(never)
  private mutating func prepend(_ name: String, text value: String) {
    value.withBytes { prepend(name, .string, nil, $0) }
  }

  @inline(never)
  private mutating func prepend(_ name: String, other value: AmbientValue, depth: Int) {
    switch value {
    case .null: prepend(name, .null, .plain, Self.literal("null"))
    case .boolean(let value):
      prepend(name, .boolean, .plain, Self.literal(value ? "true" : "false"))
    case .integer(let value): prepend(name, integer: value)
    case .string(let text): prepend(name, text: text)
    case .unsigned(let value):
      LineBuffer.with { line in
        line.append(magnitude: value, radix: 10, minDigits: 1)
        prepend(name, .unsigned, .plain, line.bytes)
      }
    case .double(let value):
      NumberText(value).withBytes { bytes in
        prepend(name, .double, value.isFinite ? .plain : .quotable, bytes)
      }
    case .date(let date):
      LineBuffer.with { line in
        withUnsafeBytes(of: date.timeIntervalSinceReferenceDate.bitPattern) { line.append($0) }
        line.append(date: date)
        prepend(name, .date, ISO8601Writer.canShow(date) ? .plain : .quotable, line.bytes)
      }
    case .array(let values):
      var inner = FieldBytes()
      for value in values.reversed() { inner.prepend("", value, depth: depth + 1) }
      inner.handOver { prepend(name, .array, .special, $0) }
    case .fields(let fields):
      let inner = FieldBytes(fields.list, depth: depth + 1)
      inner.handOver { prepend(name, .fields, .special, $0) }
    case .revealed(let value, let privacy):
      prepend(name, value, depth: depth)
      mark(privacy)
    }
  }

  /// Not inlined, because `withBytes` has a copy of its closure for each way in which a string
  /// stores its bytes.
  @inline(never)
  private mutating func prepend(
    _ name: String, _ kind: FieldKind, _ form: TextForm?, _ value: UnsafeRawBufferPointer
  ) {
    name.withBytes { prepend(kind, form, name: $0, value: value) }
  }

  /// Calls `body` with a value, encoded as a field without a name. The field is valid until `body`
  /// returns.
  static func with<R>(_ value: AmbientValue, _ body: (FieldReader.Field) -> R) -> R {
    var bytes = FieldBytes()
    bytes.prepend("", other: value, depth: 0)
    return bytes.handOver { bytes in
      var reader = FieldReader(bytes)
      guard let field = reader.next() else { preconditionFailure("one field was prepended") }
      return body(field)
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
