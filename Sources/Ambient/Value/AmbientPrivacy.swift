internal import Synchronization

/// Who may see a value that is logged or tracked.
///
/// What is not public is replaced by a mark where the value is written down: the value itself never
/// reaches a record, so no format and no destination can leak it. For development,
/// `LOG_PRIVATE=show` in the environment, or ``isRevealing``, shows all in the lines of this
/// machine's logs and files. Descriptions, mirrors and each `json` hide it even then, so that
/// no text that is made of a value carries it on without its mark; what sends records or events off
/// hides it, too (``LogRecord/redacted``, ``TrackedEvent/redacted``).
public enum AmbientPrivacy: Hashable, Sendable {
  /// What stands in place of a sensitive value.
  public enum Mask: Hashable, Sendable {
    /// A hash, as `<hash:91f0a2c4b6d8>`: equal values have equal marks within one process, and
    /// another mark in the next. What is hashed is the text of the value, without a format.
    case hash
  }

  /// Everybody.
  case `public`
  /// Nobody: `<private>` is shown.
  case `private`
  /// Nobody, but equal values can be told from different ones.
  case sensitive(Mask)

  /// Whether the values themselves are shown, whatever their privacy: for development only.
  ///
  /// Initially `true` if the environment has `LOG_PRIVATE=show`. It holds for the process, and for
  /// what is logged after it was set.
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
  /// A value that nobody sees: a mark stands in its place, unless ``AmbientPrivacy/isRevealing``.
  ///
  /// ```swift
  /// Log.info("paid", ["card": .private(card.number)])
  /// ```
  public static func `private`(_ value: some AmbientValueConvertible) -> AmbientValue {
    AmbientPrivacy.private.isShown
      ? .revealing(value.ambientValue, .private) : PrivacyMark.private
  }

  /// A value that nobody sees, but whose marks are equal where it is equal, within one process.
  ///
  /// ```swift
  /// Log.info("signed in", ["user": .sensitive(user.email)])
  /// ```
  public static func sensitive(_ value: some AmbientValueConvertible) -> AmbientValue {
    let value = value.ambientValue
    return AmbientPrivacy.sensitive(.hash).isShown
      ? .revealing(value, .sensitive(.hash)) : PrivacyMark.hash(of: value)
  }
}

/// What stands in place of a value that is not shown.
enum PrivacyMark {
  static let hidden: StaticString = "<private>"

  static var `private`: AmbientValue { .string(hidden.description) }

  /// Whether the text is such a mark, or reads as one.
  static func isMark(_ text: String) -> Bool {
    text == hidden.description || text.hasPrefix("<hash:") && text.hasSuffix(">")
  }

  static func hash(of value: AmbientValue) -> AmbientValue {
    LineBuffer.with { mark in
      append(hashOf: value, to: &mark)
      return .string(mark.text)
    }
  }

  /// Unknown outside this process, so that nobody finds a value by hashing guesses.
  private static let key: (UInt64, UInt64) = {
    var generator = SystemRandomNumberGenerator()
    return (generator.next(), generator.next())
  }()

  /// The mark for a value whose text is `bytes`.
  static func hash(of bytes: UnsafeRawBufferPointer) -> UInt64 {
    var hasher = Hasher()
    hasher.combine(key.0)
    hasher.combine(bytes: bytes)
    hasher.combine(key.1)
    // Twelve digits: enough to tell values apart, short enough to read.
    return UInt64(truncatingIfNeeded: hasher.finalize()) >> 16
  }

  /// Appends the mark of a value: of its text, for lists and groups of JSON with sorted names.
  static func append(hashOf value: AmbientValue, to mark: inout LineBuffer) {
    // There are two zeros, which are equal.
    let value = value == .double(0) ? .double(0) : value.sorted
    FieldBytes.with(value, depth: 0) { kind, form, bytes in
      let field = FieldReader.Field(kind, form, bytes)
      guard kind == .array || kind == .fields else {
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
