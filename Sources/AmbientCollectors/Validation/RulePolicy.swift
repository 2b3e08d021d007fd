/// Whether an event that breaks a rule is changed or refused.
public enum RulePolicy: Hashable, Sendable {
  /// The event is changed as little as possible: names are made to fit, long texts are cut, and
  /// fields that are not allowed are left out. The event is refused only if such changes do not
  /// suffice.
  case lenient
  /// The event is refused if anything other than its time would have to be changed.
  case strict
}
