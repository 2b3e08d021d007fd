// SPDX-License-Identifier: Apache-2.0

internal import CAmbient
internal import Synchronization

/// The bindings of every context, captured at one place of the program for use at another.
///
/// A scope follows task-locals: child tasks, `async let`, groups and `Task { }` share it. Detached
/// tasks, `queue.async` and threads do not: capture the scope before you start them, and run their
/// work in it.
///
/// ```swift
/// let scope = AmbientScope.capture()
/// queue.async { scope.run { Log.info("the caller's log, at the caller's time") } }
/// ```
///
/// A scope is safe to use from any thread. Capturing it costs two look-ups of task-local values;
/// running a block in it costs two calls of `TaskLocal.withValue`.
public struct AmbientScope: Sendable {
  /// The captured bindings; nil outside all scopes.
  @usableFromInline let bindings: Bindings?

  @usableFromInline
  init(bindings: Bindings?) { self.bindings = bindings }

  /// Captures the caller's bindings of all contexts.
  public static func capture() -> AmbientScope { AmbientScope(bindings: Bindings.current) }

  /// The caller's bindings with a new isolating scope instead of the innermost one, so that nothing
  /// assigned there is in force. What blocks within that scope have bound is kept.
  package static var renewed: AmbientScope { AmbientScope(bindings: Bindings.renewed) }

  /// Runs `body` with the captured bindings instead of the caller's bindings.
  ///
  /// - Parameter body: The block, which runs on this thread. Its result is returned, and its error
  ///   is thrown.
  @inlinable
  public func run<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    try Bindings.with(bindings, body)
  }

  /// Runs `body` with the captured bindings instead of the caller's bindings.
  ///
  /// - Parameter body: The block, which runs with the isolation of the caller. Its result is
  ///   returned, and its error is thrown.
  @_disfavoredOverload
  @inlinable
  public func run<R, E: Error>(
    _ body: nonisolated(nonsending) () async throws(E) -> R
  ) async throws(E) -> R {
    try await Bindings.with(bindings, body)
  }

  /// Runs `body` with every context, including those of other modules, bound to its default.
  ///
  /// The block does not see services that are bound or assigned outside it. Assignments in the
  /// block end with it. The traits of AmbientTesting run each case of a test in such a scope.
  ///
  /// - Parameter body: The block, whose result is returned and whose error is thrown.
  @inlinable
  public static func isolated<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    try makeIsolated().run(body)
  }

  /// Runs `body` with every context, including those of other modules, bound to its default.
  ///
  /// The block does not see services that are bound or assigned outside it. Assignments in the
  /// block end with it. The traits of AmbientTesting run each case of a test in such a scope.
  ///
  /// - Parameter body: The block, which runs with the isolation of the caller. Its result is
  ///   returned, and its error is thrown.
  @_disfavoredOverload
  @inlinable
  public static func isolated<R, E: Error>(
    _ body: nonisolated(nonsending) () async throws(E) -> R
  ) async throws(E) -> R {
    try await makeIsolated().run(body)
  }

  /// Runs `body` outside all scopes, as in a detached task, but in the current task.
  ///
  /// Use it for work that outlives the test or the request that first starts it. Otherwise, a
  /// worker that is started in a scope would keep the scope's services and use them for all later
  /// requests. If `body` is synchronous, as in the example, the tasks that it starts do not belong
  /// to a scope of virtual time, either.
  ///
  /// ```swift
  /// static let worker = AmbientScope.outside { Task { await work() } }
  /// ```
  ///
  /// - Parameter body: The block, which reads and assigns the process's instances. Its result is
  ///   returned, and its error is thrown.
  @inlinable
  public static func outside<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    let before = setStartsOutside(true)
    defer { _ = setStartsOutside(before) }
    return try unbound.run(body)
  }

  /// Runs `body` outside all scopes, as in a detached task, but in the current task.
  ///
  /// Tasks that `body` starts may belong to a scope of virtual time around the call, unlike tasks
  /// that a synchronous block starts.
  ///
  /// - Parameter body: The block, which runs with the isolation of the caller, and reads and
  ///   assigns the process's instances. Its result is returned, and its error is thrown.
  @_disfavoredOverload
  @inlinable
  public static func outside<R, E: Error>(
    _ body: nonisolated(nonsending) () async throws(E) -> R
  ) async throws(E) -> R {
    try await unbound.run(body)
  }

  /// Whether a context that is read before it is assigned stops the program with a report.
  ///
  /// The program stops when the process's instance is assigned after its first read, and when a
  /// context other than ``Diagnostics`` is read that was not assigned. An assignment that ends with
  /// a scope, or a default of an isolating scope, never stops the program.
  ///
  /// Initially, the value is `true` if the environment variable `AMBIENT_STRICT` is `1`, `true`,
  /// `yes` or `on`, in upper or lower case, unless the process runs with more rights than its
  /// caller. An unknown value counts as `0`, and is reported to ``Diagnostics`` at the first late
  /// assignment or use of the process's default.
  public static var isStrict: Bool {
    get { Strictness.isStrict.load(ordering: .relaxed) }
    set { Strictness.isStrict.store(newValue, ordering: .relaxed) }
  }

  /// Sets whether tasks started by this thread belong to no scope of virtual time; returns the old
  /// value.
  @usableFromInline
  static func setStartsOutside(_ isOutside: Bool) -> Bool {
    defer { ambient_outside_store(isOutside) }
    return ambient_outside_load()
  }

  /// The key of a task-local value that each block of this type binds, with or without a scope.
  package static var key: UnsafeMutableRawPointer { Bindings.key }

  @usableFromInline static var unbound: AmbientScope { AmbientScope(bindings: nil) }

  @usableFromInline
  static func makeIsolated() -> AmbientScope {
    ProcessWarnings.checkFork()
    return AmbientScope(bindings: Bindings(IsolatedSlots()))
  }
}
