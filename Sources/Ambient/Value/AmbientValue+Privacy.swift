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
        default: line.append(json: value)
        }
        PrivacyMark.append(hashOf: line.bytes, to: &mark)
      }
      return .string(mark.text)
    }
  }
}
