// SPDX-License-Identifier: Apache-2.0

/// The metadata that is added to each record of a scope, or of the process.
final class LogMetadata: Sendable {
  static let context = AmbientContext<LogMetadata>(
    "Log.metadata", defaultIsMistake: false, default: { none })
  private static let none = LogMetadata()

  /// The fields, encoded once and copied into each record; nil if there are none.
  private let bytes: FieldBytes?
  let provider: (@Sendable () -> AmbientFields)?

  convenience init(
    _ fields: AmbientFields = [:], provider: (@Sendable () -> AmbientFields)? = nil
  ) {
    self.init(fields.bytes, provider)
  }

  private init(_ bytes: FieldBytes?, _ provider: (@Sendable () -> AmbientFields)?) {
    // The fields are stored without spare capacity, because many scopes may exist at once, and for
    // a long time.
    self.bytes = bytes?.compact
    self.provider = provider
  }

  static var current: LogMetadata { context.assigned ?? none }

  var fields: AmbientFields { AmbientFields(list: bytes?.list ?? []) }

  /// Returns the current metadata, with `fields` added.
  fileprivate static func adding(_ fields: AmbientFields) -> LogMetadata {
    let outer = context.assigned
    return LogMetadata(.joined(outer?.bytes, fields.bytes), outer?.provider)
  }

  /// Puts `outer` before `inner`, whose values override those of `outer`, and lets the thread reuse
  /// the memory of `outer`. If `inner` is nil, only assigns `outer` to it. Changes `inner` in
  /// place, because changing a copy would allocate.
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

  /// Joins the fields of a record in this order: the scope's fields, the provider's, the message's
  /// named values, the call's metadata. If a name is repeated, its last value counts. If the
  /// message's references are the only fields, they stay in the message.
  ///
  /// - Returns: The fields, and whether the thread may reuse their memory. The thread must not
  ///   reuse the memory of a scope's own fields, because later records of the scope need them.
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

  /// Puts the scope's and the provider's fields before those of a call. Returns whether the thread
  /// may reuse the memory of the joined fields.
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
  /// The fields that are added to each record in the current scope, before the metadata of the
  /// call.
  ///
  /// Assign this property at the start of the program for fields of all records (`["service":
  /// "shop"]`), and use `withMetadata(_:_:)` for fields of a block. An existing record that is
  /// passed to `log(_:)` gets none of them. The property has no fields of ``metadataProvider``. An
  /// assignment in a scope of the log (`withInstance(_:_:)`) or of metadata, or in an isolating
  /// scope, ends with that scope. Each assigned value stays in memory until the scope of its
  /// assignment ends, or for ever outside all such scopes.
  public static var metadata: AmbientFields {
    get { LogMetadata.current.fields }
    set {
      LogMetadata.context.instance = LogMetadata(newValue, provider: LogMetadata.current.provider)
    }
  }

  /// The function that returns extra fields for each message that the log accepts, such as the
  /// identifier of a trace.
  ///
  /// The function runs on the thread that logs, which waits for the result. Its fields win over
  /// those of ``metadata``, and the fields of a message or a call win over its fields. The stage
  /// `EventStage.enriching(fromLog:)` calls the function, too. Assign it at the start of the
  /// program. An assignment in a scope of the log or of metadata, or in an isolating scope, ends
  /// with that scope. Each assigned function stays in memory as long as an assigned ``metadata``.
  public static var metadataProvider: (@Sendable () -> AmbientFields)? {
    get { LogMetadata.current.provider }
    set {
      LogMetadata.context.instance = LogMetadata(LogMetadata.current.fields, provider: newValue)
    }
  }

  /// Runs `body` with `metadata` added to each record of this task and the tasks that it starts.
  ///
  /// Inner metadata overrides outer metadata of the same name, and the metadata of a call overrides
  /// both. A detached task does not belong to the scope; see ``AmbientScope``. Only the metadata is
  /// bound: an assignment of ``instance`` in the block has the same effect as outside.
  ///
  /// ```swift
  /// Log.withMetadata(["request": id]) { handle(request) }
  /// ```
  ///
  /// - Parameters:
  ///   - metadata: Fields for each record of the block. They override outer metadata of the same
  ///     name, but not the fields of ``metadataProvider``.
  ///   - body: The block, whose result is returned and whose error is thrown.
  @inlinable
  public static func withMetadata<R, E: Error>(
    _ metadata: AmbientFields, _ body: () throws(E) -> R
  ) throws(E) -> R {
    try Bindings.with(binding(adding: metadata), body)
  }

  /// Runs `body` with `metadata` added to each record of this task and the tasks that it starts.
  ///
  /// Inner metadata overrides outer metadata of the same name, and the metadata of a call overrides
  /// both. A detached task does not belong to the scope; see ``AmbientScope``. Only the metadata is
  /// bound: an assignment of ``instance`` in the block has the same effect as outside.
  ///
  /// - Parameters:
  ///   - metadata: Fields for each record of the block. They override outer metadata of the same
  ///     name, but not the fields of ``metadataProvider``.
  ///   - body: The block, with the isolation of the caller. Its result is returned, and its error
  ///     is thrown.
  @_disfavoredOverload
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
