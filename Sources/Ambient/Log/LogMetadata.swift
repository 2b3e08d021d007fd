/// What is added to each record that is logged in a place.
final class LogMetadata: Sendable {
  static let context = AmbientContext<LogMetadata>(
    "Log.metadata", defaultIsMistake: false, default: { none }, host: { Log.context.entry })
  private static let none = LogMetadata()

  let fields: AmbientFields
  let provider: (@Sendable () -> AmbientFields)?

  init(_ fields: AmbientFields = [:], provider: (@Sendable () -> AmbientFields)? = nil) {
    self.fields = fields
    self.provider = provider
  }

  static var current: LogMetadata { context.assigned ?? none }

  /// The metadata of a record: the scope's, then the provider's, then the call's, which wins.
  @inline(__always)
  static func complete(_ metadata: AmbientFields) -> AmbientFields {
    guard let scope = context.assigned else { return metadata }
    var all = scope.fields
    if let provided = scope.provider?() { all = all.merging(provided) }
    return metadata.isEmpty ? all : all.merging(metadata)
  }

  /// What is in force here, with more fields.
  fileprivate static func adding(_ fields: AmbientFields) -> LogMetadata {
    guard let outer = context.assigned else { return LogMetadata(fields) }
    return LogMetadata(outer.fields.merging(fields), provider: outer.provider)
  }
}

extension Log {
  /// What is added to each record that is logged here, before what the call adds.
  ///
  /// Assign it at the start of the program for what holds everywhere (`["service": "shop"]`), and
  /// use ``withMetadata(_:_:)`` for what holds in a part of it. An assignment in a scope of the log
  /// (``withInstance(_:_:)``), or of metadata, ends with that scope.
  public static var metadata: AmbientFields {
    get { LogMetadata.current.fields }
    set {
      LogMetadata.context.instance = LogMetadata(newValue, provider: LogMetadata.current.provider)
    }
  }

  /// What is asked for more metadata at each record that is accepted here: a trace's identifier.
  ///
  /// It is called on the thread of the caller, who waits. Assign it at the start of the program; in
  /// a scope of the log or of metadata, an assignment ends with the scope.
  public static var metadataProvider: (@Sendable () -> AmbientFields)? {
    get { LogMetadata.current.provider }
    set {
      LogMetadata.context.instance = LogMetadata(LogMetadata.current.fields, provider: newValue)
    }
  }

  /// Runs `body` with `metadata` added to each record of this task and those that it starts.
  ///
  /// Inner metadata wins over outer of the same name, and that of a call over both. It binds the
  /// metadata alone: an assignment of ``instance`` in it goes where it would go outside.
  ///
  /// ```swift
  /// Log.withMetadata(["request": id]) { handle(request) }
  /// ```
  @inlinable
  public static func withMetadata<R, E: Error>(
    _ metadata: AmbientFields, _ body: () throws(E) -> R
  ) throws(E) -> R {
    try Bindings.with(binding(adding: metadata), body)
  }

  /// Runs `body` with `metadata` added to each record of this task and those that it starts.
  @inlinable
  public static func withMetadata<R, E: Error>(
    _ metadata: AmbientFields, _ body: nonisolated(nonsending) () async throws(E) -> R
  ) async throws(E) -> R {
    try await Bindings.with(binding(adding: metadata), body)
  }

  @usableFromInline
  static func binding(adding metadata: AmbientFields) -> Bindings {
    LogMetadata.context.binding(.adding(metadata))
  }
}
