// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// The privacy of a value that is logged or tracked.
///
/// A value that is not public is replaced by a mark before it is logged: the value itself never
/// reaches a record, so no format and no destination can leak it. For development,
/// `LOG_PRIVATE=show` in the environment, or ``isRevealing``, shows all values in the lines of this
/// machine's logs and files. Even then, descriptions, mirrors and every `json` property hide the
/// values that are not public, because these values could not be found and hidden later in a text.
/// Collectors, which send records or events to a server, hide these values, too. A service of your
/// own hides them by ``LogRecord/redacted`` or ``TrackedEvent/redacted``.
@nonexhaustive
public enum AmbientPrivacy: Hashable, Sendable {
  /// The mark in place of a sensitive value.
  @nonexhaustive
  public enum Mask: Hashable, Sendable {
    /// A hash, for example `<hash:91f0a2c4b6d8>`: equal texts have equal marks within one process,
    /// and different marks in the next process.
    ///
    /// The value's text is hashed, without formatting. Texts are compared by their bytes: `é` as
    /// one scalar and `é` as two scalars have two marks.
    case hash
  }

  /// The value is shown to every reader.
  case `public`
  /// The value is hidden: `<private>` is shown in its place.
  case `private`
  /// The value is hidden, but values with equal texts have equal marks.
  case sensitive(Mask)

  /// Whether all values are shown, regardless of their privacy: for development only.
  ///
  /// Initially `true` if the environment has `LOG_PRIVATE=show`, unless the process runs with more
  /// rights than its caller. A new value of this property applies to the whole process, and to
  /// values that are marked as private or sensitive after the change. A value that was marked
  /// before stays hidden or shown, even if it is logged later.
  public static var isRevealing: Bool {
    get { revealing.load(ordering: .relaxed) }
    set { revealing.store(newValue, ordering: .relaxed) }
  }

  private static let revealing = Atomic<Bool>(Environment.value("LOG_PRIVATE") == "show")

  /// Whether the value itself is shown.
  var isShown: Bool {
    if case .public = self { return true }
    return Self.isRevealing
  }
}

extension AmbientValueConvertible where Self == AmbientValue {
  /// A hidden value: `<private>` is shown in its place, unless ``AmbientPrivacy/isRevealing`` is
  /// true at the call.
  ///
  /// ```swift
  /// Log.info("paid", ["card": .private(card.number)])
  /// ```
  ///
  /// - Parameter value: The value to hide.
  /// - Returns: The mark; or, if `isRevealing` is true at the call, the value itself, which remains
  ///   marked as private in lists and fields that contain it.
  public static func `private`(_ value: some AmbientValueConvertible) -> AmbientValue {
    AmbientPrivacy.private.isShown
      ? .revealing(value.ambientValue, .private) : PrivacyMark.private
  }

  /// A hidden value whose mark shows, within one process, whether two values have equal texts.
  ///
  /// ```swift
  /// Log.info("signed in", ["user": .sensitive(user.email)])
  /// ```
  ///
  /// - Parameter value: The value to hide. Lines about the same value can be found by its mark.
  /// - Returns: The mark; or, if `isRevealing` is true at the call, the value itself, which remains
  ///   marked as sensitive in lists and fields that contain it.
  public static func sensitive(_ value: some AmbientValueConvertible) -> AmbientValue {
    let value = value.ambientValue
    return AmbientPrivacy.sensitive(.hash).isShown
      ? .revealing(value, .sensitive(.hash)) : PrivacyMark.hash(of: value)
  }
}

extension AmbientValue {
  /// Whether the value is the mark of a private value. All private values have the same mark.
  package var isPrivateMark: Bool { self == PrivacyMark.private }
}

/// The marks that replace hidden values.
enum PrivacyMark {
  static let hidden: StaticString = "<private>"

  static var `private`: AmbientValue { .string(hidden.description) }

  /// Whether the text is a mark, or looks like one.
  static func isMark(_ text: String) -> Bool {
    text == hidden.description || text.hasPrefix("<hash:") && text.hasSuffix(">")
  }

  static func hash(of value: AmbientValue) -> AmbientValue {
    LineBuffer.with { mark in
      append(hashOf: value, to: &mark)
      return .string(mark.text)
    }
  }

  /// The key of the hashes. It is unknown outside this process, so that no one can find a value by
  /// hashing guesses.
  private static let key: (UInt64, UInt64) = {
    var generator = SystemRandomNumberGenerator()
    return (generator.next(), generator.next())
  }()

  /// The hash of a value whose text is `bytes`.
  static func hash(of bytes: UnsafeRawBufferPointer) -> UInt64 {
    var hasher = Hasher()
    hasher.combine(key.0)
    hasher.combine(bytes: bytes)
    hasher.combine(key.1)
    // Keeps 48 bits, which are shown as twelve hexadecimal digits. They are enough to tell values
    // apart, and short enough to read.
    return UInt64(truncatingIfNeeded: hasher.finalize()) >> 16
  }

  /// Appends the mark of a value: the hash of its text. The text of a list or group is its JSON,
  /// with sorted names.
  static func append(hashOf value: AmbientValue, to mark: inout LineBuffer) {
    let value = value.canonical
    if case .string(let text) = value { return text.withBytes { append(hashOf: $0, to: &mark) } }
    FieldBytes.with(value) { field in
      guard field.kind == .array || field.kind == .fields else {
        return append(hashOf: field.text, to: &mark)
      }
      LineBuffer.with { line in
        line.append(json: field)
        append(hashOf: line.bytes, to: &mark)
      }
    }
  }

  private static func append(hashOf bytes: UnsafeRawBufferPointer, to line: inout LineBuffer) {
    line.append("<hash:")
    line.append(magnitude: hash(of: bytes), radix: 16, minDigits: 12)
    line.append(UInt8(ascii: ">"))
  }
}
