/// What is added to each record that is logged in a place.
final class LogMetadata: Sendable {
  static let context = AmbientContext<LogMetadata>(
    "Log.metadata", defaultIsMistake: false, default: { none }, host: { Log.context.entry })
  private static let none = LogMetadata()

  /// Encoded once, and copied into each record; nil for none.
  private let bytes: FieldBytes?
  let provider: (@Sendable () -> AmbientFields)?

  convenience init(
    _ fields: AmbientFields = [:], provider: (@Sendable () -> AmbientFields)? = nil
  ) {
    self.init(fields.bytes, provider)
  }

  private init(_ bytes: FieldBytes?, _ provider: (@Sendable () -> AmbientFields)?) {
    // A scope may live long, and there may be many.
    self.bytes = bytes?.compact
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

  /// Puts fields before those of `inner`, which win; their memory goes back to the thread. In its
  /// place, since a copy that is changed would cost an allocation.
  @inline(__always)
  private static func put(_ outer: FieldBytes?, before inner: inout FieldBytes?) {
    guard let outer else { return }
    if inner == nil {
      inner = outer
    } else {
      inner?.prepend(outer)
      ThreadMemory.keep(fields: outer.memory)
    }
  }

  /// The metadata of a record: the scope's, then the provider's, then what the message names, then
  /// the call's, which wins. What a message refers to is left to it if there is nothing else.
  ///
  /// - Returns: The fields, and whether the thread may use their memory again: not if they are the
  ///   scope's, which has them for its other records.
  @inline(__always)
  static func complete(
    _ message: inout LogMessage, _ metadata: consuming FieldBytes?
  ) -> (fields: FieldBytes?, isReusable: Bool) {
    let scope = context.assigned
    if metadata == nil, scope == nil, message.hasReferencesOnly { return (nil, false) }
    var call = consume metadata
    put(message.takeFields(), before: &call)
    let isReusable = scope?.complete(&call) ?? (call != nil)
    return (call, isReusable)
  }

  /// Puts the provider's fields and the scope's before those of a call; whether its memory may be
  /// used again.
  @inline(never)
  private func complete(_ call: inout FieldBytes?) -> Bool {
    Self.put(provider?().bytes, before: &call)
    guard call != nil else {
      call = bytes
      return false
    }
    if let bytes { call?.prepend(bytes) }
    return true
  }
}

extension Log {
  /// What is added to each record that is logged here, before what the call adds.
  ///
  /// Assign it at the start of the program for what holds everywhere (`["service": "shop"]`), and
  /// use `withMetadata(_:_:)` for what holds in a part of it. An assignment in a scope of the log
  /// (`withInstance(_:_:)`), or of metadata, ends with that scope.
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
  ///
  /// - Parameters:
  ///   - metadata: Fields for each record of the block; they win over those around.
  ///   - body: The block, whose result is returned and whose error is thrown.
  @inlinable
  public static func withMetadata<R, E: Error>(
    _ metadata: AmbientFields, _ body: () throws(E) -> R
  ) throws(E) -> R {
    try Bindings.with(binding(adding: metadata), body)
  }

  /// Runs `body` with `metadata` added to each record of this task and those that it starts.
  ///
  /// - Parameters:
  ///   - metadata: Fields for each record of the block; they win over those around.
  ///   - body: The block, with the isolation of the caller; its result is returned, its error is
  ///     thrown.
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
