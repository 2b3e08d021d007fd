/// An assignment to the process after its first read, to be reported by whoever assigned.
@usableFromInline
final class LateAssignment: Sendable {
  private let name: String
  private let reader: CallSite
  private let setter: CallSite

  init(name: String, reader: CallSite, setter: CallSite) {
    self.name = name
    self.reader = reader
    self.setter = setter
  }

  /// Tells who read first and who set; in strict mode, stops the program.
  @usableFromInline
  func report() {
    let diagnostic = Diagnostic(
      .lateAssignment, source: "\(name).instance",
      """
      set after it had been read; whoever read it before has used another instance.
      \(reader.line("first read"))
      \(setter.line("set"))
      \(Self.advice)
      """)
    Strictness.stopIfStrict { diagnostic.description }
    Diagnostics.report(diagnostic)
  }

  private static var advice: String {
    Environment.isTesting
      ? """
      A test that assigns needs contexts of its own: give it, or its suite, the trait \
      .isolatedAmbients, or one that sets a time, of AmbientTesting.
      """
      : "Set it at the start of the program, before its first use, or bind it in a scope."
  }
}
