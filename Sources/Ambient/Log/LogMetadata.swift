/// What is added to each record that is logged in a place.
final class LogMetadata: Sendable {
  static let context = AmbientContext<LogMetadata>(
    "Log.metadata", defaultIsMistake: false, default: { none }, host: { Log.context.entry })
  private static let none = LogMetadata()

  /// Encoded once, and copied into each record; nil for none.
  private let bytes: FieldBytes?
  let provider: (@Sendable () -> AmbientFields)?

  init(_ fields: AmbientFields = [:], provider: (@Sendable () -> AmbientFields)? = nil) {
    bytes = fields.bytes
    self.provider = provider
  }

  private init(_ bytes: FieldBytes?, _ provider: (@Sendable () -> AmbientFields)?) {
    self.bytes = bytes
    self.provider = provider
  }

  static var current: LogMetadata { context.assigned ?? none }

  var fields: AmbientFields { AmbientFields(list: bytes?.list ?? []) }

  /// What is in force here, with more fields.
  fileprivate static func adding(_ fields: AmbientFields) -> LogMetadata {
    let outer = context.assigned
    return LogMetadata(joined(outer?.bytes, fields.bytes), outer?.provider)
  }

  /// The fields of both, with the inner value where they share a name.
  @inline(__always)
  static func joined(_ outer: FieldBytes?, _ inner: consuming FieldBytes?) -> FieldBytes? {
    guard let outer else { return inner }
    guard var all = inner else { return outer }
    all.prepend(outer)
    return all
  }

  /// The metadata of a record: the scope's, then the provider's, then what the message names, then
  /// the call's, which wins. It stands in memory that goes back to the thread if `isOwn`. What a
  /// message refers to is left to it if there is nothing else.
  @inline(__always)
  static func complete(
    _ message: inout LogMessage, _ metadata: consuming FieldBytes?
  ) -> (fields: FieldBytes?, isOwn: Bool) {
    let scope = context.assigned
    if metadata == nil, scope == nil, message.hasReferencesOnly { return (nil, false) }
    let call = joined(message.takeFields(), metadata)
    guard let scope else { return (call, call != nil) }
    return scope.complete(call)
  }

  @inline(never)
  private func complete(_ call: consuming FieldBytes?) -> (fields: FieldBytes?, isOwn: Bool) {
    var call = call
    if let provided = provider?().bytes {
      if call == nil {
        call = provided
      } else {
        call?.prepend(provided)
        ThreadMemory.keep(fields: provided.memory)
      }
    }
    guard call != nil else { return (bytes, false) }
    if let bytes { call?.prepend(bytes) }
    return (call, true)
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
