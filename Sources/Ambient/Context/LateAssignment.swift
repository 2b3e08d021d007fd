internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// An assignment to the process after its first read, to be reported by whoever assigned.
@usableFromInline
final class LateAssignment: Sendable {
  private let name: String
  private let reader: CallSite
  private let setter: CallSite

  /// How many reports are being written.
  private static let pending = Atomic<Int>(0)

  init(name: String, reader: CallSite, setter: CallSite) {
    self.name = name
    self.reader = reader
    self.setter = setter
  }

  /// Tells who read first and who set; in strict mode, stops the program.
  ///
  /// To look up names takes a tenth of a second, for which nobody waits but the program's end.
  @usableFromInline
  func report() {
    Strictness.stopIfStrict { diagnostic.description }
    _ = Self.waitsAtExit
    Self.pending.add(1, ordering: .relaxed)
    let diagnostics = Diagnostics.instance
    // Not in a task: tasks that block the pool's threads would keep the report from being made.
    SystemThread.start {
      Self.$isReporting.withValue(true) { diagnostics.report(self.diagnostic) }
      Self.pending.subtract(1, ordering: .releasing)
    }
  }

  private static let waitsAtExit: Void = { atexit { LateAssignment.waitForReports() } }()

  /// Waits until what was late so far is reported, for so many milliseconds at most.
  static func waitForReports(atMost limit: Int = 2_000) {
    // A report whose handler ends the program does not wait for itself.
    let own = isReporting ? 1 : 0
    for _ in 0..<limit where pending.load(ordering: .acquiring) > own { usleep(1_000) }
  }

  @TaskLocal private static var isReporting = false

  private var diagnostic: Diagnostic {
    Diagnostic(
      .lateAssignment, source: "\(name).instance",
      """
      set after it had been read; whoever read it before has used another instance.
      \(reader.line("first read"))
      \(setter.line("set"))
      \(Self.advice)
      """)
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
