// SPDX-License-Identifier: Apache-2.0

public import AmbientSystem

/// Builds a ``LogMessage`` from the parts of a string literal.
public struct LogInterpolation: _Nonisolated, StringInterpolationProtocol {
  /// The text of the message so far. Not private, because the extensions in other files also append
  /// to the text: numbers in one file, and named values in another.
  var text = MessageText()
  /// The named values, if `text` cannot refer to all of them; otherwise nil. The extension with the
  /// named values sets it.
  var fields: FieldBytes?
  /// Whether the text shows a value that is not public, because of `AmbientPrivacy.isRevealing`.
  private(set) var isRevealing = false

  /// Starts a message.
  ///
  /// - Parameters:
  ///   - literalCapacity: Not used: the text is written into memory that the thread reuses.
  ///   - interpolationCount: Not used.
  public init(literalCapacity: Int, interpolationCount: Int) {}

  /// Appends a part of the literal.
  ///
  /// - Parameter literal: The text before, between or after the values.
  public mutating func appendLiteral(_ literal: StaticString) {
    guard literal.hasPointerRepresentation else { return append(scalarOf: literal) }
    text.append(literal)
  }

  /// Appends a literal of a single Unicode scalar, which has no bytes in memory.
  @inline(never)
  private mutating func append(scalarOf literal: StaticString) {
    literal.withUTF8Buffer { text.append(UnsafeRawBufferPointer($0)) }
  }

  /// Appends a text.
  ///
  /// - Parameters:
  ///   - value: The text, which a ``LogFormat/Layout`` escapes when a line is written.
  ///   - privacy: Whether the value is shown, or replaced by a mark or by its hash.
  public mutating func appendInterpolation(_ value: String, privacy: AmbientPrivacy = .public) {
    append(privacy, .string(value)) { $0.append(value) }
  }

  /// Appends a Boolean.
  ///
  /// - Parameters:
  ///   - value: The Boolean, written as `true` or `false`.
  ///   - privacy: Whether the value is shown, or replaced by a mark or by its hash.
  public mutating func appendInterpolation(_ value: Bool, privacy: AmbientPrivacy = .public) {
    append(privacy, .boolean(value)) { $0.append(value ? "true" as StaticString : "false") }
  }

  /// Appends an instant in ISO 8601, in UTC, to the millisecond.
  ///
  /// A date outside the years 1 to 9999 is written in words, such as `before year 1 (…)`.
  ///
  /// - Parameters:
  ///   - value: The instant.
  ///   - privacy: Whether the value is shown, or replaced by a mark or by its hash.
  public mutating func appendInterpolation(_ value: Date, privacy: AmbientPrivacy = .public) {
    append(privacy, .date(value)) { $0.append(date: value) }
  }

  /// Appends bytes that should be UTF-8.
  ///
  /// Invalid bytes are escaped, or replaced by U+FFFD, when a line is written.
  ///
  /// - Parameters:
  ///   - bytes: The bytes, which are copied.
  ///   - privacy: Whether the value is shown, or replaced by a mark or by its hash.
  public mutating func appendInterpolation(
    utf8 bytes: some Sequence<UInt8>, privacy: AmbientPrivacy = .public
  ) {
    append(privacy, .string(String(decoding: Array(bytes), as: UTF8.self))) { text in
      for byte in bytes { text.append(byte) }
    }
  }

  /// Appends the value's description.
  ///
  /// If the value's ``AmbientValueConvertible/ambientValue`` is or contains a value that is not
  /// public, appends the `ambientValue` instead, because the description would ignore the mark. The
  /// `ambientValue` is also appended if Swift's own description would show a part with such an
  /// `ambientValue`, or if the value is nested deeper than 16 levels. A `description` that a type
  /// defines is not examined.
  ///
  /// - Parameters:
  ///   - value: The value to append.
  ///   - privacy: Whether the value is shown, or replaced by a mark or by its hash.
  // The four generic overloads, of which this is the first, are disfavoured. Otherwise, they would
  // be ambiguous with the overload for integers.
  @_disfavoredOverload
  public mutating func appendInterpolation(
    _ value: some AmbientValueConvertible, privacy: AmbientPrivacy = .public
  ) {
    append(value, value.ambientValue, privacy)
  }

