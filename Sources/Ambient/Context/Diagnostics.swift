// SPDX-License-Identifier: Apache-2.0

/// Reports of the package's own failures; the default instance writes them to standard error.
///
/// Failures are never reported through ``Log``, because the log may be what failed. The static
/// members of a subclass are those of this class, and report to the current diagnostics. All
/// members may be used from any thread.
///
/// ```swift
/// Diagnostics.instance = .calling { diagnostic in alert(diagnostic.description) }
/// ```
nonisolated open class Diagnostics: _Nonisolated, @unchecked Sendable {
  static let context = AmbientContext<Diagnostics>(
    "Diagnostics", defaultIsMistake: false
  ) { Diagnostics() }

  /// The current diagnostics, of the enclosing scope or of the process.
  public static var instance: Diagnostics {
    get { context.instance }
    // The setter is inlined, because a tail call to a separate setter would remove the assigning
    // function's frame from the stack before `assign` captures its callers.
    @inlinable set { if let late = assign(newValue) { late.report() } }
  }

  /// Runs `body` with `diagnostics` bound for this task and the tasks that `body` starts.
  ///
  /// A detached task does not belong to the scope; see ``AmbientScope``. The background thread of a
  /// ``FileLog`` or ``FileAnalytics`` reports to the process's diagnostics.
  ///
  /// - Parameters:
  ///   - diagnostics: The diagnostics that get the reports made in the scope.
  ///   - body: The block, whose result is returned and whose error is thrown.
  @inlinable
  public static func withInstance<R, E: Error>(
    _ diagnostics: Diagnostics, _ body: () throws(E) -> R
  ) throws(E) -> R {
    try Bindings.with(binding(diagnostics), body)
  }

  /// Runs `body` with `diagnostics` bound for this task and the tasks that `body` starts.
  ///
  /// A detached task does not belong to the scope; see ``AmbientScope``. The background thread of a
  /// ``FileLog`` or ``FileAnalytics`` reports to the process's diagnostics.
  ///
  /// - Parameters:
  ///   - diagnostics: The diagnostics that get the reports made in the scope.
  ///   - body: The block, with the isolation of the caller; its result is returned, its error is
  ///     thrown.
  @_disfavoredOverload
  @inlinable
  public static func withInstance<R, E: Error>(
    _ diagnostics: Diagnostics, _ body: nonisolated(nonsending) () async throws(E) -> R
  ) async throws(E) -> R {
    try await Bindings.with(binding(diagnostics), body)
  }

  @usableFromInline
  static func assign(_ diagnostics: Diagnostics) -> LateAssignment? { context.assign(diagnostics) }

  @usableFromInline
  static func binding(_ diagnostics: Diagnostics) -> Bindings { context.binding(diagnostics) }

  /// Passes the report to the current diagnostics.
  ///
  /// - Parameter diagnostic: The report of a failure or a mistake.
  public static func report(_ diagnostic: Diagnostic) {
    // The call does not go through `withService`, because the body of `withService` must not assign
    // the context, and the handler may assign other diagnostics.
    instance.report(diagnostic)
  }

  /// Creates a report from its parts, and passes the report to the current diagnostics.
  package static func report(_ kind: Diagnostic.Kind, source: String, _ message: String) {
    report(Diagnostic(kind, source: source, message))
  }

  /// Returns diagnostics that call `handler` for each report.
  ///
  /// Usually, the thread that found the failure calls the handler. Another thread calls it for some
  /// reports, such as those of late assignments, late services and virtual time.
  ///
  /// - Parameter handler: Called for each report, on any thread, and by several threads at once.
  public static func calling(_ handler: @escaping @Sendable (Diagnostic) -> Void) -> Diagnostics {
    CallingDiagnostics(handler)
  }

  /// Makes diagnostics that write to standard error.
  public init() {}

  /// Handles one report; the base class writes it to standard error.
  ///
  /// Any thread may call this method, and several threads may call it at once.
  ///
  /// Text that a report quotes may come from outside the program. Control characters are therefore
  /// escaped, and lines after the first are indented, so that no line looks like a separate report.
  ///
  /// - Parameter diagnostic: The report, which an override may store, show or drop.
  open func report(_ diagnostic: Diagnostic) {
    let lines = diagnostic.message.split(separator: "\n", omittingEmptySubsequences: false)
    let text = lines.map { String($0).escaped }
    let rest = text.dropFirst().map { $0.hasPrefix("  ") ? $0 : "  \($0)" }
    let first = "Ambient: \(diagnostic.source.escaped): "
    StandardError.write(first + (text.prefix(1) + rest).joined(separator: "\n") + "\n")
  }
}

private final class CallingDiagnostics: Diagnostics, @unchecked Sendable {
  private let handler: @Sendable (Diagnostic) -> Void

  init(_ handler: @escaping @Sendable (Diagnostic) -> Void) { self.handler = handler }

  override func report(_ diagnostic: Diagnostic) { handler(diagnostic) }
}
