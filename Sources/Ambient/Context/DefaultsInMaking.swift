/// The contexts whose defaults are being made on this task or thread, to tell those that need each
/// other.
enum DefaultsInMaking {
  @TaskLocal private static var entries: [ContextEntry] = []

  /// Makes a default; one that needs itself stops the program, by name.
  static func make(for entry: ContextEntry, _ makeDefault: () -> Assignment) -> Assignment {
    if entries.contains(where: { $0 === entry }) {
      let chain = (entries + [entry]).map { "\($0.name).instance" }.joined(separator: " → ")
      fatalError(
        """
        Ambient: a default needs itself: \(chain), each read by the default before it. \
        Assign one of them at the start of the program, or let its default read nothing.
        """)
    }
    return $entries.withValue(entries + [entry], operation: makeDefault)
  }
}
