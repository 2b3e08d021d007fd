internal import Synchronization

/// Taking out what must not leave the machine.
extension AmbientValue {
  /// A value that is shown though it is marked.
  static func revealing(_ value: AmbientValue, _ privacy: AmbientPrivacy) -> AmbientValue {
    AmbientPrivacy.noteRevealed()
    return .revealed(value, privacy)
  }

  /// The value as text that is made of it has it: what is marked is hidden, also where
  /// ``AmbientPrivacy/isRevealing`` shows it, since a text would carry it without its mark.
  package var redacted: AmbientValue { redacted([]) }

  /// Whether the value, or one within, is shown though it is marked.
  var isRevealed: Bool {
    switch self {
    case .revealed: true
    case .array(let values): values.contains { $0.isRevealed }
    case .fields(let fields): fields.contains { $0.value.isRevealed }
    default: false
    }
  }

  /// Whether the value, or one within, is marked: shown all the same, or a mark already.
  var isMarked: Bool {
    switch self {
    case .revealed: true
    case .string(let text): PrivacyMark.isMark(text)
    case .array(let values): values.contains { $0.isMarked }
    case .fields(let fields): fields.contains { $0.value.isMarked }
    default: false
    }
  }

  /// The value that a type says it is, if some of that is marked; else nil.
  ///
  /// A type may be private by its ``AmbientValueConvertible/ambientValue`` alone: its description,
  /// and what it encodes, would show what it holds.
  static func markedItself(_ value: Any) -> AmbientValue? {
    guard let own = (value as? any AmbientValueConvertible)?.ambientValue, own.isMarked
    else { return nil }
    return own
  }

  /// The value of any type, to be shown by its description, if some of it is marked; else nil.
  ///
  /// The description that the language makes of a value that holds a private type would show that:
  /// it is private as a whole.
  static func marked(_ value: Any) -> AmbientValue? {
    if value is any AmbientValueConvertible { return markedItself(value) }
    return describesMarked(value, levels: 16) ? .private(String(describing: value)) : nil
  }

  /// Whether the description that the language makes of the value shows what a type hides.
  ///
  /// Types with a description of their own are asked for that, and a class shows its name alone.
  private static func describesMarked(_ value: Any, levels: Int) -> Bool {
    // Their descriptions hide what is marked.
    if value is AmbientValue || value is AmbientFields { return false }
    if let value = value as? any AmbientValueConvertible { return value.ambientValue.isMarked }
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .collection, .set, .dictionary, .tuple, .optional: break
    case .struct, .enum:
      if value is any CustomStringConvertible || value is any TextOutputStreamable { return false }
    default: return false
    }
    // Deeper values are hidden unseen.
    guard levels > 0 else { return true }
    return mirror.children.contains { describesMarked($0.value, levels: levels - 1) }
  }

  /// The value with marks in place of what is only shown because all is, and of all that stands
  /// under one of those names.
  func redacted(_ names: Set<FieldName>) -> AmbientValue {
    switch self {
    case .revealed(_, .private): PrivacyMark.private
    case .revealed(let value, .sensitive): PrivacyMark.hash(of: value.redacted(names))
    case .revealed(let value, .public): value.redacted(names)
    case .array(let values): .array(values.map { $0.redacted(names) })
    case .fields(let fields): .fields(fields.redacted(names))
    default: self
    }
  }
}

extension AmbientFields {
  /// The fields with marks in place of such values, and of those that have one of the names, at
  /// whatever depth.
  func redacted(_ names: Set<FieldName>) -> AmbientFields {
    guard !names.isEmpty || AmbientPrivacy.hasRevealed else { return self }
    return AmbientFields(
      list: map { field in
        Field(
          name: field.name,
          value: names.contains(FieldName(field.name))
            ? PrivacyMark.private : field.value.redacted(names))
      })
  }

  /// These fields, and before them those of `other` whose names they do not have.
  func preceded(by other: AmbientFields) -> AmbientFields {
    guard let outer = other.bytes else { return self }
    guard var all = bytes else { return other }
    all.prepend(outer)
    return AmbientFields(all)
  }
}

extension AmbientPrivacy {
  private static let revealed = Atomic<Bool>(false)

  /// Whether anything was shown that is marked, ever: else there is nothing to look for.
  static var hasRevealed: Bool { revealed.load(ordering: .relaxed) }

  static func noteRevealed() { revealed.store(true, ordering: .relaxed) }
}
