internal import Synchronization

/// Taking out what must not leave the machine.
extension AmbientValue {
  /// A value that is shown though it is marked.
  static func revealing(_ value: AmbientValue, _ privacy: AmbientPrivacy) -> AmbientValue {
    AmbientPrivacy.noteRevealed()
    return .revealed(value, privacy)
  }

  /// The value with marks in place of what is only shown because all is, and of all that stands
  /// under one of those names.
  func redacted(_ names: Set<FieldName>) -> AmbientValue {
    switch self {
    case .revealed(_, .private): PrivacyMark.private
    case .revealed(let value, .sensitive): PrivacyMark.hash(of: value)
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
