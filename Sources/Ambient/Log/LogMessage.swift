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
  /// With references to the values that have names, if it shows them all as fields do.
  private(set) var text: MessageText
  /// Else the values that have names; nil for none, and where a record has them.
  private var fields: FieldBytes?
  /// Whether the text has a value that is not for everybody, shown because of
  /// ``AmbientPrivacy/isRevealing``.
  let isRevealing: Bool

  /// A message of that text, which need not be a literal.
  ///
  /// - Parameter text: The text, which is copied.
  public init(_ text: String) {
    var message = MessageText()
    message.append(text)
    self.text = message
    fields = nil
    isRevealing = false
  }

  /// Whether no values have names, or the text has references to them.
  @inline(__always)
  var hasReferencesOnly: Bool { fields == nil }

  /// The values that have names, which the message itself lets go of.
  @inline(__always)
  mutating func takeFields() -> FieldBytes? {
    let taken = fields
    fields = nil
    return text.hasReferences ? text.takeReferences() : taken
  }

  /// Leaves the memory of the text to the thread's next message.
  @inline(__always)
  mutating func giveBack() { text.giveBack() }

  /// The same text, by itself: in the same memory.
  var withoutNames: LogMessage {
    var message = self
    message.fields = nil
    message.text.dropReferences()
    return message
  }

  /// Calls `body` with what reads the values that have names.
  func readNames(_ body: (FieldReader) -> Void) { read(fields, body) }

  /// Calls `body` with what reads those fields, or else what the text refers to; not if there is
  /// neither.
  @inline(__always)
  func read(_ fields: FieldBytes?, _ body: (FieldReader) -> Void) {
    if let fields { return fields.read(body) }
    if text.hasReferences { text.readReferences(body) }
  }

  /// Calls `body` with the bytes of the text, which are valid until it returns.
  ///
  /// They are UTF-8, unless the message was given other bytes (`\(utf8: bytes)`), and not escaped.
  ///
  /// - Parameter body: Called once with the bytes, which it must not keep.
  public func withUTF8<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R { text.withBytes(body) }
}

extension LogMessage: CustomStringConvertible {
  /// The text; bytes that are no UTF-8 are replaced by U+FFFD.
  ///
  /// Where ``AmbientPrivacy/isRevealing`` shows something private in it, it is hidden as a whole:
  /// what is made of a description has no mark. ``withUTF8(_:)`` and lines (``LogFormat``) show it.
  public var description: String { isRevealing ? PrivacyMark.hidden.description : text.string }
}

extension LogMessage: CustomReflectable {
  /// The description alone: the memory of the text may have been another message's before.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension LogMessage: ExpressibleByStringInterpolation {
  /// A message of that text.
  ///
  /// - Parameter value: The literal, which is not copied.
  public init(stringLiteral value: StaticString) {
    var text = MessageText()
    value.withUTF8Buffer { text.append(UnsafeRawBufferPointer($0)) }
    self.text = text
    fields = nil
    isRevealing = false
  }

  /// A message of what was interpolated.
  ///
  /// - Parameter stringInterpolation: The parts of the literal and its values, put together.
  public init(stringInterpolation: LogInterpolation) {
    text = stringInterpolation.text
    fields = stringInterpolation.fields
    isRevealing = stringInterpolation.isRevealing
  }
}

extension LogMessage: Hashable {
  /// Whether both have the same text.
  public static func == (left: LogMessage, right: LogMessage) -> Bool { left.text == right.text }

  /// Hashes the text.
  public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
