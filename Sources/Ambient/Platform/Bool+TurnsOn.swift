extension Bool {
  /// Sets the flag to `isOn`, and returns whether the flag changed from false to true. For example,
  /// a flag that is true while calls fail changes to true at the first failure after a success, and
  /// only this failure is reported.
  @inline(__always)
  package mutating func turnsOn(_ isOn: Bool = true) -> Bool {
    defer { self = isOn }
    return isOn && !self
  }
}
