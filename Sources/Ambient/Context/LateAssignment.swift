// SPDX-License-Identifier: Apache-2.0

/// An assignment of the process's instance after the instance was first read. The assigning
/// function reports the assignment.
@usableFromInline
final class LateAssignment: Sendable {
  private let name: String
  private let reader: CallerTrace
  private let setter: CallerTrace

  init(name: String, reader: CallerTrace, setter: CallerTrace) {
    self.name = name
    self.reader = reader
    self.setter = setter
  }

  /// Reports the first reader and the setter; in strict mode, stops the program.
  ///
  /// The report is written by a thread that all late assignments share, because looking up names
  /// takes a tenth of a second. The program waits for the report when it exits.
  @usableFromInline
  func report() {
    Strictness.stopIfStrict { diagnostic(CallerTrace.Names(of: [reader, setter])).description }
    LateAssignmentReports.add(self, to: Diagnostics.instance)
  }

  func diagnostic(_ names: CallerTrace.Names) -> Diagnostic {
    Diagnostic(
      .lateAssignment, source: "\(name).instance",
      """
      set after it had been read; earlier reads returned another instance.
      \(names.line("first read", reader))
      \(names.line("set", setter))
      \(Self.advice)
      """)
  }

  var traces: [CallerTrace] { [reader, setter] }

  private static var advice: String {
    Environment.isTesting
      ? """
      Add a trait of AmbientTesting, such as .isolatedAmbients, to the test that assigns, or to \
      its suite.
      """
      : "Set it at the start of the program, before its first use, or bind it in a scope."
  }
}
