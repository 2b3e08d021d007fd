import Synchronization

/// Whether a mistake in setting up stops the program.
enum Strictness {
  static let isStrict = Atomic<Bool>(setting(Environment.value("AMBIENT_STRICT")))

  static func stopIfStrict(_ text: () -> String) {
    guard isStrict.load(ordering: .relaxed) else { return }
    fatalError("Ambient, strict mode: \(text())")
  }

  /// What the value says; one that says nothing is reported, and means no.
  static func setting(_ value: String?) -> Bool {
    switch value?.lowercased() {
    case "1", "true", "yes", "on": return true
    case nil, "", "0", "false", "no", "off": return false
    case let value?:
      Diagnostics.report(
        Diagnostic(
          .invalidSetting, source: "AMBIENT_STRICT", "“\(value)” is neither 1 nor 0; 0 is taken."))
      return false
    }
  }
}
