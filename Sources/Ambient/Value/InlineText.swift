/// Bytes of text, in place up to 256 of them, so that a short text costs no allocation.
struct InlineText: Sendable {
  private typealias Block = (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)

  static let inlineCapacity = 256

  private var inline: (Block, Block, Block, Block)
  private(set) var count = 0
  /// All the bytes, once they are too many to stand in place.
  private var overflow: [UInt8]?

  init() {
    let empty: Block = (0, 0, 0, 0, 0, 0, 0, 0)
    inline = (empty, empty, empty, empty)
  }

  @inline(__always)
  mutating func append(_ source: UnsafeRawBufferPointer) {
    guard let start = source.baseAddress else { return }
    let end = count + source.count
    guard end <= Self.inlineCapacity else { return appendToOverflow(source) }
    withUnsafeMutableBytes(of: &inline) { bytes in
      // Valid: there is room, as checked, and the source is not part of this value.
      bytes.baseAddress?.advanced(by: count).copyMemory(from: start, byteCount: source.count)
    }
    count = end
  }

  mutating func append(_ text: String) {
    var text = text
    // Valid: the bytes are the text's own, for the time of the closure.
    text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
  }

  mutating func append(_ literal: StaticString) {
    // Valid: a literal's bytes live as long as the program.
    append(UnsafeRawBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
  }

  mutating func append(_ byte: UInt8) {
    withUnsafeBytes(of: byte) { append($0) }
  }

  /// Calls `body` with the bytes, which are valid until it returns.
  @inline(__always)
  func withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
    if let overflow { return overflow.withUnsafeBytes(body) }
    return withUnsafeBytes(of: inline) { bytes in
      body(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
    }
  }

  var string: String { withBytes { String(decoding: $0, as: UTF8.self) } }

  @inline(never)
  private mutating func appendToOverflow(_ source: UnsafeRawBufferPointer) {
    var bytes: [UInt8]
    if let overflow {
      bytes = overflow
      self.overflow = nil
    } else {
      bytes = withBytes { Array($0) }
      bytes.reserveCapacity((count + source.count) * 2)
    }
    bytes.append(contentsOf: source)
    count = bytes.count
    overflow = bytes
  }
}

extension InlineText: TextOutputStream {
  mutating func write(_ string: String) { append(string) }
}

extension InlineText: Hashable {
  static func == (left: InlineText, right: InlineText) -> Bool {
    left.withBytes { left in right.withBytes { right in left.elementsEqual(right) } }
  }

  func hash(into hasher: inout Hasher) { withBytes { hasher.combine(bytes: $0) } }
}
