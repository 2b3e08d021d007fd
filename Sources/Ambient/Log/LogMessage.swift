// SPDX-License-Identifier: Apache-2.0

/// The text of a log record, built from a string literal only if a log accepts the record.
///
/// ```swift
/// Log.info("order \(id) placed for \(total, format: .fixed(2))")
/// Log.debug("card \(card, privacy: .private), user \(email, privacy: .sensitive(.hash))")
/// ```
///
/// A message of texts, numbers, dates and Booleans costs no allocation up to at least 256 bytes: it
/// is written into memory that the thread reuses, unless a log keeps the record. A value that is
/// not public is replaced by a mark while the message is built; see ``AmbientPrivacy``.
///
/// A value with a name becomes part of the text and, with its type, a field of the record:
///
/// ```swift
/// Log.info("order \(id, name: "order") placed for \(total, name: "total")")
/// ```
public struct LogMessage: _Nonisolated, Sendable {
  /// The text. If the text contains each named value in exactly the form of its field, the text
  /// stores references to the values, and `fields` is nil.
  private(set) var text: MessageText
  /// The named values, if the text cannot refer to all of them; otherwise nil. Also nil once
  /// `takeFields()` has moved them to a record.
  private var fields: FieldBytes?
  /// Whether the text shows a value that is not public, because of ``AmbientPrivacy/isRevealing``.
  let isRevealing: Bool

  /// Creates a message from a text, which need not be a literal.
  ///
  /// - Parameter text: The text, which is copied.
  public init(_ text: String) {
    var message = MessageText()
    message.append(text)
    self.text = message
    fields = nil
    isRevealing = false
  }

  /// Whether the message has no named values, or the text refers to all of them.
  @inline(__always)
  var hasReferencesOnly: Bool { fields == nil }

  /// Moves the named values out of the message.
  @inline(__always)
  mutating func takeFields() -> FieldBytes? {
    let taken = fields
    fields = nil
    return text.hasReferences ? text.takeReferences() : taken
  }

  /// Returns the memory of the text to the thread, for reuse by its next message.
  @inline(__always)
  mutating func giveBack() { text.giveBack() }

  /// A copy of this message without the named values. Both messages share the memory of the text.
  var withoutNames: LogMessage {
    var message = self
    message.fields = nil
    message.text.dropReferences()
    return message
  }

  /// Calls `body` with a reader of the named values; does nothing if there are none.
  func readNames(_ body: (FieldReader) -> Void) { read(fields, body) }

  /// Calls `body` with a reader of `fields` or, if that is nil, of the text's references; does
  /// nothing if there are neither.
  @inline(__always)
  func read(_ fields: FieldBytes?, _ body: (FieldReader) -> Void) {
    if let fields { return fields.read(body) }
    if text.hasReferences { text.readReferences(body) }
  }

  /// Calls `body` with the bytes of the text, which are valid until `body` returns.
  ///
  /// The bytes are not escaped. They are UTF-8, unless an interpolation `\(utf8: bytes)` added
  /// bytes that are not.
  ///
  /// - Parameter body: Called once with the bytes, which it must not keep.
  package func withUTF8<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R { text.withBytes(body) }
}

extension LogMessage: CustomStringConvertible {
  /// The text; bytes that are not UTF-8 are replaced by U+FFFD.
  ///
  /// A text with a value that only ``AmbientPrivacy/isRevealing`` shows is hidden as a whole, since
  /// the text does not record where the value begins and ends. The lines of a ``LogFormat/Layout``
  /// show such a text nevertheless.
  public var description: String { isRevealing ? PrivacyMark.hidden.description : text.string }
}

extension LogMessage: CustomReflectable {
  /// A mirror without children, so that a dump shows only the description.
  ///
  /// Otherwise, a dump would also show the memory beyond the text, which may still contain parts of
  /// another message.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension LogMessage: ExpressibleByStringInterpolation {
  /// Creates a message from a literal without values.
  ///
  /// - Parameter value: The literal.
  public init(stringLiteral value: StaticString) {
    var text = MessageText()
    value.withUTF8Buffer { text.append(UnsafeRawBufferPointer($0)) }
    self.text = text
    fields = nil
    isRevealing = false
  }

  /// Creates a message from a literal with values.
  ///
  /// - Parameter stringInterpolation: The text and the named values.
  public init(stringInterpolation: LogInterpolation) {
    text = stringInterpolation.text
    fields = stringInterpolation.fields
    isRevealing = stringInterpolation.isRevealing
  }
}

extension LogMessage: Hashable {
  /// Whether both messages have the same text.
  public static func == (left: LogMessage, right: LogMessage) -> Bool { left.text == right.text }

  /// Hashes the text.
  public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
