/// The text of a log record, built from a string literal only when a log wants it.
///
/// ```swift
/// Log.info("order \(id) placed for \(total, format: .fixed(2))")
/// Log.debug("card \(card, privacy: .private), user \(email, privacy: .sensitive(.hash))")
/// ```
///
/// Texts, numbers, dates and truth values cost no allocation, up to 256 bytes at least: they are
/// written into memory that the thread uses again. What is not public is replaced by a mark while the
/// message is built; see ``AmbientPrivacy``.
public struct LogMessage: Hashable, Sendable {
  let text: MessageText

  init(_ text: MessageText) { self.text = text }

  /// A message of that text, which need not be a literal.
  public init(_ text: String) {
    var message = MessageText()
    message.append(text)
    self.text = message
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
  }

  /// A message of what was interpolated.
  public init(stringInterpolation: LogInterpolation) { text = stringInterpolation.text }
}
