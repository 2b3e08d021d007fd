#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Builds a ``LogMessage`` from the parts of a string literal.
public struct LogInterpolation: StringInterpolationProtocol {
  var text = MessageText()
  /// The values that have names; nil for none.
  var fields: FieldBytes?
  /// Whether the text has a value that is not for everybody, shown since all is.
  var isRevealing = false

  /// Starts a message.
  ///
  /// - Parameters:
  ///   - literalCapacity: Not used: the text stands in memory that the thread uses again.
  ///   - interpolationCount: Not used, likewise.
  public init(literalCapacity: Int, interpolationCount: Int) {}

  /// Appends a part of the literal.
  ///
  /// - Parameter literal: The text between two values.
  public mutating func appendLiteral(_ literal: StaticString) {
    guard literal.hasPointerRepresentation else { return append(scalarOf: literal) }
    text.append(literal)
  }

  /// A literal that is made of a Unicode scalar has no bytes in memory.
  @inline(never)
  private mutating func append(scalarOf literal: StaticString) {
    literal.withUTF8Buffer { text.append(UnsafeRawBufferPointer($0)) }
  }

  /// Appends a text.
  ///
  /// - Parameters:
  ///   - value: The text, which is escaped when a line is written.
  ///   - privacy: Whether the value is shown, or a mark, or its hash.
  public mutating func appendInterpolation(_ value: String, privacy: AmbientPrivacy = .public) {
    append(privacy, .string(value)) { $0.append(value) }
  }

  /// Appends a truth value.
  ///
  /// - Parameters:
  ///   - value: The truth value, written as `true` or `false`.
  ///   - privacy: Whether the value is shown, or a mark, or its hash.
  public mutating func appendInterpolation(_ value: Bool, privacy: AmbientPrivacy = .public) {
    append(privacy, .boolean(value)) { $0.append(value ? "true" as StaticString : "false") }
  }

  /// Appends an instant in ISO 8601, in UTC, to the millisecond.
  ///
  /// - Parameters:
  ///   - value: The instant.
  ///   - privacy: Whether the value is shown, or a mark, or its hash.
  public mutating func appendInterpolation(_ value: Date, privacy: AmbientPrivacy = .public) {
    append(privacy, .date(value)) { $0.append(date: value) }
  }

  /// Appends bytes that should be UTF-8; those that are not are escaped when they are written.
  ///
  /// - Parameters:
  ///   - bytes: The bytes, which are copied.
  ///   - privacy: Whether the value is shown, or a mark, or its hash.
  public mutating func appendInterpolation(
    utf8 bytes: some Sequence<UInt8>, privacy: AmbientPrivacy = .public
  ) {
    append(privacy, .string(String(decoding: Array(bytes), as: UTF8.self))) { text in
      for byte in bytes { text.append(byte) }
    }
  }

  /// Appends what describes the value; of one that is private by its
  /// ``AmbientValueConvertible/ambientValue``, that.
  ///
  /// - Parameters:
  ///   - value: What stands at this place of the text.
  ///   - privacy: Whether the value is shown, or a mark, or its hash.
  // Disfavoured, as the next three: whole numbers have an overload that is no less special.
  @_disfavoredOverload
  public mutating func appendInterpolation(
    _ value: some AmbientValueConvertible, privacy: AmbientPrivacy = .public
  ) {
    append(value, value.ambientValue, privacy)
  }

  /// Appends what describes the value; of one that is private by its
  /// ``AmbientValueConvertible/ambientValue``, that.
  ///
  /// - Parameters:
  ///   - value: A value, which is asked for its description.
  ///   - privacy: Whether the value is shown, or a mark, or its hash.
  @_disfavoredOverload
  public mutating func appendInterpolation<T>(_ value: T, privacy: AmbientPrivacy = .public) {
    if let message = value as? LogMessage {
      return appendInterpolation(message, privacy: privacy)
    }
    let own = AmbientValue.marked(value) ?? (value as? any AmbientValueConvertible)?.ambientValue
    append(value, own, privacy)
  }

  private mutating func append<T>(_ value: T, _ own: AmbientValue?, _ privacy: AmbientPrivacy) {
    if privacy.isShown, let own, own.isMarked { return append(shown: own) }
    append(privacy, own ?? AmbientValue(describing: value)) { $0.append(String(describing: value)) }
  }

  /// Appends what describes the value, or `nil`.
  ///
  /// - Parameters:
  ///   - value: What stands at this place of the text, if it is not nil.
  ///   - privacy: Whether the value is shown, or a mark, or its hash.
  @_disfavoredOverload
  public mutating func appendInterpolation(
    _ value: (some AmbientValueConvertible)?, privacy: AmbientPrivacy = .public
  ) {
    guard let value else { return append(privacy, .null) { $0.append("nil") } }
    append(value, value.ambientValue, privacy)
  }

  /// Appends what describes the value, or `nil`.
  ///
  /// - Parameters:
  ///   - value: A value, which is asked for its description if it is not nil.
  ///   - privacy: Whether the value is shown, or a mark, or its hash.
  @_disfavoredOverload
  public mutating func appendInterpolation<T>(_ value: T?, privacy: AmbientPrivacy = .public) {
    guard let value else { return append(privacy, .null) { $0.append("nil") } }
    appendInterpolation(value, privacy: privacy)
  }

  /// Appends the text of another message, and its values that have names; if it is not public, its
  /// mark alone.
  ///
  /// - Parameters:
  ///   - message: The message, whose text and named values become part of this one.
  ///   - privacy: Whether the message is shown, or a mark, or its hash.
  public mutating func appendInterpolation(
    _ message: LogMessage, privacy: AmbientPrivacy = .public
  ) {
    append(privacy, .string(message.description)) { text in
      message.withUTF8 { text.append($0) }
    }
    guard privacy.isShown else { return }
    if message.isRevealing { isRevealing = true }
    addNames(of: message, privacy)
  }

  /// Appends the value, or the mark that stands for it, whatever the text would be.
  @inline(__always)
  mutating func append(
    _ privacy: AmbientPrivacy, _ value: @autoclosure () -> AmbientValue,
    _ write: (inout MessageText) -> Void
  ) {
    if case .public = privacy { return write(&text) }
    appendUnlessHidden(privacy, value, write)
  }

  @inline(never)
  private mutating func appendUnlessHidden(
    _ privacy: AmbientPrivacy, _ value: () -> AmbientValue, _ write: (inout MessageText) -> Void
  ) {
    guard privacy.isShown else { return append(markOf: value(), privacy) }
    noteRevealed()
    write(&text)
  }

  /// Notes that the text has a value that is not for everybody.
  mutating func noteRevealed() {
    isRevealing = true
    AmbientPrivacy.noteRevealed()
  }

  /// Appends the mark that stands for a value that is not shown.
  @inline(never)
  mutating func append(markOf value: @autoclosure () -> AmbientValue, _ privacy: AmbientPrivacy) {
    guard case .sensitive(.hash) = privacy else { return text.append(PrivacyMark.hidden) }
    LineBuffer.with { mark in
      PrivacyMark.append(hashOf: value(), to: &mark)
      text.append(mark.bytes)
    }
  }
}
