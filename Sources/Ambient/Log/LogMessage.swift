/// The text of a log record, built from a string literal only when a log wants it.
///
/// ```swift
/// Log.info("order \(id) placed for \(total, format: .fixed(2))")
/// Log.debug("card \(card, privacy: .private), user \(email, privacy: .sensitive(.hash))")
/// ```
///
/// Texts, numbers, dates and truth values cost no allocation, up to 256 bytes at least: they are
/// written into memory that the thread uses again. What is not public is replaced by a mark while
/// the message is built; see ``AmbientPrivacy``.
///
/// A value with a name stands in the text and among the fields of the record, with its type:
///
/// ```swift
/// Log.info("order \(id, name: "order") placed for \(total, name: "total")")
/// ```
public struct LogMessage: Sendable {
  let text: MessageText
  /// The values that have names; nil for none, and where a record has them.
  private(set) var fields: FieldBytes?

  /// A message of that text, which need not be a literal.
  public init(_ text: String) {
    var message = MessageText()
    message.append(text)
    self.text = message
    fields = nil
  }

  /// The values that have names, which the message itself lets go of.
  @inline(__always)
  mutating func takeFields() -> FieldBytes? {
    let taken = fields
    fields = nil
    return taken
  }

  /// Calls `body` with the bytes of the text, which are valid until it returns.
  ///
  /// They are UTF-8, unless the message was given other bytes (`\(utf8: bytes)`), and not escaped.
  public func withUTF8<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R { text.withBytes(body) }
}

extension LogMessage: CustomStringConvertible {
  /// The text; bytes that are no UTF-8 are replaced by U+FFFD.
  public var description: String { text.string }
}

extension LogMessage: ExpressibleByStringInterpolation {
  /// A message of that text.
  public init(stringLiteral value: StaticString) {
    var text = MessageText()
    value.withUTF8Buffer { text.append(UnsafeRawBufferPointer($0)) }
    self.text = text
    fields = nil
  }

  /// A message of what was interpolated.
  public init(stringInterpolation: LogInterpolation) {
    text = stringInterpolation.text
    fields = stringInterpolation.fields
  }
}

extension LogMessage: Hashable {
  /// Whether both have the same text.
  public static func == (left: LogMessage, right: LogMessage) -> Bool { left.text == right.text }

  /// Hashes the text.
  public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

/// The bytes of a message. They stand in memory that its thread uses again and again, so that a
/// usual message costs no allocation, and moving one costs nothing.
struct MessageText: Sendable {
  /// All of it has a value, so that appending is a copy and no more; the text is its start.
  private(set) var memory: [UInt8]
  private(set) var count = 0

  /// An empty text in the memory that this thread has to spare.
  init() { memory = ThreadMemory.withCurrent { $0.takeSpare() } }

  var string: String { withBytes { String(decoding: $0, as: UTF8.self) } }

  /// Calls `body` with the bytes, which are valid until it returns.
  @inline(__always)
  func withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
    memory.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
  }

  @inline(never)
  private mutating func grow(by room: Int) {
    let more = max(memory.count, room)
    memory.append(contentsOf: repeatElement(0, count: more))
  }
}

extension MessageText: ByteBuffer {
  /// Not inlined: one copy of the code stays warm in the instruction cache.
  @inline(never)
  mutating func append(_ source: UnsafeRawBufferPointer) {
    guard let start = source.baseAddress else { return }
    let size = source.count
    if size > memory.count &- count { grow(by: size) }
    memory.withUnsafeMutableBufferPointer { memory in
      guard let first = memory.baseAddress else { return }
      // Valid: there is room, which is the text's own and does not overlap the source.
      ShortCopy.copy(start, to: UnsafeMutableRawPointer(first + count), size)
    }
    count &+= size
  }

  @inline(__always)
  mutating func append(capacity: Int, _ body: (UnsafeMutableRawBufferPointer) -> Int) {
    if capacity > memory.count &- count { grow(by: capacity) }
    count &+= memory.withUnsafeMutableBufferPointer { memory in
      guard let first = memory.baseAddress else { return 0 }
      // Valid: there is room.
      return body(UnsafeMutableRawBufferPointer(start: first + count, count: capacity))
    }
  }
}

extension MessageText: Hashable {
  static func == (left: MessageText, right: MessageText) -> Bool {
    left.withBytes { left in right.withBytes { left.elementsEqual($0) } }
  }

  func hash(into hasher: inout Hasher) { withBytes { hasher.combine(bytes: $0) } }
}

extension MessageText: TextOutputStream {
  mutating func write(_ string: String) { append(string) }

  /// How the standard library writes numbers: without it, each would become a string first.
  mutating func _writeASCII(_ buffer: UnsafeBufferPointer<UInt8>) {
    append(UnsafeRawBufferPointer(buffer))
  }
}
