extension Log {
  /// What is added to each record that is logged here, before what the call adds.
  ///
  /// Assign it at the start of the program for what holds everywhere (`["service": "shop"]`), and
  /// use ``with(_:_:)`` for what holds in a part of it.
  public static var metadata: AmbientFields {
    get { LogScope.current.metadata }
    set {
      LogScope.context.instance = LogScope(
        metadata: newValue, provider: LogScope.current.provider)
    }
  }

  /// What is asked for more metadata at each record that is accepted here: a trace's identifier.
  ///
  /// It is called on the thread of the caller, who waits. Assign it at the start of the program;
  /// in a scope, an assignment holds for the scope.
  public static var provider: (@Sendable () -> AmbientFields)? {
    get { LogScope.current.provider }
    set {
      LogScope.context.instance = LogScope(
        metadata: LogScope.current.metadata, provider: newValue)
    }
  }

  /// Runs `body` with `metadata` added to each record of this task and those that it starts.
  ///
  /// Inner metadata wins over outer of the same name, and that of a call over both.
  ///
  /// ```swift
  /// Log.with(["request": id]) { handle(request) }
  /// ```
  public static func with<R, E: Error>(
    _ metadata: AmbientFields, _ body: () throws(E) -> R
  ) throws(E) -> R {
    try LogScope.context.withInstance(inner(metadata), body)
  }

  /// Runs `body` with `metadata` added to each record of this task and those that it starts.
  public static func with<R, E: Error>(
    _ metadata: AmbientFields, _ body: nonisolated(nonsending) () async throws(E) -> R
  ) async throws(E) -> R {
    try await LogScope.context.withInstance(inner(metadata), body)
  }

  private static func inner(_ metadata: AmbientFields) -> LogScope {
    let outer = LogScope.current
    return LogScope(metadata: outer.metadata.merging(metadata), provider: outer.provider)
  }
}

/// What is added to each record that is logged in a place.
final class LogScope: Sendable {
  static let context = AmbientContext<LogScope>(
    "Log.scope", defaultIsMistake: false, default: { LogScope() })

  let metadata: AmbientFields
  let provider: (@Sendable () -> AmbientFields)?

  init(metadata: AmbientFields = [:], provider: (@Sendable () -> AmbientFields)? = nil) {
    self.metadata = metadata
    self.provider = provider
  }

  static var current: LogScope { context.assigned ?? LogScope() }

  /// The metadata of a record: the scope's, then the provider's, then the call's, which wins.
  @inline(__always)
  static func complete(_ metadata: AmbientFields) -> AmbientFields {
    guard let scope = context.assigned else { return metadata }
    var all = scope.metadata
    if let provided = scope.provider?() { all = all.merging(provided) }
    return metadata.isEmpty ? all : all.merging(metadata)
  }
}
