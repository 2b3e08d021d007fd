import Synchronization

/// Whether a mistake in setting up stops the program.
enum Strictness {
  static let isStrict = Atomic<Bool>(setting(environment) ?? false)
  private static let isChecked = Atomic<Bool>(false)

  private static var environment: String? { Environment.value("AMBIENT_STRICT") }

  static func stopIfStrict(_ text: () -> String) {
    // Not in the initializer of `isStrict`: the program's handler may come here, and deadlock
    // there.
    if !isChecked.exchange(true, ordering: .relaxed) { check(environment) }
    guard isStrict.load(ordering: .relaxed) else { return }
    fatalError("Ambient, strict mode: \(text())")
  }

  /// Reports a value that says nothing.
  static func check(_ value: String?) {
    guard let value, setting(value) == nil else { return }
    Diagnostics.report(
      Diagnostic(
        .invalidSetting, source: "AMBIENT_STRICT", "“\(value)” is neither 1 nor 0; 0 is taken."))
  }

  /// What the value says, if it says anything.
  static func setting(_ value: String?) -> Bool? {
    switch value?.lowercased() {
    case "1", "true", "yes", "on": true
    case nil, "", "0", "false", "no", "off": false
    default: nil
    }
  }
}
