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

  /// Starts a message.
  public init(literalCapacity: Int, interpolationCount: Int) {}

  /// Appends a part of the literal.
  public mutating func appendLiteral(_ literal: StaticString) { text.append(literal) }

  /// Appends a text.
  public mutating func appendInterpolation(_ value: String, privacy: AmbientPrivacy = .public) {
    append(privacy) { $0.append(value) }
  }

  /// Appends a truth value.
  public mutating func appendInterpolation(_ value: Bool, privacy: AmbientPrivacy = .public) {
    append(privacy) { $0.append(value ? "true" as StaticString : "false") }
  }

  /// Appends an instant in ISO 8601, in UTC, to the millisecond.
  public mutating func appendInterpolation(_ value: Date, privacy: AmbientPrivacy = .public) {
    append(privacy) { $0.append(date: value) }
  }

  /// Appends bytes that should be UTF-8; those that are not are escaped when they are written.
  public mutating func appendInterpolation(
    utf8 bytes: some Sequence<UInt8>, privacy: AmbientPrivacy = .public
  ) {
    append(privacy) { text in for byte in bytes { text.append(byte) } }
  }

  /// Appends what describes the value.
  public mutating func appendInterpolation<T>(_ value: T, privacy: AmbientPrivacy = .public) {
    append(privacy) { $0.append(String(describing: value)) }
  }

  /// Appends what describes the value, or `nil`.
  public mutating func appendInterpolation<T>(_ value: T?, privacy: AmbientPrivacy = .public) {
    if let value {
      appendInterpolation(value, privacy: privacy)
    } else {
      append(privacy) { $0.append("nil" as StaticString) }
    }
  }

  /// Appends the value, or the mark that stands for it.
  @inline(__always)
  mutating func append(_ privacy: AmbientPrivacy, _ write: (inout MessageText) -> Void) {
    if case .public = privacy { return write(&text) }
    appendMarked(privacy, write)
  }

  @inline(never)
  private mutating func appendMarked(
    _ privacy: AmbientPrivacy, _ write: (inout MessageText) -> Void
  ) {
    if privacy.isShown { return write(&text) }
    guard case .sensitive(.hash) = privacy else { return text.append(PrivacyMark.hidden) }
    var value = MessageText()
    write(&value)
    LineBuffer.with { line in
      value.withBytes { PrivacyMark.append(hashOf: $0, to: &line) }
      text.append(line.bytes)
    }
  }
}