  /// Appends the value's description.
  ///
  /// If the value's ``AmbientValueConvertible/ambientValue`` is or contains a value that is not
  /// public, appends the `ambientValue` instead, because the description would ignore the mark. If
  /// Swift's own description would show a part with such an `ambientValue`, or if the value is
  /// nested deeper than 16 levels, the whole description is private. A `description` that a type
  /// defines is not examined.
  ///
  /// - Parameters:
  ///   - value: The value, whose `description` is appended.
  ///   - privacy: Whether the value is shown, or replaced by a mark or by its hash.
  @_disfavoredOverload
  public mutating func appendInterpolation<T>(_ value: T, privacy: AmbientPrivacy = .public) {
    if let message = value as? LogMessage {
      return appendInterpolation(message, privacy: privacy)
    }
    append(value, (value as? any AmbientValueConvertible)?.ambientValue, privacy)
  }

  private mutating func append<T>(_ value: T, _ own: AmbientValue?, _ privacy: AmbientPrivacy) {
    if privacy.isShown, let marked = AmbientValue.marked(value, own) {
      return append(shown: marked)
    }
    append(privacy, own ?? AmbientValue(describing: value)) { $0.append(String(describing: value)) }
  }

  /// Appends the value's description, or `nil`.
  ///
  /// If the value's `ambientValue` is or contains a value that is not public, appends the
  /// `ambientValue` instead, as for a value that is not optional. If `privacy` hides the value, a
  /// nil gets a mark like any other value.
  ///
  /// - Parameters:
  ///   - value: The value to append, or nil.
  ///   - privacy: Whether the value is shown, or replaced by a mark or by its hash.
  @_disfavoredOverload
  public mutating func appendInterpolation(
    _ value: (some AmbientValueConvertible)?, privacy: AmbientPrivacy = .public
  ) {
    guard let value else { return append(privacy, .null) { $0.append("nil") } }
    append(value, value.ambientValue, privacy)
  }

  /// Appends the value's description, or `nil`.
  ///
  /// If the value's `ambientValue` is or contains a value that is not public, appends the
  /// `ambientValue` instead. If Swift's own description would show a part with such an
  /// `ambientValue`, or if the value is nested deeper than 16 levels, the whole description is
  /// private. A `description` that a type defines is not examined. If `privacy` hides the
  /// value, a nil gets a mark like any other value.
  ///
  /// - Parameters:
  ///   - value: The value, whose `description` is appended, or nil.
  ///   - privacy: Whether the value is shown, or replaced by a mark or by its hash.
  @_disfavoredOverload
  public mutating func appendInterpolation<T>(_ value: T?, privacy: AmbientPrivacy = .public) {
    guard let value else { return append(privacy, .null) { $0.append("nil") } }
    appendInterpolation(value, privacy: privacy)
  }

  /// Appends the value's description, or the default if the value is nil.
  ///
  /// If the value's `ambientValue` is or contains a value that is not public, appends the
  /// `ambientValue` instead. If Swift's own description would show a part with such an
  /// `ambientValue`, or if the value is nested deeper than 16 levels, the whole description is
  /// private. A `description` that a type defines is not examined.
  ///
  /// - Parameters:
  ///   - value: The value, whose `description` is appended, or nil.
  ///   - text: The text that is appended if the value is nil.
  ///   - privacy: Whether the value or the text is shown, or replaced by a mark or by its hash.
  public mutating func appendInterpolation<T>(
    _ value: T?, default text: @autoclosure () -> some StringProtocol,
    privacy: AmbientPrivacy = .public
  ) {
    guard let value else { return appendInterpolation(String(text()), privacy: privacy) }
    appendInterpolation(value, privacy: privacy)
  }

  /// Appends the text and the named values of another message, or only a mark if that message is
  /// hidden.
  ///
  /// - Parameters:
  ///   - message: The message, whose text and named values become part of the message under
  ///     construction.
  ///   - privacy: Whether the message is shown, or replaced by a mark or by its hash.
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

  /// Appends the value's text, or its mark if the value is hidden.
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

  /// Notes that the text shows a value that is not public.
  mutating func noteRevealed() {
    isRevealing = true
    AmbientPrivacy.noteRevealed()
  }

  /// Appends the mark of a hidden value.
  @inline(never)
  mutating func append(markOf value: @autoclosure () -> AmbientValue, _ privacy: AmbientPrivacy) {
    guard case .sensitive(.hash) = privacy else { return text.append(PrivacyMark.hidden) }
    LineBuffer.with { mark in
      PrivacyMark.append(hashOf: value(), to: &mark)
      text.append(mark.bytes)
    }
  }
}
