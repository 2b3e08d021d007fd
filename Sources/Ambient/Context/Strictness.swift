import Synchronization

/// Whether a mistake in setting up stops the program.
enum Strictness {
  static let isStrict = Atomic<Bool>(Environment.value("AMBIENT_STRICT") == "1")

  static func stopIfStrict(_ text: () -> String) {
    guard isStrict.load(ordering: .relaxed) else { return }
    let text = text()
    StandardError.write("Ambient, strict mode: \(text)\n")
    fatalError(text)
  }
}
