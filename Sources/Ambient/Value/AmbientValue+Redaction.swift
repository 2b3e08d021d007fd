// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Replaces hidden values with marks, in texts and in copies of values that leave the machine.
extension AmbientValue {
  /// Wraps a private or sensitive value that is shown because `AmbientPrivacy.isRevealing` is true.
  /// Sets `AmbientPrivacy.hasRevealed`.
  static func revealing(_ value: AmbientValue, _ privacy: AmbientPrivacy) -> AmbientValue {
    AmbientPrivacy.noteRevealed()
    return .revealed(value, privacy)
  }

  /// The value with hidden values replaced by marks such as `<private>`, even if
  /// ``AmbientPrivacy/isRevealing`` is true. A value must be redacted before a text is made from
  /// it, because nothing in the text marks the part that must be hidden.
  package var redacted: AmbientValue { redacted([]) }

  /// Whether the value, or a value within it, is private or sensitive, but shown because of
  /// `AmbientPrivacy.isRevealing`.
  var isRevealed: Bool {
    switch self {
    case .revealed: true
    case .array(let values): values.contains { $0.isRevealed }
    case .fields(let fields): fields.contains { $0.value.isRevealed }
    default: false
    }
  }

  /// Whether the value, or a value within it, is private or sensitive: either a mark, or a value
  /// that is shown because of `isRevealing`.
  var isMarked: Bool {
    switch self {
    case .revealed: true
    case .string(let text): PrivacyMark.isMark(text)
    case .array(let values): values.contains { $0.isMarked }
    case .fields(let fields): fields.contains { $0.value.isMarked }
    default: false
    }
  }

  /// Returns the type's own `ambientValue` if it has a hidden part; otherwise, nil.
  ///
  /// Some types hide their private content only in ``AmbientValueConvertible/ambientValue``. Their
  /// description and their encoding show it, so the `ambientValue` must be used instead.
  static func markedItself(_ value: Any) -> AmbientValue? {
    guard let own = (value as? any AmbientValueConvertible)?.ambientValue, own.isMarked
    else { return nil }
    return own
  }

  /// The hidden form of a value, for its description; nil if nothing in it is hidden.
  ///
  /// If a part of the value has a private type, Swift's description of the value shows the content
  /// of that part. So the value's own `ambientValue` replaces the description; without one, the
  /// whole value becomes private.
  static func marked(_ value: Any) -> AmbientValue? {
    marked(value, (value as? any AmbientValueConvertible)?.ambientValue)
  }

  /// The same, for a value whose own `ambientValue` is `own`; nil if the value has none.
  static func marked(_ value: Any, _ own: AmbientValue?) -> AmbientValue? {
    if let own, own.isMarked { return own }
    guard describesMarked(value, levels: 16) else { return nil }
    return own ?? .private(String(describing: value))
  }

  /// Whether Swift's description of the value shows the content of a private type.
  ///
  /// The result is false for a type with its own description, because the type decides what to
  /// show. It is also false for a class, because Swift's description of an object shows only the
  /// name of the class.
  private static func describesMarked(_ value: Any, levels: Int) -> Bool {
    if value is String || hidesMarked(value) { return false }
    let hasOwn = value is any CustomStringConvertible || value is any TextOutputStreamable
    // A list's description shows the descriptions of its elements.
    let list = value as? any Collection
    if hasOwn, list == nil { return false }
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .collection, .set, .dictionary, .tuple, .optional: break
    case .struct, .enum: if hasOwn { return list.map { showsMarked(in: $0, levels) } ?? false }
    default: return false
    }
    // Values below the last level are not examined. The result is true, because they may have a
    // private type.
    guard levels > 0 else { return true }
    return mirror.children.contains { showsMarked($0.value, levels: levels - 1) }
  }

  /// Whether Swift's description of a list, such as a dictionary's values, shows the content of a
  /// private type.
  private static func showsMarked<List: Collection>(in list: List, _ levels: Int) -> Bool {
    // A range may have more numbers than can be looked at.
    if List.Element.self is any BinaryInteger.Type { return false }
    guard levels > 0 else { return true }
    return list.contains { showsMarked($0, levels: levels - 1) }
  }

  /// Whether Swift's description of a part shows the content of a private type.
  private static func showsMarked(_ part: Any, levels: Int) -> Bool {
    if hidesMarked(part) { return false }
    return markedItself(part) != nil || describesMarked(part, levels: levels)
  }

  /// Whether the value's description shows marks in place of hidden values.
  private static func hidesMarked(_ value: Any) -> Bool {
    value is AmbientValue || value is AmbientFields
  }

  /// Returns the value with marks in place of revealed values, and in place of the values of all
  /// fields whose name is in `names`.
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
  /// Returns the fields with marks in place of revealed values, and in place of the values of all
  /// fields whose name is in `names`, at every depth.
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
}

extension AmbientPrivacy {
  private static let revealed = Atomic<Bool>(false)

  /// Whether any hidden value was ever shown in this process; if not, there is nothing to redact.
  static var hasRevealed: Bool { revealed.load(ordering: .relaxed) }

  static func noteRevealed() { revealed.store(true, ordering: .relaxed) }
}
