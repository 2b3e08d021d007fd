// SPDX-License-Identifier: Apache-2.0

internal import AmbientSystem

/// Memory that text is appended to: a line under construction, or a message.
protocol ByteBuffer: ~Copyable {
  /// Appends the bytes.
  mutating func append(_ source: UnsafeRawBufferPointer)

  /// Lets `body` write up to `capacity` bytes and return how many it wrote.
  mutating func append(capacity: Int, _ body: (UnsafeMutableRawBufferPointer) -> Int)
}

extension ByteBuffer where Self: ~Copyable {
  @inline(__always)
  mutating func append(_ byte: UInt8) {
    append(capacity: 1) { bytes in
      bytes[0] = byte
      return 1
    }
  }

  /// Appends a literal; its length is a constant, so the copy is a few loads and stores, without a
  /// call.
  @inline(__always)
  mutating func append(_ literal: StaticString) {
    let count = literal.utf8CodeUnitCount
    append(capacity: count) { target in
      guard let start = target.baseAddress else { return 0 }
      // Valid: a literal's bytes live as long as the program, and there is room for them.
      ShortCopy.copy(literal.utf8Start, to: start, count)
      return count
    }
  }

  /// Appends the text without escaping it; a literal takes the `StaticString` overload.
  @inline(__always) @_disfavoredOverload
  mutating func append(_ text: String) {
    text.withBytes { append($0) }
  }

  /// Appends the digits of `magnitude`, with zeros in front up to `minDigits`, which is at most 64.
  @inline(__always)
  mutating func append(
    magnitude: UInt64, radix: UInt64, minDigits: Int, isNegative: Bool = false
  ) {
    withUnsafeTemporaryAllocation(byteCount: DigitWriter.capacity, alignment: 8) { bytes in
      append(
        DigitWriter.write(
          magnitude, radix: radix, minDigits: minDigits, isNegative: isNegative, to: bytes))
    }
  }
}

extension ByteBuffer where Self: ~Copyable {
  /// Appends the instant in ISO 8601, in UTC. For a date outside the years 1 to 9999, appends a
  /// text such as `before year 1 (…)` instead.
  mutating func append(date: Date, fractionDigits: Int = 3) {
    guard ISO8601Writer.canShow(date) else { return append(unshowable: date) }
    append(capacity: ISO8601Writer.capacity) { bytes in
      ISO8601Writer.write(date, fractionDigits: fractionDigits, to: bytes)
    }
  }

  /// Appends words for a date that has no text: `no date (nan)`, `beyond year 9999 (1e+300 s after
  /// 1970)`.
  @inline(never)
  private mutating func append(unshowable date: Date) {
    let seconds = date.timeIntervalSince1970
    if seconds.isNaN { return append("no date (nan)") }
    append(seconds < 0 ? "before year 1 (" as StaticString : "beyond year 9999 (")
    append(double: seconds.magnitude)
    append(seconds < 0 ? " s before 1970)" as StaticString : " s after 1970)")
  }
}

extension ByteBuffer where Self: ~Copyable {
  mutating func append(integer value: Int64) {
    append(magnitude: value.magnitude, radix: 10, minDigits: 1, isNegative: value < 0)
  }

  /// Appends the shortest text that reads back as the same number.
  mutating func append(double value: Double) { NumberText(value).withBytes { append($0) } }
}

extension String {
  /// Calls `body` with the UTF-8 bytes, which are valid until `body` returns. Does not retain the
  /// string.
  @inline(__always)
  func withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
    if let result = utf8.withContiguousStorageIfAvailable({ body(UnsafeRawBufferPointer($0)) }) {
      return result
    }
    // This slow path is for a bridged NSString, on Apple's platforms.
    var copy = self
    return copy.withUTF8 { body(UnsafeRawBufferPointer($0)) }
  }
}
