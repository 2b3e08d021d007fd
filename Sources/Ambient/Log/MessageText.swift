/// The bytes of a message. They stand in memory that its thread uses again and again, so that a
/// usual message costs no allocation, and moving one costs nothing.
struct MessageText: Hashable, Sendable {
  private var bytes: [UInt8]

  /// An empty text in the memory that this thread has to spare.
  init() { bytes = LogThread.withCurrent { $0?.takeSpare() ?? [] } }

  init(using memory: consuming [UInt8]) { bytes = memory }

  var count: Int { bytes.count }

  var string: String { String(decoding: bytes, as: UTF8.self) }

  /// The memory, for the next message: of use if this text has no copies.
  consuming func memory() -> [UInt8] { bytes }

  @inline(__always)
  mutating func append(_ source: UnsafeRawBufferPointer) { bytes.append(contentsOf: source) }

  mutating func append(_ text: String) {
    let isDone: Void? = text.utf8.withContiguousStorageIfAvailable { bytes in
      // Valid: the bytes are the text's own, for the time of the closure.
      append(UnsafeRawBufferPointer(bytes))
    }
    if isDone == nil { bytes.append(contentsOf: text.utf8) }
  }

  mutating func append(_ literal: StaticString) {
    // Valid: a literal's bytes live as long as the program.
    append(UnsafeRawBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
  }

  mutating func append(_ byte: UInt8) { bytes.append(byte) }

  mutating func append(magnitude: UInt64, radix: UInt64, minDigits: Int) {
    withUnsafeTemporaryAllocation(byteCount: 64, alignment: 8) { digits in
      let count = DigitWriter.write(magnitude, radix: radix, minDigits: minDigits, to: digits)
      append(UnsafeRawBufferPointer(rebasing: digits[..<count]))
    }
  }

  /// Calls `body` with the bytes, which are valid until it returns.
  @inline(__always)
  func withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R { bytes.withUnsafeBytes(body) }
}

extension MessageText: TextOutputStream {
  mutating func write(_ string: String) { append(string) }

  /// How the standard library writes numbers: without it, each would become a string first.
  mutating func _writeASCII(_ buffer: UnsafeBufferPointer<UInt8>) {
    append(UnsafeRawBufferPointer(buffer))
  }
}
