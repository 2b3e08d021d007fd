/// Whether an event that breaks a rule is changed or refused.
public enum RulePolicy: Hashable, Sendable {
  /// The event is changed as little as possible, and sent if that suffices: names are made to fit,
  /// long texts are cut, and fields that are not allowed are left out.
  case lenient
  /// The event is not sent if anything but its time would have to be changed.
  case strict
}
