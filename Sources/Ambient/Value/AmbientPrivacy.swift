internal import Synchronization

/// Who may see a value that is logged or tracked.
///
/// What is not public is replaced by a mark where the value is written down: the value itself never
/// reaches a record, so no format and no destination can leak it. For development,
/// `LOG_PRIVATE=show` in the environment, or ``isRevealing``, shows all.
public enum AmbientPrivacy: Hashable, Sendable {
  /// What stands in place of a sensitive value.
  public enum Mask: Hashable, Sendable {
    /// A hash, as `<hash:91f0a2c4b6d8>`: equal values have equal marks within one process, and
    /// another mark in the next.
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
  var isShown: Bool { self == .public || Self.isRevealing }
}

extension AmbientValueConvertible where Self == AmbientValue {
  /// A value that nobody sees: a mark stands in its place, unless ``AmbientPrivacy/isRevealing``.
  ///
  /// ```swift
  /// Log.info("paid", ["card": .private(card.number)])
  /// ```
  public static func `private`(_ value: some AmbientValueConvertible) -> AmbientValue {
    AmbientPrivacy.private.isShown
      ? value.ambientValue : .string(PrivacyMark.hidden.description)
  }

  /// A value that nobody sees, but whose marks are equal where it is equal, within one process.
  ///
  /// ```swift
  /// Log.info("signed in", ["user": .sensitive(user.email)])
  /// ```
  public static func sensitive(_ value: some AmbientValueConvertible) -> AmbientValue {
    let value = value.ambientValue
    guard !AmbientPrivacy.sensitive(.hash).isShown else { return value }
    return LineBuffer.with { mark in
      LineBuffer.with { line in
        switch value {
        case .string(let text): line.append(text)
        case .date(let date): line.append(date: date)
        default:
          FieldBytes(value: value.sorted).read { reader in
            var reader = reader
            if let field = reader.next() { line.append(json: field, depth: 0) }
          }
        }
        PrivacyMark.append(hashOf: line.bytes, to: &mark)
      }
      return .string(mark.text)
    }
  }
}

/// What stands in place of a value that is not shown.
enum PrivacyMark {
  static let hidden: StaticString = "<private>"

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

  static func append(hashOf bytes: UnsafeRawBufferPointer, to line: inout LineBuffer) {
    line.append("<hash:")
    line.append(magnitude: hash(of: bytes), radix: 16, minDigits: 12)
    line.append(UInt8(ascii: ">"))
  }
}
