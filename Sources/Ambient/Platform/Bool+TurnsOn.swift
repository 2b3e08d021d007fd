extension Bool {
  /// Sets the flag to `isOn`, and returns whether this turned the flag on. For example, the flag
  /// of a reported failure turns on at the first failure after a success.
  @inline(__always)
  package mutating func turnsOn(_ isOn: Bool = true) -> Bool {
    defer { self = isOn }
    return isOn && !self
  }
}
